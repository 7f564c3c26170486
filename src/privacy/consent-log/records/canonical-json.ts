/** What facts consist of. Undefined members are left out. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined };

/** Canonical JSON (RFC 8785): members in the order of their code units, without spaces. */
export function toCanonicalJson(value: JsonValue): string {
  if (isList(value)) return `[${value.map(toCanonicalJson)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [`${JSON.stringify(name)}:${toCanonicalJson(member)}`];
    });
  return `{${members}}`;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
