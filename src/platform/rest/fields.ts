import { splitWords } from './coerce.ts';

/** The names that `_fields` gives: a text with commas, or the texts of an array, as core reads it. */
export const parseFields = (given: unknown): string[] =>
  typeof given === 'string'
    ? splitWords(given)
    : Object.values(given ?? {})
        .filter((name) => typeof name === 'string')
        .map((name) => name.trim());

/**
 * Keeps only the named fields of an object, or of each object of a list; a dot names a field within
 * a field (`_fields`, as core reads it).
 */
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
