import type { JsonSchema } from '../http/schemas.ts';
import { getOffsetHours } from '../local-time.ts';
import type { RestApiOptions } from './options.ts';
import { listMethods, type RestRoute, toPathPattern } from './route.ts';

/** A parameter that core's indexes list and nothing here reads. */
const CONTEXT = { context: { default: 'view', required: false } };

const isRoot = (path: string): boolean => path === '' || path === '/';

/** The index documents of the REST root and the namespace, and what `OPTIONS` answers, as in WordPress core. */
export class ApiIndex {
  readonly #api: RestApiOptions;
  readonly #listRoutes: () => readonly RestRoute[];

  constructor(api: RestApiOptions, listRoutes: () => readonly RestRoute[]) {
    this.#api = api;
    this.#listRoutes = listRoutes;
  }

  has(path: string): boolean {
    const { namespace, isUnlisted } = this.#api;
    if (isUnlisted || path.length > namespace.length + 2) return false;
    return isRoot(path) || path.toLowerCase().replace(/\/$/, '') === `/${namespace}`;
  }

  async get(path: string): Promise<object> {
    const { namespace, name, description, version, restRoot, authorizationUrl } = this.#api;
    const { timeZone, now } = this.#api;
    const root = restRoot();
    const { origin } = new URL(root);
    if (!isRoot(path)) {
      const _links = { up: [{ href: `${root}/` }] };
      return { namespace, version, routes: this.#describeRoutes(), _links };
    }
    return {
      name,
      description,
      version,
      url: origin,
      home: origin,
      gmt_offset: getOffsetHours(timeZone, now()),
      timezone_string: timeZone,
      namespaces: [namespace],
      authentication: authorizationUrl
        ? { 'application-passwords': { endpoints: { authorization: await authorizationUrl() } } }
        : [],
      routes: { '/': this.#describeRoot(), ...this.#describeRoutes() },
      _links: { help: [{ href: `${root}/${namespace}/openapi.json` }] },
    };
  }

  /** The response to `OPTIONS`: an empty list for an unknown path, as in core. */
  describe(path: string, routes: readonly RestRoute[]): object {
    if (this.has(path)) return isRoot(path) ? this.#describeRoot() : this.#describeNamespace();
    return routes.length > 0 ? this.#describeEndpoints(routes) : [];
  }

  #describeRoot(): object {
    return { namespace: '', ...describeIndex(`${this.#api.restRoot()}/`, CONTEXT) };
  }

  #describeNamespace(): object {
    const { namespace, restRoot } = this.#api;
    const args = { namespace: { default: namespace, required: false }, ...CONTEXT };
    return { namespace, ...describeIndex(`${restRoot()}/${namespace}`, args) };
  }

  /** @param routes of one path, at least one */
  #describeEndpoints(routes: readonly RestRoute[]): object {
    const { namespace, restRoot } = this.#api;
    const [{ path = '' } = {}] = routes;
    const href = `${restRoot()}/${namespace}${path}`;
    return {
      namespace,
      methods: [...new Set(routes.flatMap(listMethods))],
      endpoints: routes.map((route) => ({
        methods: listMethods(route),
        args: describeArgs(route),
      })),
      ...(path.includes('{') ? {} : { _links: { self: [{ href }] } }),
    };
  }

  #describeRoutes(): object {
    const self = `/${this.#api.namespace}`;
    const byPath = Map.groupBy(this.#listRoutes(), ({ path }) => path);
    const described = [...byPath].map(([path, routes]) => [
      self + toPathPattern(path, '?P'),
      this.#describeEndpoints(routes),
    ]);
    return { [self]: this.#describeNamespace(), ...Object.fromEntries(described) };
  }
}

const describeIndex = (href: string, args: object): object => ({
  methods: ['GET'],
  endpoints: [{ methods: ['GET'], args }],
  _links: { self: [{ href }] },
});

/** An empty list, not an object, if there are none, as in core. */
function describeArgs({ args }: RestRoute): object {
  const { properties = {}, required = [] } = (args ?? {}) as JsonSchema;
  const entries = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && !('default' in schema);
    return [name, { ...JSON.parse(JSON.stringify(schema)), required: isRequired }];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : [];
}
