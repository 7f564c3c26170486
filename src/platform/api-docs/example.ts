import type { Call, OpenApi, Schema } from './document.ts';

const TEXTS: Record<string, string> = {
  'date-time': '2026-11-21T09:30:00.000Z',
  date: '2026-11-21',
  uri: 'https://example.com/',
};

/** The schema's own example, or a minimal valid value. */
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
      return createObject(schema);
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

/** The required fields, or the first one. */
function createObject({ properties = {}, required = [] }: Schema): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, createExample(properties[name] ?? {})]));
}

export function createExampleBody({ operation }: Call): unknown {
  const content = operation.requestBody?.content['application/json'];
  return content && (content.example ?? createExample(content.schema));
}

/** Also in bodies and queries, where the key must be the one in the header. */
const LICENCE_KEY = /pv_(?:live|test)_[A-Za-z0-9]{32}/g;

/** A curl command; secrets are shell variables. */
export function formatCurl(api: OpenApi, call: Call): string {
  const { method, operation } = call;
  const body = createExampleBody(call);
  const command = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(api.servers[0].url + formatTarget(call))}`,
    ...formatCredentials(api, Object.keys(operation.security[0] ?? {})),
    ...listRequired(call, 'header').map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined
      ? listFormFields(call)
      : ["-H 'content-type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
  return command.replace(LICENCE_KEY, `'"$KEY"'`);
}

/** The body of a call that takes a form. */
function listFormFields({ operation }: Call): string[] {
  const form = operation.requestBody?.content['application/x-www-form-urlencoded'];
  const fields = form && (form.example ?? createExample(form.schema));
  return Object.entries(fields ?? {}).map(
    ([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`,
  );
}

function formatTarget(call: Call): string {
  const path = listRequired(call, 'path').reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    call.path,
  );
  const query = listRequired(call, 'query').map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

const listRequired = (
  { operation: { parameters = [] } }: Call,
  place: string,
): [string, string][] =>
  parameters
    .filter((each) => each.in === place && each.required)
    .map(({ name, schema, example }) => [name, String(example ?? createExample(schema))]);

const formatCredentials = ({ components }: OpenApi, schemes: string[]): string[] =>
  schemes.map((name) => {
    const scheme = components.securitySchemes[name];
    if (scheme?.scheme === 'basic') return '-u "$LOGIN:$APPLICATION_PASSWORD"';
    if (scheme?.scheme === 'bearer') return '-H "authorization: Bearer $TOKEN"';
    return `-H "${scheme?.name}: $KEY"`;
  });

/** One word of a shell command. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
