import { type Html, type HtmlPart, html } from '../html.ts';
import { PLAIN_TEXT } from '../http/schemas.ts';
import type { Schema } from './document.ts';
import { prose } from './markdown.ts';

export interface Field {
  name: string;
  schema: Schema;
  isOptional: boolean;
  description?: string | undefined;
}

/** Fields with their kinds, bounds and meaning; what is within one is opened on request. */
export const fieldList = (fields: Field[]): Html =>
  html`<dl class="fields">${fields.map(
    ({ name, schema, isOptional, description = schema.description }) => html`
<div><dt><code>${name}</code> <span class="kind">${kindOf(schema)}${isOptional && ', optional'}</span></dt>
<dd>${prose(description)}${factsOf(schema)}${within(schema, name)}</dd></div>`,
  )}</dl>`;

/** What a body consists of: its fields, or its kind where it has none. */
export function bodyFields(schema: Schema): Html {
  const objects = objectsIn(schema);
  const [only] = objects;
  if (only === schema) return fieldList(fieldsOf(only));
  return html`<p class="note">${sentence(kindOf(schema))}</p>${objects.map((each) => fieldList(fieldsOf(each)))}`;
}

const within = (schema: Schema, name: string): Html[] =>
  objectsIn(schema).map(
    (each, at, all) =>
      html`<details><summary><span>Fields of <code>${name}</code>${all.length > 1 && `, ${at + 1} of ${all.length} kinds`}</span></summary>${fieldList(fieldsOf(each))}</details>`,
  );

/** The objects with fields that a value may be, or consist of. */
function objectsIn(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(objectsIn);
  if (schema.items) return objectsIn(schema.items);
  return fieldsOf(schema).length > 0 ? [schema] : [];
}

const fieldsOf = ({
  properties = {},
  required = [],
  patternProperties = {},
  additionalProperties,
}: Schema): Field[] => [
  ...Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isOptional: !required.includes(name),
  })),
  ...[
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ].map((schema) => ({ name: 'any name', schema, isOptional: true })),
];

function kindOf({ anyOf, type, format, items }: Schema): string {
  if (anyOf) return [...new Set(anyOf.map(kindOf))].join(' or ');
  if (type === 'array') return items ? `array of ${kindOf(items)}` : 'array';
  return `${type ?? 'anything'}${format ? ` (${format})` : ''}`;
}

function factsOf(schema: Schema): Html | false {
  const facts = boundsOf(schema);
  return (
    facts.length > 0 && html`<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`
  );
}

function boundsOf(schema: Schema): HtmlPart[] {
  const { minLength, maxLength, minimum, maximum, maxItems, pattern, anyOf, items } = schema;
  const [example] = schema.examples ?? [];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [
    values.length > 0 && html`${values.length > 1 ? 'One of' : 'Always'} ${codes(values)}`,
    range(minLength || undefined, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(undefined, maxItems, 'items'),
    pattern === PLAIN_TEXT && 'No control characters',
    pattern && pattern !== PLAIN_TEXT && html`Like <code>${pattern}</code>`,
    schema.default !== undefined && html`${codes([schema.default])} if not given`,
    example !== undefined && typeof example !== 'object' && html`For example ${codes([example])}`,
    ...(anyOf ?? []).flatMap(boundsOf),
    ...(items ? boundsOf(items) : []),
  ].filter((fact) => fact !== undefined && fact !== false && fact !== '');
}

const codes = (values: unknown[]): HtmlPart[] =>
  values.map((value, at) => [
    at > 0 && ', ',
    html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
  ]);

function range(from: number | undefined, to: number | undefined, what: string): string | false {
  if (from === undefined && to === undefined) return false;
  if (to === undefined) return `${from} ${what} or more`;
  return from === undefined ? `At most ${to} ${what}` : `${from} to ${to} ${what}`;
}

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`;
