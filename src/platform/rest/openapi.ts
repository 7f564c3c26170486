import type { TObject, TSchema } from 'typebox';
import { COMMON_HEADERS, headerReferences } from '../http/openapi.ts';
import { limitIntegers, nameSchemas } from '../http/openapi-schemas.ts';
import type { JsonSchema } from '../http/schemas.ts';
import { rolesWith } from './capabilities.ts';
import { describeErrors } from './openapi-errors.ts';
import { describeHeaders, HEADERS } from './openapi-headers.ts';
import type { RestApiOptions } from './options.ts';
import { getRequiredCapability, listMethods, listPathParameters, type RestRoute } from './route.ts';
import { getRequiredScope } from './scopes.ts';

export interface Tag {
  /** The first part of its routes' paths. */
  name: string;
  title: string;
  description: string;
}

export function openApiDocument(
  api: RestApiOptions & { version: string; tags: readonly Tag[] },
  routes: readonly RestRoute[],
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/${api.namespace}${route.path}`;
    paths[path] ??= {};
    // Core's three methods for an update are documented as one.
    const method = route.method === 'PUT' ? 'PUT' : listMethods(route)[0];
    paths[path][String(method).toLowerCase()] = describeOperation(route);
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
          description: 'Login and application password, which can be limited to scopes.',
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
    paths: limitIntegers(paths),
  });
}

function describeOperation(route: RestRoute): object {
  const { method, path, access, publicSetting, summary, args, answers, texts = [] } = route;
  const isGuarded = access !== 'public';
  const signedIn = [{ applicationPassword: [] }, { cookie: [], nonce: [] }];
  const inBody = method !== 'GET' && args !== undefined;
  const parameters = [
    ...listPathParameters(path).map(({ name }) => ({
      name,
      in: 'path',
      required: true,
      description: PATH_PARAMETERS[name] ?? 'Names the item.',
      schema: { type: name === 'id' ? 'integer' : 'string' },
    })),
    ...(inBody ? [] : describeParameters('query', args)),
    ...describeParameters('header', route.requestHeaders),
    ...('304' in answers ? [IF_NONE_MATCH] : []),
  ];
  const body = args && describeBody(args);
  return {
    summary,
    ...((isGuarded || publicSetting) && { description: describeAccess(route) }),
    operationId: `${method.toLowerCase()}${path.replace(/\{\w+\}/g, 'item').replace(/[^a-z]+(.)/gi, (_, letter: string) => letter.toUpperCase())}`,
    tags: [path.split('/')[1]],
    security: isGuarded ? signedIn : publicSetting ? [...signedIn, {}] : [],
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
            ...(schema && { content: describeContent(schema, texts) }),
          },
        ]),
      ),
      ...describeErrors(route),
    },
  };
}

function describeAccess({ publicSetting, ...route }: RestRoute): string {
  if (publicSetting)
    return `Public with the setting \`${publicSetting}\`. ${describeAccess({ ...route, access: 'read_privacy' })}`;
  const needed = getRequiredCapability(route);
  const who = needed
    ? `Requires the capability \`${needed}\`, which these roles have: ${rolesWith(needed).join(', ')}.`
    : 'For every user.';
  const scope = getRequiredScope(route);
  return scope
    ? `${who} A limited application password needs the scope \`${scope}\`.`
    : `${who} Not for limited application passwords.`;
}

/** Fields with a default are optional in a body. */
function describeBody(args: TObject): JsonSchema {
  const { properties = {}, required = [] } = args as JsonSchema;
  return { ...args, required: required.filter((name) => !('default' in (properties[name] ?? {}))) };
}

const PATH_PARAMETERS: Record<string, string> = {
  id: 'Names the item, by its id.',
  uuid: 'Names the application password.',
  tag: 'Names the language, for example `pt-BR`.',
  tile: 'Level and number of the tile, or `entries` and the number of the bundle, as in C2SP tlog-tiles.',
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier response. The status is 304 while the response is still the same.',
  schema: { type: 'string' },
};

const describeContent = (
  schema: TSchema & { contentMediaType?: string },
  texts: readonly string[],
) => ({
  [schema.contentMediaType ?? 'application/json']: { schema },
  ...Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }])),
});

function describeParameters(place: 'query' | 'header', args: TObject | undefined): object[] {
  const { properties = {}, required = [], examples = [] } = (args ?? {}) as JsonSchema;
  const [example = {}] = examples as Record<string, unknown>[];
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name) && !('default' in schema),
    ...(description !== undefined && { description }),
    schema,
    ...(name in example && { example: example[name] }),
  }));
}
