import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, startServer } from '../support/process.ts';
import { PROJECT } from './cruised.ts';

/** A JSON Schema, as far as our documents use them. */
interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}
interface Operation {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The documents of the two interfaces, and the files that hold their types. */
export const DOCUMENTS = [
  { name: 'LicenceApi', file: 'packages/client/licence-api.ts', path: '/openapi.json', prefix: '' },
  {
    name: 'PluginApi',
    file: 'packages/client/plugin-api.ts',
    path: '/wp-json/svc/v1/openapi.json',
    prefix: '/svc/v1',
  },
] as const;

/** The types of an OpenAPI document's schemas and routes, as a TypeScript file. */
export function clientTypes(document: Document, name: string, prefix: string): string {
  const { paths, components } = document;
  const schemas = components.schemas;
  const types = Object.entries(schemas).map(
    ([title, schema]) => `${docOf(schema, '\n')}export type ${title} = ${typeOf(schema)};\n\n`,
  );
  const keyed: string[] = [];
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path.slice(prefix.length)}`;
      if (findIdempotencyKey(operation)) keyed.push(route);
      const doc = operation.summary ? `  /** ${operation.summary} */\n` : '';
      return `${doc}  '${route}': ${objectOf(partsOf(operation, schemas))};\n`;
    }),
  );
  const head =
    '// Made from the OpenAPI document by `npm run client-types`; not to be changed by hand.';
  const list = keyed.map((route) => `  '${route}',\n`).join('');
  return (
    `${head}\n\n${types.join('')}export interface ${name} {\n${routes.join('')}}\n\n` +
    `/** Routes that take an idempotency key. */\nexport const KEYED_ROUTES: ReadonlySet<string> = new Set([\n${list}]);\n`
  );
}

const findIdempotencyKey = ({ parameters = [] }: Operation): Parameter | undefined =>
  parameters.find((each) => each.in === 'header' && /^idempotency-key$/i.test(each.name));

function partsOf(operation: Operation, schemas: Record<string, Schema>): string[] {
  const { parameters = [], requestBody, responses } = operation;
  const parts: string[] = [];
  for (const [place, name] of [
    ['path', 'params'],
    ['query', 'query'],
  ]) {
    const those = parameters.filter((each) => each.in === place);
    if (those.length === 0) continue;
    const optional = those.some((each) => each.required) ? '' : '?';
    const fields = those.map((each) =>
      field(each.name, { ...each.schema, ...describe(each) }, each.required ?? false),
    );
    parts.push(`${name}${optional}: ${objectOf(fields)}`);
  }
  const body = requestBody?.content['application/json']?.schema;
  if (body) {
    const { required = [] } = schemas[nameOf(body) ?? ''] ?? body;
    parts.push(`body${required.length > 0 ? '' : '?'}: ${typeOf(body)}`);
  }
  const key = findIdempotencyKey(operation);
  if (key) parts.push(field('idempotencyKey', { ...key.schema, ...describe(key) }, false));
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.entries(content).map(contentType));
  parts.push(`answer: ${[...new Set(answers)].join(' | ') || 'undefined'}`);
  return parts;
}

const describe = ({ description }: Parameter) => description !== undefined && { description };

function contentType([type, { schema }]: [string, { schema: Schema }]): string {
  if (type === 'application/json') return typeOf(schema);
  return type.startsWith('text/') ? 'string' : 'Blob';
}

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

function typeOf(schema: Schema): string {
  const { type, anyOf, items, properties, additionalProperties } = schema;
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ');
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'array') return `(${items ? typeOf(items) : 'unknown'})[]`;
  if (type !== 'object') return 'unknown';
  if (properties) {
    const required = schema.required ?? [];
    const fields = Object.entries(properties);
    return objectOf(fields.map(([key, each]) => field(key, each, required.includes(key))));
  }
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return `Record<string, ${values ? typeOf(values) : 'unknown'}>`;
}

function field(name: string, schema: Schema, required: boolean): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  return `${docOf(schema, ' ')}${key}${required ? '' : '?'}: ${typeOf(schema)}`;
}

const docOf = ({ description }: Schema, end: string): string =>
  description ? `/** ${description.replaceAll('*/', '')} */${end}` : '';

const objectOf = (fields: string[]): string =>
  fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;

/** Writes the files anew, when run by itself. */
if (import.meta.main) {
  const folder = dataFolder();
  const server = await startServer({ PAVIS_DATA_DIR: folder.path });
  for (const { name, file, path, prefix } of DOCUMENTS) {
    const document = (await server.http.get(path)).json;
    writeFileSync(join(PROJECT, file), clientTypes(document, name, prefix));
  }
  await server.stop();
  folder.remove();
}
