import { type Html, type HtmlPart, html } from '../html.ts';
import { NON_BLANK_TEXT, PLAIN_LINE, PLAIN_TEXT } from '../http/schemas.ts';
import type { Schema } from './document.ts';
import { prose } from './markdown.ts';

export interface Field {
  name: string;
  schema: Schema;
  isOptional: boolean;
  description?: string | undefined;
}

export const fieldList = (fields: Field[]): Html =>
  html`<dl class="fields">${fields.map(
    ({ name, schema, isOptional, description = schema.description }) => html`
<div><dt><code>${name}</code> <span class="kind">${formatKind(schema)}${isOptional && ', optional'}</span></dt>
<dd>${prose(description)}${renderFacts(schema)}${within(schema, name)}</dd></div>`,
  )}</dl>`;

export function bodyFields(schema: Schema): Html {
  const objects = listObjects(schema);
  const [only] = objects;
  if (only === schema) return fieldList(listFields(only));
  return html`<p class="note">${sentence(formatKind(schema))}</p>${objects.map((each) => fieldList(listFields(each)))}`;
}

const within = (schema: Schema, name: string): Html[] =>
  listObjects(schema).map(
    (each, at, all) =>
      html`<details><summary><span>Fields of <code>${name}</code>${all.length > 1 && `, ${at + 1} of ${all.length} kinds`}</span></summary>${fieldList(listFields(each))}</details>`,
  );

/** The objects with fields in a schema. */
function listObjects(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(listObjects);
  if (schema.items) return listObjects(schema.items);
  return listFields(schema).length > 0 ? [schema] : [];
}

const listFields = ({
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

function formatKind({ anyOf, type, format, items }: Schema): string {
  if (anyOf) return [...new Set(anyOf.map(formatKind))].join(' or ');
  if (type === 'array') return items ? `array of ${formatKind(items)}` : 'array';
  return `${type ?? 'anything'}${format ? ` (${format})` : ''}`;
}

function renderFacts(schema: Schema): Html | false {
  const facts = listFacts(schema);
  return (
    facts.length > 0 &&
    html`<ul class="facts" role="list">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`
  );
}

const PATTERN_FACTS: Partial<Record<string, string>> = {
  [PLAIN_TEXT]: 'No control characters',
  [NON_BLANK_TEXT]: 'Not blank, no control characters',
  [PLAIN_LINE]: 'One line, no control characters',
};

function listFacts(schema: Schema): HtmlPart[] {
  const { minLength, maxLength, minimum, maximum, maxItems, pattern, anyOf, items } = schema;
  const [example] = schema.examples ?? [];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [
    values.length > 0 && html`${values.length > 1 ? 'One of' : 'Always'} ${codes(values)}`,
    range(minLength || undefined, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(undefined, maxItems, 'items'),
    pattern && (PATTERN_FACTS[pattern] ?? html`Like <code>${pattern}</code>`),
    schema.default !== undefined && html`${codes([schema.default])} if not given`,
    example !== undefined && typeof example !== 'object' && html`For example ${codes([example])}`,
    ...(anyOf ?? []).flatMap(listFacts),
    ...(items ? listFacts(items) : []),
  ].filter((fact) => fact !== undefined && fact !== false && fact !== '');
}

const codes = (values: readonly unknown[]): HtmlPart[] =>
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
