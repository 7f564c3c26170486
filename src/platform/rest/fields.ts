import { splitWords } from './coerce.ts';

/** The names in `_fields`: a text with commas or a list, as core reads it. */
export const parseFields = (given: unknown): string[] =>
  typeof given === 'string'
    ? splitWords(given)
    : Object.values(given ?? {})
        .filter((name) => typeof name === 'string')
        .map((name) => name.trim());

/** Keeps the named fields of an object, or of each object of a list; a dot names a nested field (core's `_fields`). */
export function pickFields(body: unknown, names: readonly string[]): unknown {
  if (Array.isArray(body)) return body.map((item) => pickFields(item, names));
  if (typeof body !== 'object' || body === null) return body;
  const picked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const within = names
      .filter((name) => name.startsWith(`${key}.`))
      .map((name) => name.slice(key.length + 1));
    if (names.includes(key)) picked[key] = value;
    else if (within.length > 0) picked[key] = pickFields(value, within);
  }
  return picked;
}
