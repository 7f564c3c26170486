import type { IncomingHttpHeaders } from 'node:http';
import type { TObject } from 'typebox';
import { databaseFault } from '../db/index.ts';
import { ApiError, DomainError } from '../errors.ts';
import type { Authenticate, Caller, User } from './caller.ts';
import { hasCapability } from './capabilities.ts';
import {
  forbidden,
  invalidNonce,
  NO_ROUTE,
  noRoute,
  notLoggedIn,
  restErrorBody,
  writeFailed,
} from './errors.ts';
import { parseFields, pickFields } from './fields.ts';
import {
  apiIndex,
  describeEndpoints,
  describeNamespace,
  describeRoot,
  namespaceIndex,
} from './index-document.ts';
import { forbiddenOrigin, isFromOtherOrigin, type OriginPolicy } from './origins.ts';
import { bodyParams, isForm, type Params, queryParams } from './params.ts';
import type { RawRequest, RawResponse, RequestHead } from './raw-request.ts';
import { readArgs } from './read-args.ts';
import {
  getRequiredCapability,
  listMethods,
  type RestResponse,
  type RestRoute,
  toPathPattern,
} from './route.ts';

const ENVELOPE = '_envelope';
const INDEX_ALLOWS = { allow: 'GET' };
export const JSON_TYPE = 'application/json; charset=UTF-8';

/** What a route answered, or the refusal in its place. */
interface Outcome extends RestResponse {
  status: number;
  headers: Record<string, string>;
  allowedOrigin?: string;
  nonce?: string;
  fault?: unknown;
}

interface Compiled {
  route: RestRoute;
  methods: readonly string[];
  pattern: RegExp;
}

/** What a request asks for, and who asks. */
interface Understood {
  method: string;
  query: Params;
  /** The routes of its path, and the one of its method as well. */
  matching: readonly Compiled[];
  found: Compiled | undefined;
  caller: Caller;
}

export interface RestApiOptions {
  /** As `svc/v1`. */
  namespace: string;
  name: string;
  description: string;
  restRoot: () => string;
  /** Where people give a program an application password. */
  authorizationUrl?: () => string;
  /** It has no index: it is there for one program. */
  isUnlisted?: true;
  authenticate: Authenticate;
  origins: OriginPolicy;
  /** Called where somebody is refused for want of good credentials; must not wait. */
  reportRefused: (headers: IncomingHttpHeaders, caller: Caller) => void;
  /** Turns what was thrown, and is no refusal, into one. */
  toApiError: (error: unknown) => ApiError;
}

/**
 * A REST API in the manner of WordPress core. Order of checks, as in core: route, permission, JSON,
 * missing parameters, invalid parameters, handler; the id of the path wins over any other.
 */
export class RestApi {
  readonly options: RestApiOptions;
  readonly #routes: Compiled[] = [];
  /** Those whose path is the same for all requests, by it. */
  readonly #byPath = new Map<string, Compiled[]>();

  constructor(options: RestApiOptions) {
    this.options = options;
  }

  get routes(): readonly RestRoute[] {
    return this.#routes.map(({ route }) => route);
  }

  /** The address of a path below the namespace, as `/vendors/7`. */
  addressOf(path: string): string {
    return `${this.options.restRoot()}/${this.options.namespace}${path}`;
  }

