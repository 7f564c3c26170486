import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
/** By the schema's own text: a document that is read again has the same schemas in other objects. */
const validators = new Map<string, ReturnType<typeof ajv.compile>>();

/** What of a value its JSON schema does not allow. Each schema is compiled once: that takes most of the time. */
export function listMismatches(schema: object, value: unknown): string[] {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
