type Json = Record<string, unknown>;

const REFERENCE = '#/components/';
/** Keywords with values, not schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** The pattern of any name, which generators read as a map. */
const ANY_NAME = '^.*$';

/**
 * Moves every schema with a `title` to `components/schemas`, so that type generators get named types.
 * @throws Error if two schemas with one title differ in more than their description
 */
export function nameSchemas<T extends { paths?: unknown; components?: unknown }>(document: T): T {
  const schemas: Record<string, Json> = {};
  const paths = mapSchemas(document.paths, (schema) => {
    const { title, ...rest } = readMap(schema);
    if (typeof title !== 'string') return rest;
    const known = schemas[title];
    schemas[title] ??= rest;
    const reference = { $ref: `${REFERENCE}schemas/${title}` };
    if (!known || isSame(known, rest)) return reference;
    const { description, ...ours } = rest;
    const { description: _theirs, ...theirs } = known;
    if (isSame(ours, theirs)) {
      // The description of one would be wrong for the others.
      schemas[title] = theirs;
      return { ...reference, ...(description !== undefined && { description }) };
    }
    throw new Error(`Two schemas have the title ${title}: ${difference(theirs, ours)}`);
  });
  return { ...document, paths, components: { ...(document.components as object), schemas } };
}

/** States the largest integer that is read without a loss, where a schema has no maximum of its own. */
export const limitIntegers = (schema: unknown): unknown =>
  mapSchemas(schema, (each) =>
    each.type !== 'integer' || 'enum' in each || 'maximum' in each
      ? each
      : { ...each, maximum: Number.MAX_SAFE_INTEGER },
  );

/** Replaces references by what they refer to. */
export function resolveReferences<T>(document: T): T {
  const { components } = document as { components?: unknown };
  const known = new Map<string, unknown>();
  const target = (reference: string): unknown => {
    if (!known.has(reference)) {
      const [kind = '', name = ''] = reference.slice(REFERENCE.length).split('/');
      const found = (components as Record<string, Json> | undefined)?.[kind]?.[name];
      if (found === undefined) throw new Error(`The document has no ${reference}`);
      known.set(reference, resolve(found));
    }
    return known.get(reference);
  };
  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isObject(value)) return value;
    const { $ref, ...rest } = value;
    const own = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, resolve(each)]));
    return typeof $ref === 'string' ? { ...(target($ref) as object), ...own } : own;
  }
  return resolve(document) as T;
}

/** Replaces every schema, inner ones first. */
function mapSchemas(value: unknown, replace: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => mapSchemas(each, replace));
  if (!isObject(value)) return value;
  const mapped = mapValues(value, (each, key) => {
    if (VALUES.has(key)) return each;
    const isNamesOfFields = (key === 'properties' || key === 'patternProperties') && isObject(each);
    return isNamesOfFields
      ? mapValues(each, (field) => mapSchemas(field, replace))
      : mapSchemas(each, replace);
  });
  return 'type' in value || 'anyOf' in value ? replace(mapped) : mapped;
}

/** TypeBox writes a map as a pattern that matches any name. */
function readMap({ patternProperties, ...schema }: Json): Json {
  if (patternProperties === undefined) return schema;
  const patterns = patternProperties as Json;
  return ANY_NAME in patterns
    ? { ...schema, additionalProperties: patterns[ANY_NAME] }
    : { ...schema, patternProperties };
}

export const mapValues = <T, U>(
  object: Record<string, T>,
  change: (value: T, key: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const isSame = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The first difference of two schemas, in a few characters of each. */
function difference(one: Json, other: Json): string {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  const at = [...left].findIndex((character, index) => character !== right[index]);
  const from = Math.max(0, at - 40);
  return `${left.slice(from, at + 60)} / ${right.slice(from, at + 60)}`;
}
