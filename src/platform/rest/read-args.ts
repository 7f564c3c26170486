import type { TObject } from 'typebox';
import type { JsonSchema } from '../http/schemas.ts';
import { coerce, type ValidationError } from './coerce.ts';
import { invalidParams, missingParams } from './errors.ts';
import type { Params } from './params.ts';

/**
 * Validates the parameters of a schema and ignores others.
 * @throws ApiError 400 for missing parameters first, then for invalid ones
 */
export function readArgs(params: Params, schema: TObject | undefined): never {
  const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema;
  const given = (name: string) => (Object.hasOwn(params, name) ? params[name] : undefined);
  const missing = required.filter(
    (name) => properties[name]?.default === undefined && (given(name) ?? null) === null,
  );
  if (missing.length > 0) throw missingParams(missing);

  const args: Params = {};
  let errors: Record<string, ValidationError> | undefined;
  for (const name of Object.keys(properties)) {
    const property = properties[name] as JsonSchema;
    const value = given(name);
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
