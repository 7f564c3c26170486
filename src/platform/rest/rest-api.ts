import type { TObject } from 'typebox';
import { databaseFault, isReadOnlyServer } from '../db/index.ts';
import { ApiError, DomainError } from '../errors.ts';
import { assertAccess, getUser, listAllowedMethods } from './access.ts';
import { type Caller, NOBODY } from './caller.ts';
import { findConsolePage } from './console-page.ts';
import { MissingScopeError, NO_ROUTE, noRoute, restErrorBody, writeFailed } from './errors.ts';
import { ApiIndex } from './index-document.ts';
import type { RestApiOptions } from './options.ts';
import { assertOrigin } from './origins.ts';
import { bodyParams, NO_PARAMS, type Params, queryParams } from './params.ts';
import type { RawRequest, RawResponse, RequestHead } from './raw-request.ts';
import { readArgs } from './read-args.ts';
import { getMethod, hasNonceInForm } from './request-method.ts';
import { ENVELOPE, type Outcome, toRawResponse } from './response.ts';
import { listMethods, type RestResponse, type RestRoute, toPathPattern } from './route.ts';

interface CompiledRoute extends RestRoute {
  methods: readonly string[];
  pattern: RegExp;
}

/** What is known of a request before its route is called. */
interface Lookup {
  method: string;
  query: Params;
  /** The routes of its path. */
  routes: readonly RestRoute[];
  found: CompiledRoute | undefined;
}

/**
 * A REST API by the conventions of WordPress core. Checks in core's order: route, permission, JSON, missing parameters,
 * invalid parameters, handler. The id in the path takes precedence over a parameter.
 */
export class RestApi {
  readonly options: RestApiOptions;
  readonly #routes: CompiledRoute[] = [];
  /** Routes without path parameters. */
  readonly #byPath = new Map<string, CompiledRoute[]>();
  readonly #index: ApiIndex;

  constructor(options: RestApiOptions) {
    this.options = options;
    this.#index = new ApiIndex(options, () => this.routes);
  }

  get routes(): readonly RestRoute[] {
    return this.#routes;
  }

  /** The URL of a path below the namespace. */
  getUrl(path: string): string {
    return `${this.options.restRoot()}/${this.options.namespace}${path}`;
  }

