/** The value at a path; undefined if it is not there. */
export function get(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

/** The identifier of an object that is given as an identifier or expanded. */
export function findId(value: unknown): string | undefined {
  const id = typeof value === 'object' ? get(value, 'id') : value;
  return typeof id === 'string' && /^[\w-]{1,255}$/.test(id) ? id : undefined;
}

/** A text that is not empty. */
export function text(value: unknown, ...path: string[]): string | undefined {
  const found = get(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** An integer in the range of epoch seconds. */
export function number(value: unknown, ...path: string[]): number | undefined {
  const found = get(value, ...path);
  return Number.isSafeInteger(found) && Math.abs(found as number) < 1e12
    ? (found as number)
    : undefined;
}

/** The currency of an object, for example `EUR`. */
export function currency(object: unknown): { currency?: string } {
  const code = text(object, 'currency')?.toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? { currency: code } : {};
}

/** Empty if it is not a list. */
export function list(value: unknown, ...path: string[]): unknown[] {
  const found = get(value, ...path);
  return Array.isArray(found) ? found : [];
}
