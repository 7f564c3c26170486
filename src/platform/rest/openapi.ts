import { type TObject, type TSchema, Type } from 'typebox';
import { COMMON_HEADERS, headerReferences } from '../http/openapi.ts';
import { nameSchemas } from '../http/openapi-schemas.ts';
import { rolesWith } from './capabilities.ts';
import { describeHeaders, HEADERS } from './openapi-headers.ts';
import { getRequiredCapability, listMethods, listPathParameters, type RestRoute } from './route.ts';

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

/** The body of every error (WordPress `WP_Error`, as `rest_convert_error_to_response` sends it). */
const ErrorBody = Type.Object(
  {
    code: Type.String({ description: 'A code for programs.' }),
    message: Type.String({ description: 'What is wrong, for people.' }),
    data: Type.Object(
      { status: Type.Integer({ description: 'The HTTP status.' }) },
      {
        additionalProperties: true,
        description:
          'The status and details of the error. With `rest_missing_callback_param`, `params` lists the missing parameters. With `rest_invalid_param`, `params` and `details` say what is wrong with each.',
      },
    ),
  },
  { title: 'Error' },
);

/** The OpenAPI 3.1 document of a REST API, from its routes. */
export function openApiDocument(api: Described, routes: readonly RestRoute[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/${api.namespace}${route.path}`;
    paths[path] ??= {};
    // Of the three methods that update an item, the one that says so.
    const method = route.method === 'PUT' ? 'PUT' : listMethods(route)[0];
    paths[path][String(method).toLowerCase()] = operation(route);
  }
  return nameSchemas({
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
          description:
            'The session of a signed-in user, for scripts on the same domain. Over https the cookie is named `__Host-pavis_session`.',
        },
        nonce: {
          type: 'apiKey',
          in: 'header',
          name: 'X-WP-Nonce',
          description: 'The nonce of the session. Valid for 12 to 24 hours.',
        },
      },
      headers: { ...COMMON_HEADERS, ...HEADERS },
    },
    paths,
  });
}

function operation(route: RestRoute): object {
  const { method, path, access, summary, args, answers, refusals = {}, texts = [] } = route;
  const isGuarded = access !== 'public';
  const inBody = method !== 'GET' && args !== undefined;
  const parameters = [
    ...listPathParameters(path).map(({ name }) => ({
      name,
      in: 'path',
      required: true,
      description: PLACES[name] ?? 'Names the item.',
      schema: { type: name === 'id' ? 'integer' : 'string' },
    })),
    ...(inBody ? [] : parametersOf('query', args)),
    ...parametersOf('header', route.requestHeaders),
    ...('304' in answers ? [IF_NONE_MATCH] : []),
  ];
  const body = args && bodyOf(args);
  return {
    summary,
    ...(isGuarded && { description: describeAccess(route) }),
    operationId: `${method.toLowerCase()}${path.replace(/\{\w+\}/g, 'item').replace(/[^a-z]+(.)/gi, (_, letter: string) => letter.toUpperCase())}`,
    tags: [path.split('/')[1]],
    security: isGuarded ? [{ applicationPassword: [] }, { cookie: [], nonce: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(inBody && {
      requestBody: {
        required: (body?.required ?? []).length > 0,
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          {
            description: schema ? summary : 'What the client has is still so.',
            headers: headerReferences(describeHeaders(route, Number(status))),
            ...(schema && { content: contentOf(schema, texts) }),
          },
        ]),
      ),
      ...errorResponses(
        route,
        { isGuarded, namesItem: path.includes('{'), readsBody: method !== 'GET' },
        refusals,
      ),
    },
  };
}

/** Who may use a route that is not public. */
function describeAccess(route: RestRoute): string {
  const needed = getRequiredCapability(route);
  if (!needed) return 'For every user.';
  return `Requires the capability \`${needed}\`, which these roles have: ${rolesWith(needed).join(', ')}.`;
}

/** The schema of a body, in which what has a default may be absent. */
function bodyOf(args: TObject): { required?: string[] } {
  const { properties, required } = args as {
    properties: Record<string, object>;
    required?: string[];
  };
  return {
    ...args,
    required: (required ?? []).filter((name) => !('default' in (properties[name] ?? {}))),
  };
}

const PLACES: Record<string, string> = {
  id: 'Names the item, by its id.',
  uuid: 'Names the application password.',
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier response. The status is 304 while the response is still the same.',
  schema: { type: 'string' },
};

const contentOf = (schema: TSchema & { contentMediaType?: string }, texts: readonly string[]) => ({
  [schema.contentMediaType ?? 'application/json']: { schema },
  ...Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }])),
});

function parametersOf(place: 'query' | 'header', args: TObject | undefined): object[] {
  const {
    properties = {},
    required = [],
    examples: [example = {}] = [],
  } = (args ?? {}) as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
    examples?: Record<string, unknown>[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name) && !('default' in schema),
    ...(description !== undefined && { description }),
    schema,
    ...(name in example && { example: example[name] }),
  }));
}

function errorResponses(
  route: RestRoute,
  {
    isGuarded,
    namesItem,
    readsBody,
  }: { isGuarded: boolean; namesItem: boolean; readsBody: boolean },
  refusals: Record<number, string>,
): object {
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
      return [
        status,
        {
          description,
          headers: headerReferences(describeHeaders(route, status)),
          content: { 'application/json': { schema: ErrorBody, example } },
        },
      ];
    }),
  );
}
