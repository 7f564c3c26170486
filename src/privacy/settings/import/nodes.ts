/** A value in an imported file, with its place. */
export interface Node {
  readonly path: readonly (string | number)[];
  /** Undefined if the file does not have it. */
  readonly value: unknown;
}

export const toRoot = (value: unknown): Node => ({ path: [], value });

/** The value below; inherited properties do not count. */
export function descend({ path, value }: Node, ...keys: (string | number)[]): Node {
  let found = value;
  for (const key of keys) {
    const has = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    found = has ? (found as Record<string | number, unknown>)[key] : undefined;
  }
  return { path: [...path, ...keys], value: found };
}

/** The entries of an object or array, in their order; none for other values. */
export function listEntries(node: Node): [key: string | number, Node][] {
  const { value } = node;
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, at) => at) : Object.keys(value);
  return keys.map((key) => [key, descend(node, key)]);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A switch as exports write it: PHP and MySQL have 0, 1, '0' and '1' for booleans. */
export function readSwitch({ value }: Node): boolean | undefined {
  if (value === true || value === 1 || value === '1') return true;
  if (value === false || value === 0 || value === '0' || value === '') return false;
  return undefined;
}

/**
 * The value as text; empty for objects, arrays and what is missing. `String()` would call their `toString`, which a
 * file can replace.
 */
export const toText = ({ value }: Node): string =>
  typeof value === 'object' || value === undefined ? '' : String(value);

const KEY_SHOWN_MAX = 64;

/** For example `banners[0].contents.en`. */
export const formatPath = (path: Node['path']): string =>
  path
    .map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      if (/^[\w-]{1,64}$/.test(key)) return `.${key}`;
      return `[${JSON.stringify(key.slice(0, KEY_SHOWN_MAX))}]`;
    })
    .join('')
    .replace(/^\./, '');