  add<Args extends TObject>(route: RestRoute<Args>): void {
    const path = `/${this.options.namespace}${toPathPattern(route.path, '?')}`;
    const compiled = {
      // The parameters are checked against `args` before the handler is called.
      ...(route as unknown as RestRoute),
      methods: listMethods(route),
      pattern: new RegExp(`^${path}/?$`, 'i'),
    };
    this.#routes.push(compiled);
    if (!route.path.includes('{'))
      this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), compiled]);
  }

  /** Whether a request has a route, before its body is read. */
  hasRoute(request: RequestHead): boolean {
    const method = getMethod(request, queryParams(request.target));
    if (method === 'OPTIONS') return true;
    if (this.#index.has(request.path)) return method === 'GET';
    return this.#match(request.path).some(({ methods }) => methods.includes(method));
  }

  /** Never throws. */
  async answer(request: RawRequest): Promise<RawResponse> {
    const query = queryParams(request.target);
    return toRawResponse(await this.#run(request, query), request, query);
  }

  /** The response to a request that was refused earlier, for example because of its body; never throws. */
  async refuse(request: RequestHead, error: unknown): Promise<RawResponse> {
    const { origin } = request.headers;
    const isAllowed =
      origin !== undefined &&
      (await (async () => this.options.origins.isAllowed(origin))().catch(() => false));
    const routes = this.#match(request.path);
    const outcome = {
      ...this.#toErrorOutcome(error, routes, NOBODY),
      allowedOrigin: isAllowed ? origin : undefined,
      nonce: undefined,
    };
    // Other faults are logged where they were thrown.
    if (outcome.status !== 500) outcome.fault = undefined;
    return toRawResponse(outcome, request, queryParams(request.target));
  }

  async #run(request: RawRequest, query: Params): Promise<Outcome> {
    const routes = this.#match(request.path);
    const method = getMethod(request, query);
    const found = routes.find(({ methods }) => methods.includes(method));
    let caller = NOBODY;
    let allowedOrigin: string | undefined;
    try {
      // OPTIONS lists what the caller may do on any route of the path.
      const asked = method === 'OPTIONS' ? routes : found ? [found] : [];
      caller = await this.#authenticate(request, query, asked);
      const { origin } = request.headers;
      const isAllowed = origin !== undefined && this.options.origins.isAllowed(origin);
      // Most requests need no await.
      if (typeof isAllowed === 'boolean' ? isAllowed : await isAllowed) allowedOrigin = origin;
      else assertOrigin(this.options.origins, request.headers, method, asked);
      const response = await this.#dispatch(request, { method, query, routes, found }, caller);
      const allow = this.#index.has(request.path) ? 'GET' : listAllowedMethods(routes, caller);
      return {
        ...response,
        status: response.status ?? 200,
        headers: { ...response.headers, ...(allow && { allow }) },
        allowedOrigin,
        nonce: caller.nonce,
      };
    } catch (error) {
      if (error instanceof MissingScopeError && caller.user)
        this.options.reportMissingScope(caller.user, error.scope);
      if (method === 'GET' && caller.user === null && isRefusal(error)) {
        const location = findConsolePage(request, query, this.options.consolePath);
        if (location)
          return { status: 302, headers: { location }, allowedOrigin, nonce: undefined };
      }
      return { ...this.#toErrorOutcome(error, routes, caller), allowedOrigin, nonce: caller.nonce };
    }
  }

  async #authenticate(
    request: RawRequest,
    query: Params,
    asked: readonly RestRoute[],
  ): Promise<Caller> {
    const { headers, body } = request;
    const { _wpnonce } = hasNonceInForm(request)
      ? { ...query, ...(await bodyParams(body, headers['content-type'])) }
      : query;
    const nonce = typeof _wpnonce === 'string' ? _wpnonce : undefined;
    const needsUser = asked.some(({ access }) => access !== 'public');
    return this.options.authenticate({ headers, nonce, needsUser });
  }

  async #dispatch(
    request: RawRequest,
    { method, query, routes, found: route }: Lookup,
    caller: Caller,
  ): Promise<RestResponse> {
    const { path, target, headers, client, country = () => undefined } = request;
    if (method === 'OPTIONS') return { body: this.#index.describe(path, routes) };
    if (method === 'GET' && this.#index.has(path)) {
      await bodyParams(request.body, headers['content-type']);
      return { body: await this.#index.get(path) };
    }
    if (!route) throw noRoute();
    const user = getUser(route, caller);
    const isKnown = user !== null || caller.lacksSecondFactor !== undefined;
    if (!isKnown && route.access !== 'public') this.options.reportRefused(headers, caller);
    assertAccess(route, caller);

    const readsItself = route.readsItself === true;
    const given = readsItself ? {} : bodyParams(request.body, headers['content-type']);
    const inBody = given instanceof Promise ? await given : given;
    const params = query === NO_PARAMS ? inBody : { ...query, ...inBody };
    let own: Params | undefined;
    const places = route.path.includes('{') ? route.pattern.exec(path)?.groups : undefined;
    const { id: digits = '0', ...names } = places ?? {};
    const [key = ''] = Object.values(names);
    const { restRoot } = this.options;
    const args = readsItself ? ({} as never) : readArgs(params, route.args);
    try {
      return await route.handle({
        args,
        // No id has more digits.
        id: digits.length > 15 ? 0 : Number(digits),
        key,
        user,
        sessionId: caller.sessionId,
        // An envelope has the whole response, as in core, which has no conditional requests.
        headers: ENVELOPE in query ? { ...headers, 'if-none-match': undefined } : headers,
        read: async (schema) => {
          own ??= { ...query, ...(await bodyParams(request.body, headers['content-type'])) };
          return readArgs(own, schema);
        },
        // Functions, because most handlers need neither. Getters would give each object a hidden class of its own,
        // which retains the request until V8's next full collection.
        client,
        country,
        url: () => new URL(target, restRoot()),
      });
    } catch (error) {
      const fault = databaseFault(error);
      // A server that only reads is about to be replaced by the new leader: 503, try again.
      const isRefused = fault === 'fault' || (fault === 'unwritable' && !isReadOnlyServer(error));
      throw isRefused && route.method !== 'GET' ? writeFailed(route.method, error) : error;
    }
  }

  #toErrorOutcome(error: unknown, routes: readonly RestRoute[], caller: Caller) {
    const refusal = error instanceof ApiError ? error : this.options.toApiError(error);
    const isExpected = error instanceof ApiError || error instanceof DomainError;
    // Like WordPress core: an unknown route allows nothing.
    const allow = refusal.code === NO_ROUTE ? '' : listAllowedMethods(routes, caller);
    return {
      status: refusal.status,
      body: restErrorBody(refusal),
      headers: { ...(allow && { allow }), ...describeRetry(refusal) } as Record<string, string>,
      fault: isExpected ? error.cause : error,
    };
  }

  #match(path: string): readonly CompiledRoute[] {
    return this.#byPath.get(path) ?? this.#routes.filter(({ pattern }) => pattern.test(path));
  }
}

/** The caller may not use the route. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/** `Retry-After`, in seconds. */
function describeRetry(refusal: ApiError): object {
  if (refusal.status !== 429 && refusal.status !== 503) return {};
  const usual = refusal.status === 503 ? 5 : 60;
  const { retry_after: seconds = usual } = refusal.details as { retry_after?: number };
  return { 'retry-after': String(seconds) };
}
