import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { User } from './caller.ts';
import type { Capability } from './capabilities.ts';
import type { Refusal } from './refusals.ts';
import type { Scope } from './scopes.ts';

/** What a handler receives, after validation. */
export interface RestRequest<Args> {
  args: Args;
  /** The number in the path; 0 if there is none. */
  id: number;
  /** The other path parameter; empty if there is none. */
  key: string;
  /** Null for callers who are not signed in, on public routes. */
  user: User | null;
  /** Undefined for callers without a session of the console. */
  sessionId: number | undefined;
  url: () => URL;
  headers: IncomingHttpHeaders;
  /** See `clientAddress`. */
  client: () => string;
  /** ISO 3166-1 alpha-2; undefined if it is unknown. Never stored or logged. */
  country: () => string | undefined;
  /**
   * Reads parameters, for a route with `readsItself`.
   * @throws ApiError 400 for a malformed body, for missing and invalid ones
   */
  read<T extends TObject>(schema: T): Promise<Static<T>>;
}

/** A body that is serialised once for many requests. */
export interface PrebuiltBody {
  body: unknown;
  /** In ASCII. */
  json: string;
  headers: Record<string, string>;
}

export interface RestResponse {
  status?: number;
  body?: unknown;
  /** The serialised body, if it is known. */
  json?: string;
  /** In place of the JSON body. */
  raw?: { contentType: string; text: string | Buffer };
  stream?: { contentType: string; chunks: AsyncIterable<string | Uint8Array> };
  headers?: Record<string, string>;
}

/** A route of the plugin API. Validation, permission, `OPTIONS`, the index, `Allow` and OpenAPI follow from it. */
export interface RestRoute<Args extends TObject = TObject> {
  /** `PUT` updates an item, and stands for PATCH and POST to the item as well. */
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the namespace, for example `/vendors/{id}`; `{id}` is a number, `{tile}` the rest of a path, any other parameter a word. */
  path: string;
  /** `user`: every signed-in user. Default: `manage_options`. */
  access?: 'public' | 'user' | Capability;
  /** For a public route: the setting without which its handler refuses callers without `read_privacy`. */
  publicSetting?: string;
  /** Also for users who must set up a second factor first. */
  forSecondFactorSetup?: true;
  /** What a limited application password needs. Default: see `getRequiredScope`. */
  scope?: Scope;
  /**
   * For pages of origins that are not allowed: `refused` answers 403, `reported` answers without CORS headers. Both
   * report the origin.
   */
  otherOrigins?: 'refused' | 'reported';
  /** Answered before Fastify; only for a path without parameters. */
  hot?: true;
  /** The response of a public, hot GET without parameters, if it is the same for all and at hand. */
  ready?: () => PrebuiltBody | undefined;
  summary: string;
  args?: Args;
  /** Headers that the handler reads and checks. */
  requestHeaders?: TObject;
  /** The handler reads the parameters in its own order; `args` only describes them. */
  readsItself?: true;
  /** Successful responses by status; null has no body. */
  answers: Record<number, TSchema | null>;
  /** What it answers with error statuses beside what every route does. */
  refusals?: Readonly<Record<number, Refusal>>;
  /** Response headers beside those of the conventions. */
  answerHeaders?: readonly ('ETag' | 'Location' | 'Set-Cookie')[];
  /** Content types of a 200 in place of JSON. */
  texts?: readonly string[];
  handle(request: RestRequest<Static<Args>>): Promise<RestResponse>;
}

/** Undefined where none is required. */
export const getRequiredCapability = ({
  access = 'manage_options',
}: Pick<RestRoute, 'access'>): Capability | undefined =>
  access === 'public' || access === 'user' ? undefined : access;

const METHODS = {
  GET: ['GET'],
  POST: ['POST'],
  PUT: ['POST', 'PUT', 'PATCH'],
  DELETE: ['DELETE'],
} as const;

/** The HTTP methods of a route, as core lists them. */
export const listMethods = ({ method }: Pick<RestRoute, 'method'>): readonly string[] =>
  METHODS[method];

const PATTERNS: Record<string, string> = {
  id: '\\d+',
  // Several parts of a path, or one with `%2F`: see C2SP tlog-tiles.
  tile: '[\\w./%]+',
};

export const listPathParameters = (path: string): { name: string; pattern: string }[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    pattern: PATTERNS[name] ?? '[\\w\\-]+',
  }));

/**
 * The path as a regular expression with named groups.
 * @param mark starts a group: PHP's `?P`, as in core's index, or JavaScript's `?`
 */
export const toPathPattern = (path: string, mark: '?P' | '?'): string =>
  listPathParameters(path).reduce(
    (found, { name, pattern }) => found.replace(`{${name}}`, `(${mark}<${name}>${pattern})`),
    path,
  );