  /** Adds a route. */
  add<Args extends TObject>(route: RestRoute<Args>): void {
    const path = `/${this.options.namespace}${toPathPattern(route.path, '?')}`;
    const compiled = {
      // The handler's parameters are checked against `args` before it is called.
      route: route as unknown as RestRoute,
      methods: listMethods(route),
      pattern: new RegExp(`^${path}/?$`, 'i'),
    };
    this.#routes.push(compiled);
    if (!route.path.includes('{'))
      this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), compiled]);
  }

  /** Whether there is anything to answer a request with: told before its body is read. */
  hasRoute({ method, path, headers, target }: RequestHead): boolean {
    const effective = effectiveMethod({ method, headers }, queryParams(target));
    if (effective === 'OPTIONS') return true;
    if (this.#isIndex(path)) return effective === 'GET';
    return this.#matching(path).some(({ methods }) => methods.includes(effective));
  }

  /** Answers a request; never throws. */
  async answer(request: RawRequest): Promise<RawResponse> {
    const query = queryParams(request.target);
    return this.#toAnswer(await this.#run(request, query), request, query);
  }

  /**
   * Answers a request that was refused before it came here, because of its body for example; never
   * throws.
   */
  async refuse(request: RequestHead, error: unknown): Promise<RawResponse> {
    const query = queryParams(request.target);
    const { origin } = request.headers;
    const allowedOrigin = (await this.#isAllowed(origin).catch(() => false)) ? origin : undefined;
    const caller: Caller = { user: null, badNonce: false };
    const outcome = this.#toErrorResponse(error, {
      matching: this.#matching(request.path),
      caller,
    });
    const isFault = outcome.status === 500;
    return this.#toAnswer(
      {
        ...outcome,
        ...(allowedOrigin !== undefined && { allowedOrigin }),
        fault: isFault ? outcome.fault : undefined,
      },
      request,
      query,
    );
  }

  #toAnswer(outcome: Outcome, request: RequestHead, query: Params): RawResponse {
    const answer = this.#toWhole(outcome, query);
    // What the method of HTTP itself is, the server looks after.
    if (overrideOf(request, query) !== 'HEAD') return answer;
    const { chunks: _chunks, ...withoutBody } = answer;
    return { ...withoutBody, text: '' };
  }

  #toWhole(outcome: Outcome, query: Params): RawResponse {
    const { status, headers, fault, nonce, allowedOrigin } = outcome;
    const rest = {
      ...(fault !== undefined && { fault }),
      ...(nonce !== undefined && { nonce }),
      ...(allowedOrigin !== undefined && { allowedOrigin }),
    };
    if (outcome.stream) return { status, text: '', headers, ...outcome.stream, ...rest };
    const contentType = outcome.raw?.contentType ?? JSON_TYPE;
    const body = outcome.raw ? outcome.raw.text.toString() : this.#picked(outcome, query);
    if (ENVELOPE in query) {
      const text = JSON.stringify({ body, status, headers });
      return { status: 200, text, contentType: JSON_TYPE, headers: {}, ...rest };
    }
    const text =
      outcome.raw?.text ??
      (body === outcome.body ? outcome.json : undefined) ??
      (body === undefined ? '' : JSON.stringify(body));
    return { status, text, contentType, headers, ...rest };
  }

  /** The body with the fields that were asked for. */
  #picked({ status, body }: Outcome, { _fields }: Params): unknown {
    const names = status < 400 ? parseFields(_fields) : [];
    return names.length > 0 ? pickFields(body, names) : body;
  }

  async #run(request: RawRequest, query: Params): Promise<Outcome> {
    const matching = this.#matching(request.path);
    const method = effectiveMethod(request, query);
    const found = matching.find(({ methods }) => methods.includes(method));
    let caller: Caller = { user: null, badNonce: false };
    let allowedOrigin: string | undefined;
    const allow = () => (this.#isIndex(request.path) ? INDEX_ALLOWS : allowedTo(matching, caller));
    try {
      const { _wpnonce } = hasNonceInForm(request)
        ? { ...query, ...(await bodyParams(request.body, request.headers['content-type'])) }
        : query;
      const nonce = typeof _wpnonce === 'string' ? _wpnonce : undefined;
      // OPTIONS tells what the caller may do on any route of the path.
      const asked = method === 'OPTIONS' ? matching : found ? [found] : [];
      const needsUser = asked.some(({ route }) => route.access !== 'public');
      caller = await this.options.authenticate({ headers: request.headers, nonce, needsUser });
      const { origin } = request.headers;
      const isAllowed = origin !== undefined && this.options.origins.isAllowed(origin);
      // Most requests need not be waited for.
      if (typeof isAllowed === 'boolean' ? isAllowed : await isAllowed) allowedOrigin = origin;
      else this.#guard(request.headers, method, found, matching);
      const answer = await this.#dispatch(request, { method, query, matching, found, caller });
      const { status = 200, headers } = answer;
      return {
        ...answer,
        status,
        headers: { ...headers, ...allow() },
        ...(allowedOrigin !== undefined && { allowedOrigin }),
        ...renewed(caller),
      };
    } catch (error) {
      return {
        ...this.#toErrorResponse(error, { matching, caller }),
        ...(allowedOrigin !== undefined && { allowedOrigin }),
        ...renewed(caller),
      };
    }
  }

  #toErrorResponse(
    error: unknown,
    { matching, caller }: Pick<Understood, 'matching' | 'caller'>,
  ): Outcome {
    const refusal = error instanceof ApiError ? error : this.options.toApiError(error);
    const isAnswer = error instanceof ApiError || error instanceof DomainError;
    const fault = isAnswer ? error.cause : error;
    return {
      status: refusal.status,
      body: restErrorBody(refusal),
      headers: {
        // As in core: what is no route allows nothing.
        ...(refusal.code !== NO_ROUTE && allowedTo(matching, caller)),
        ...retryAfter(refusal),
      },
      ...(fault === undefined ? {} : { fault }),
    };
  }

  /**
   * Reports a page of an origin that is not allowed, and refuses it where the route says so. A preflight
   * is for any route of its path.
   * @throws RestError 403 `rest_forbidden_origin`
   */
  #guard(
    headers: IncomingHttpHeaders,
    method: string,
    found: Compiled | undefined,
    matching: readonly Compiled[],
  ): void {
    const isPreflight = method === 'OPTIONS';
    const asked = isPreflight ? matching.find(({ route }) => route.otherOrigins) : found;
    const otherOrigins = asked?.route.otherOrigins;
    if (otherOrigins === undefined || !isFromOtherOrigin(headers)) return;
    if (headers.origin !== undefined) this.options.origins.reportRefused(headers.origin);
    if (otherOrigins === 'refused' && !isPreflight) throw forbiddenOrigin(headers.origin);
  }

  async #isAllowed(origin: string | undefined): Promise<boolean> {
    return origin !== undefined && this.options.origins.isAllowed(origin);
  }

  #matching(path: string): readonly Compiled[] {
    return this.#byPath.get(path) ?? this.#routes.filter(({ pattern }) => pattern.test(path));
  }

  async #dispatch(
    request: RawRequest,
    { method, query, matching, found, caller }: Understood,
  ): Promise<RestResponse> {
    if (method === 'OPTIONS') {
      return { body: this.#describe(request.path, matching) };
    }
    if (method === 'GET' && this.#isIndex(request.path)) return { body: this.#index(request.path) };
    if (!found) throw noRoute();
    const { route, pattern } = found;
    if (!caller.user && route.access !== 'public')
      this.options.reportRefused(request.headers, caller);
    assertAllowed(route, caller);

    const body = await bodyParams(request.body, request.headers['content-type']);
    const params = { ...query, ...body };
    const args = route.readsItself ? ({} as never) : readArgs(params, route.args);
    const places = route.path.includes('{') ? pattern.exec(request.path)?.groups : undefined;
    const { id: digits = '0', ...names } = places ?? {};
    const [key = ''] = Object.values(names);
    // More digits than an id can have name nothing.
    const id = digits.length > 15 ? 0 : Number(digits);
    const { target, headers, client } = request;
    const { restRoot } = this.options;
    try {
      return await route.handle({
        args,
        id,
        key,
        user: caller.user,
        headers,
        read: (schema) => readArgs(params, schema),
        // Made when asked for, as most handlers do without. Functions and no getters: those give each
        // object a hidden class of its own, which holds the request until V8's next full collection.
        client,
        url: () => new URL(target, restRoot()),
      });
    } catch (error) {
      const fault = databaseFault(error);
      const isRefused = fault === 'fault' || fault === 'unwritable';
      throw isRefused && route.method !== 'GET' ? writeFailed(route.method, error) : error;
    }
  }

  /** What `OPTIONS` says of a path: an empty list where nothing is, as in core. */
  #describe(path: string, matching: readonly Compiled[]): object {
    if (this.#isIndex(path))
      return isRoot(path) ? describeRoot(this.options) : describeNamespace(this.options);
    const routes = matching.map(({ route }) => route);
    return routes.length > 0 ? describeEndpoints(this.options, routes) : [];
  }

  #isIndex(path: string): boolean {
    const { namespace, isUnlisted } = this.options;
    if (isUnlisted || path.length > namespace.length + 2) return false;
    return isRoot(path) || path.toLowerCase().replace(/\/$/, '') === `/${namespace}`;
  }

  #index(path: string): object {
    return isRoot(path)
      ? apiIndex(this.options, this.routes)
      : namespaceIndex(this.options, this.routes);
  }
}

