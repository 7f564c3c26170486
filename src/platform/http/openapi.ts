import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { Routes } from './error-format.ts';
import { mapValues, nameSchemas } from './openapi-schemas.ts';

export type OpenApiInfo = NonNullable<FastifyDynamicSwaggerOptions['openapi']>;

/** Headers of all APIs, for `components/headers`. */
export const COMMON_HEADERS = {
  'X-Request-Id': {
    description:
      'Identifies the request in the log: the `X-Request-Id` of the request if it has 1 to 64 letters, digits, `.`, `_` or `-`, otherwise a new id.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

export const headerReferences = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of routes for API tokens. */
const CHALLENGE_HEADERS = {
  'WWW-Authenticate': {
    description: 'What is wrong with the API token (RFC 6750, section 3).',
    schema: { type: 'string' },
  },
} as const;

/** Headers of routes with a `Limiter`. */
const RATE_LIMIT_HEADERS = {
  'RateLimit-Limit': {
    description: 'Requests that are allowed in a minute.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the limit is free again.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

/**
 * Serves `openapi.json` for the routes that are registered afterwards, except those with `schema: { hide: true }`.
 * @param limited ids of operations with `RateLimit-*` headers
 */
export async function describeRoutes(
  routes: Routes,
  openapi: OpenApiInfo,
  publicUrl: () => string,
  limited: readonly string[],
): Promise<void> {
  // With the server, swagger removes its path from the paths.
  await routes.register(swagger, { openapi: { ...openapi, servers: [{ url: publicUrl() }] } });
  serveOpenApi(routes, '/openapi.json', () => {
    const document = routes.swagger() as unknown as SwaggerDocument;
    return nameSchemas({
      ...document,
      servers: [{ url: publicUrl() }],
      components: {
        ...document.components,
        headers: { ...COMMON_HEADERS, ...RATE_LIMIT_HEADERS, ...CHALLENGE_HEADERS },
      },
      paths: describeOperations(document.paths, limited),
    });
  });
}

interface SwaggerDocument {
  components: object;
  paths: Record<string, Record<string, SwaggerOperation>>;
}
interface RequestBody {
  content: Record<string, { schema: { required?: string[] } }>;
}
interface SwaggerOperation {
  operationId: string;
  security?: Record<string, unknown>[];
  requestBody?: RequestBody;
  responses: Record<string, { headers?: object }>;
}

function describeOperations(paths: SwaggerDocument['paths'], limited: readonly string[]): object {
  const listHeaders = ({ operationId, security = [] }: SwaggerOperation, status: string) => [
    'X-Request-Id',
    ...((status === '401' || status === '403') && security.some((each) => 'apiToken' in each)
      ? Object.keys(CHALLENGE_HEADERS)
      : []),
    ...(limited.includes(operationId) ? Object.keys(RATE_LIMIT_HEADERS) : []),
    ...(status === '429' || status === '503' ? ['Retry-After'] : []),
  ];
  const describeResponses = (operation: SwaggerOperation) =>
    mapValues(operation.responses, (response, status) => ({
      ...response,
      headers: { ...response.headers, ...headerReferences(listHeaders(operation, status)) },
    }));
  return mapValues(paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      ...(operation.requestBody && { requestBody: markRequired(operation.requestBody) }),
      responses: describeResponses(operation),
    })),
  );
}

/** A body without required fields may be left out. */
const markRequired = (body: RequestBody): object => ({
  ...body,
  required: Object.values(body.content).some(({ schema }) => (schema.required ?? []).length > 0),
});

/** Serves an OpenAPI document, created with the first request because it is large. */
export function serveOpenApi(routes: Routes, path: string, create: () => object): void {
  let bytes: Buffer | undefined;
  routes.get(path, { schema: { hide: true } }, async (_request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(create()));
    return reply
      .headers({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' })
      .type('application/json; charset=utf-8')
      .send(bytes);
  });
}
