import { type TSchema, Type } from 'typebox';
import { rolesWith } from '../auth/capabilities.ts';
import { answer } from '../http/schemas.ts';
import { capabilityOf, methodsOf, placesOf, type RestRoute } from './route.ts';

interface Described {
  namespace: string;
  name: string;
  description: string;
  version: string;
  restRoot: () => string;
  tags: readonly Tag[];
}

/** Routes whose paths begin alike. */
export interface Tag {
  /** How the paths begin. */
  name: string;
  title: string;
  description: string;
}

const ERRORS: [status: number, description: string, code: string, message: string][] = [
  [
    400,
    'A parameter is missing or does not fit.',
    'rest_invalid_param',
    'Invalid parameter(s): per_page',
  ],
  [401, 'Nobody is signed in.', 'rest_forbidden', 'Sorry, you are not allowed to do that.'],
  [403, 'The user may not do this.', 'rest_forbidden', 'Sorry, you are not allowed to do that.'],
  [404, 'There is no such thing.', 'not_found', 'The vendor was not found.'],
  [
    413,
    'The body is too large.',
    'rest_body_too_large',
    'The request body is larger than 256 KiB.',
  ],
  [
    415,
    'The body is compressed.',
    'rest_unsupported_media_type',
    'Send the body uncompressed and as Content-Type: application/json.',
  ],
  [
    500,
    'A fault of the server; `create_failed` or `update_failed` where the database refused a write. The message says when its disk is full or it is read-only, and what to do.',
    'internal_server_error',
    'Something went wrong on our side. It has been logged.',
  ],
  [
    503,
    'The database cannot be reached.',
    'service_unavailable',
    'The database cannot be reached. Try again in a moment.',
  ],
];

/** The OpenAPI 3.1 document of a REST API, from its routes. */
export function openApiDocument(api: Described, routes: readonly RestRoute[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/${api.namespace}${route.path}`;
    paths[path] ??= {};
    // Of the three methods that update an item, the one that says so.
    const method = route.method === 'PUT' ? 'PUT' : methodsOf(route)[0];
    paths[path][String(method).toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: api.name,
      version: api.version,
      description: api.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: api.restRoot() }],
    tags: api.tags.map(({ title, ...tag }) => ({ ...tag, 'x-displayName': title })),
    components: {
      securitySchemes: {
        applicationPassword: {
          type: 'http',
          scheme: 'basic',
          description: 'Login and application password.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'pavis_session',
          description: 'Together with X-WP-Nonce. Over https it is named `__Host-pavis_session`.',
        },
      },
    },
    paths,
  };
}

function operation(route: RestRoute): object {
  const { method, path, access, summary, args, answers, refusals = {}, texts = [] } = route;
  const isGuarded = access !== 'public';
  const inBody = method !== 'GET' && args !== undefined;
  const parameters = [
    ...placesOf(path).map(({ name }) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: name === 'id' ? 'integer' : 'string' },
    })),
    ...(inBody ? [] : queryParameters(args)),
  ];
  return {
    summary,
    ...(isGuarded && { description: describeAccess(route) }),
    operationId: `${method.toLowerCase()}${path.replace(/\{\w+\}/g, 'item').replace(/[^a-z]+(.)/gi, (_, letter: string) => letter.toUpperCase())}`,
    tags: [path.split('/')[1]],
    security: isGuarded ? [{ applicationPassword: [] }, { cookie: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(inBody && { requestBody: { content: { 'application/json': { schema: args } } } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          schema
            ? { description: summary, content: contentOf(schema, texts) }
            : { description: 'What the client has is still so.' },
        ]),
      ),
      ...errorResponses(
        { isGuarded, namesItem: path.includes('{'), readsBody: method !== 'GET' },
        refusals,
      ),
    },
  };
}

/** Who may use a route that is not public. */
function describeAccess(route: RestRoute): string {
  const needed = capabilityOf(route);
  if (!needed) return 'For every user.';
  return `Requires the capability \`${needed}\`, which these roles have: ${rolesWith(needed).join(', ')}.`;
}

const contentOf = (schema: TSchema & { contentMediaType?: string }, texts: readonly string[]) => ({
  [schema.contentMediaType ?? 'application/json']: { schema },
  ...Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }])),
});

function queryParameters(args: RestRoute['args']): object[] {
  const {
    properties = {},
    required = [],
    examples: [example = {}] = [],
  } = (args ?? {}) as {
    properties?: Record<string, object>;
    required?: string[];
    examples?: Record<string, unknown>[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && !('default' in schema),
    schema,
    ...(name in example && { example: example[name] }),
  }));
}

function errorResponses(
  {
    isGuarded,
    namesItem,
    readsBody,
  }: { isGuarded: boolean; namesItem: boolean; readsBody: boolean },
  refusals: Record<number, string>,
): object {
  const fields = {
    code: Type.String(),
    message: Type.String(),
    // A 400 says there what is wrong with each parameter.
    data: Type.Object({ status: Type.Integer() }, { additionalProperties: true }),
  };
  const usual = ERRORS.filter(([status]) => {
    if (status === 401 || status === 403) return isGuarded;
    if (status === 413 || status === 415) return readsBody;
    return status !== 404 || namesItem;
  });
  const own = Object.entries(refusals).map(([status, code]): (typeof ERRORS)[number] => [
    Number(status),
    `\`${code}\``,
    code,
    'In words.',
  ]);
  return Object.fromEntries(
    [...usual, ...own].map(([status, description, code, message]) => {
      const example = { code, message, data: { status } };
      const schema = answer(description, fields, example);
      return [status, { description, content: { 'application/json': { schema, example } } }];
    }),
  );
}
