import { isObject } from './nodes.ts';
import type { ImportChange } from './schemas.ts';

/** The differences between two values, by setting. Items of lists are compared by id or language. */
export function listChanges(before: unknown, after: unknown, field: string): ImportChange[] {
  const [old, fresh] = [flatten(before, field), flatten(after, field)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((name) => old.get(name) !== fresh.get(name))
    .map((name) => ({
      field: name,
      before: old.get(name) ?? null,
      after: fresh.get(name) ?? null,
    }));
}

function flatten(value: unknown, field: string): Map<string, string> {
  if (Array.isArray(value) && value.some(isObject)) {
    return new Map(
      value.flatMap((item) => [...flatten(item, `${field}[${item.id ?? item.language}]`)]),
    );
  }
  if (isObject(value))
    return new Map(
      Object.entries(value).flatMap(([name, each]) => [...flatten(each, `${field}.${name}`)]),
    );
  return new Map([[field, Array.isArray(value) ? value.join(', ') : String(value)]]);
}
