import type { Call, OpenApi, Schema } from './document.ts';

const TEXTS: Record<string, string> = {
  'date-time': '2026-11-21T09:30:00.000Z',
  date: '2026-11-21',
  uri: 'https://example.com/',
};

/** A value that fits a schema: its own example, or the least that is needed. */
export function createExample(schema: Schema): unknown {
  const [given] = [
    ...(schema.examples ?? []),
    schema.const,
    schema.default,
    ...(schema.enum ?? []),
  ].filter((value) => value !== undefined);
  if (given !== undefined) return given;
  if (schema.anyOf?.[0]) return createExample(schema.anyOf[0]);
  switch (schema.type) {
    case 'object':
      return objectLike(schema);
    case 'array':
      return schema.items ? [createExample(schema.items)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return TEXTS[schema.format ?? ''] ?? 'text'.padEnd(schema.minLength ?? 0, '-');
  }
}

/** What is required; where nothing is, the first field alone, as in a change. */
function objectLike({ properties = {}, required = [] }: Schema): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, createExample(properties[name] ?? {})]));
}

/** The body that an operation is shown with, if it takes one. */
export function createExampleBody({ operation }: Call): unknown {
  const content = operation.requestBody?.content['application/json'];
  return content && (content.example ?? createExample(content.schema));
}

/** A command that calls an operation; secrets are variables of the shell. */
export function formatCurl(api: OpenApi, call: Call): string {
  const { method, operation } = call;
  const body = createExampleBody(call);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(api.servers[0].url + targetOf(call))}`,
    ...credentials(api, Object.keys(operation.security[0] ?? {})),
    ...needed(call, 'header').map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

/** Path and query. */
function targetOf(call: Call): string {
  const path = needed(call, 'path').reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    call.path,
  );
  const query = needed(call, 'query').map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

const needed = ({ operation: { parameters = [] } }: Call, place: string): [string, string][] =>
  parameters
    .filter((each) => each.in === place && each.required)
    .map(({ name, schema, example }) => [name, String(example ?? createExample(schema))]);

const credentials = ({ components }: OpenApi, schemes: string[]): string[] =>
  schemes.map((name) => {
    const scheme = components.securitySchemes[name];
    if (scheme?.scheme === 'basic') return '-u "$LOGIN:$APPLICATION_PASSWORD"';
    if (scheme?.scheme === 'bearer') return '-H "authorization: Bearer $TOKEN"';
    return `-H "${scheme?.name}: $KEY"`;
  });

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
