import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
/** Keyed by the JSON of the schema, because reading a document again creates new objects. */
const validators = new Map<string, ReturnType<typeof ajv.compile>>();

/** Lists the violations of a JSON schema. Each schema is compiled once, because compiling is slow. */
export function listMismatches(schema: object, value: unknown): string[] {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
