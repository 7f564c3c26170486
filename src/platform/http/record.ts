import type { Static, TObject } from 'typebox';
import type { CamelCased } from '../key-case.ts';

const fieldNames = new WeakMap<TObject, (readonly [name: string, property: string])[]>();

/**
 * The record that a schema describes, from an object that has the same fields in camel case. Nothing else of the
 * object gets into the record.
 */
export function toRecord<S extends TObject>(schema: S, source: CamelCased<Static<S>>): Static<S> {
  const names = fieldNames.get(schema) ?? Object.keys(schema.properties).map(withProperty);
  fieldNames.set(schema, names);
  const values = source as Readonly<Record<string, unknown>>;
  const fields = names.map(([name, property]) => [name, values[property]]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

const withProperty = (name: string) =>
  [name, name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] as const;