/** When asking again makes sense, in seconds. */
function retryAfter(refusal: ApiError): Record<string, string> {
  const { status } = refusal;
  const { retry_after: seconds = 60 } = refusal.details as { retry_after?: number };
  if (status === 429) return { 'retry-after': String(seconds) };
  return status === 503 ? { 'retry-after': '5' } : {};
}

const isRoot = (path: string): boolean => path === '' || path === '/';

type Head = Pick<RawRequest, 'method' | 'headers'>;

/** HEAD is a GET without its body. */
function effectiveMethod(request: Head, query: Params): string {
  const method = overrideOf(request, query) ?? request.method;
  return method === 'HEAD' ? 'GET' : method;
}

/** The method that a POST stands for, as behind firewalls that know two. */
function overrideOf({ method, headers }: Head, query: Params): string | undefined {
  const override = query._method ?? headers['x-http-method-override'];
  return method === 'POST' && typeof override === 'string' ? override.toUpperCase() : undefined;
}

/** Whether a nonce may come in the body: core reads it from PHP's `$_REQUEST`. Without a cookie it proves nothing. */
const hasNonceInForm = ({ method, headers }: Head): boolean =>
  method === 'POST' && headers.cookie !== undefined && isForm(headers['content-type']);

/**
 * @throws RestError 403 `rest_cookie_invalid_nonce`, 401 or 403 `rest_forbidden`; 401
 * `rest_not_logged_in` where anybody who is signed in may come
 */
function assertAllowed(route: RestRoute, { user, badNonce: nonceIsBad }: Caller): void {
  if (route.access === 'public') return;
  if (nonceIsBad) throw invalidNonce();
  if (!user) throw route.access === 'user' ? notLoggedIn() : forbidden(401);
  if (!mayUse(route, user)) throw forbidden(403);
}

function mayUse(route: RestRoute, user: User | null): boolean {
  if (route.access === 'public') return true;
  const needed = getRequiredCapability(route);
  return user !== null && (needed === undefined || hasCapability(user, needed));
}

const renewed = ({ nonce }: Caller): { nonce?: string } => (nonce === undefined ? {} : { nonce });

/** The methods of a path that this caller may use; none at all, no header. */
function allowedTo(routes: readonly Compiled[], { user }: Caller): Record<string, string> {
  const methods = new Set<string>();
  for (const { route, methods: its } of routes)
    if (mayUse(route, user)) for (const method of its) methods.add(method);
  return methods.size > 0 ? { allow: [...methods].join(', ') } : {};
}
