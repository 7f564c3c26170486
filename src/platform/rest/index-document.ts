import type { TSchema } from 'typebox';
import { listMethods, type RestRoute, toPathPattern } from './route.ts';

interface Described {
  namespace: string;
  name: string;
  description: string;
  restRoot: () => string;
  /** Where people give a program an application password; undefined where there is no such page. */
  authorizationUrl?: () => string;
}

/** A parameter that core's indexes have and nothing here reads. */
const CONTEXT = { context: { default: 'view', required: false } };

/** The index of the REST root, as `GET {rest_root}/` of core shows it. */
export function apiIndex(api: Described, routes: readonly RestRoute[]): object {
  const root = api.restRoot();
  return {
    name: api.name,
    description: api.description,
    url: new URL(root).origin,
    home: new URL(root).origin,
    gmt_offset: 0,
    timezone_string: 'UTC',
    namespaces: [api.namespace],
    authentication: api.authorizationUrl
      ? {
          'application-passwords': { endpoints: { authorization: api.authorizationUrl() } },
        }
      : [],
    routes: { '/': describeRoot(api), ...describeRoutes(api, routes) },
    _links: { help: [{ href: `${root}/${api.namespace}/openapi.json` }] },
  };
}

/** The index of the namespace, from which clients build their handlers. */
export function namespaceIndex(api: Described, routes: readonly RestRoute[]): object {
  return {
    namespace: api.namespace,
    routes: describeRoutes(api, routes),
    _links: { up: [{ href: `${api.restRoot()}/` }] },
  };
}

/** What `OPTIONS` says of the index of the REST root. */
export const describeRoot = (api: Described): object => ({
  namespace: '',
  ...indexEndpoint(`${api.restRoot()}/`, CONTEXT),
});

/** What `OPTIONS` says of the index of the namespace. */
export const describeNamespace = ({ namespace, restRoot }: Described): object => ({
  namespace,
  ...indexEndpoint(`${restRoot()}/${namespace}`, {
    namespace: { default: namespace, required: false },
    ...CONTEXT,
  }),
});

const indexEndpoint = (href: string, args: object): object => ({
  methods: ['GET'],
  endpoints: [{ methods: ['GET'], args }],
  _links: { self: [{ href }] },
});

/** What `OPTIONS` says of the routes of one path, of which there is at least one. */
export function describeEndpoints(api: Described, routes: readonly RestRoute[]): object {
  const [{ path = '' } = {}] = routes;
  const href = `${api.restRoot()}/${api.namespace}${path}`;
  return {
    namespace: api.namespace,
    methods: [...new Set(routes.flatMap(listMethods))],
    endpoints: routes.map((route) => ({ methods: listMethods(route), args: describeArgs(route) })),
    ...(path.includes('{') ? {} : { _links: { self: [{ href }] } }),
  };
}

function describeRoutes(api: Described, routes: readonly RestRoute[]): Record<string, object> {
  const self = `/${api.namespace}`;
  const described: Record<string, object> = { [self]: describeNamespace(api) };
  for (const [path, group] of Map.groupBy(routes, (route) => route.path))
    described[self + toPathPattern(path, '?P')] = describeEndpoints(api, group);
  return described;
}

/** Core has a list, not an object, where there is nothing to say. */
function describeArgs({ args }: RestRoute): object {
  const { properties = {}, required = [] } = (args ?? {}) as unknown as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  const entries = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && !('default' in schema);
    return [name, { ...JSON.parse(JSON.stringify(schema)), required: isRequired }];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : [];
}
