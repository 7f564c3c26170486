import type { TObject } from 'typebox';
import type { JsonSchema } from '../http/schemas.ts';
import { coerce, type ValidationError } from './coerce.ts';
import { invalidParams, missingParams } from './errors.ts';
import type { Params } from './params.ts';

/** A schema, taken apart once. */
interface Reader {
  required: readonly string[];
  properties: readonly (readonly [name: string, schema: JsonSchema])[];
}

const readers = new WeakMap<object, Reader>();

function toReader(schema: TObject): Reader {
  const { properties = {}, required = [] } = schema as JsonSchema;
  const reader = {
    required: required.filter((name) => properties[name]?.default === undefined),
    properties: Object.entries(properties),
  };
  readers.set(schema, reader);
  return reader;
}

/**
 * Validates the parameters of a schema and ignores others.
 * @throws ApiError 400 for missing parameters first, then for invalid ones
 */
export function readArgs(params: Params, schema: TObject | undefined): never {
  if (!schema) return {} as never;
  const { required, properties } = readers.get(schema) ?? toReader(schema);
  for (const name of required) {
    if (!isGiven(params, name)) {
      throw missingParams(required.filter((each) => !isGiven(params, each)));
    }
  }

  const args: Params = {};
  let errors: Record<string, ValidationError> | undefined;
  for (const [name, property] of properties) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) {
      if ('default' in property) args[name] = property.default;
      continue;
    }
    const result = coerce(name, value, property);
    if ('error' in result) errors = { ...errors, [name]: result.error };
    else args[name] = result.value;
  }
  if (errors) throw invalidParams(errors);
  return args as never;
}

const isGiven = (params: Params, name: string): boolean =>
  Object.hasOwn(params, name) && (params[name] ?? null) !== null;
