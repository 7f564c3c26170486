import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { User } from './caller.ts';
import type { Capability } from './capabilities.ts';

type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a handler gets: parameters that have been read and checked. */
export interface RestRequest<Args> {
  args: Args;
  /** The number in the path; 0 where the path has none. */
  id: number;
  /** What names an item in the path by something else than a number; empty where nothing does. */
  key: string;
  /** Null on public routes for the unsigned. */
  user: User | null;
  /** The URL that was asked for, for links to further pages. */
  url: () => URL;
  headers: IncomingHttpHeaders;
  /** Who calls, as limits count: see `clientAddress`. */
  client: () => string;
  /**
   * Reads parameters by a schema, for a route with `readsItself`.
   * @throws RestError 400 for missing ones and those that do not fit
   */
  read<T extends TObject>(schema: T): Static<T>;
}

/** A body that many will ask for, made ready once. */
export interface PrebuiltBody {
  body: unknown;
  /** In ASCII. */
  json: string;
  headers: Record<string, string>;
}

export interface RestResponse {
  status?: number;
  body?: unknown;
  /** The body as it goes out, where that is at hand. */
  json?: string;
  /** A text of another type in place of the JSON body. */
  raw?: { contentType: string; text: string | Buffer };
  /** A long text in pieces in place of the body. */
  stream?: { contentType: string; chunks: AsyncIterable<string> };
  headers?: Record<string, string>;
}

/**
 * A route of the plugin REST API, and all there is to say of it: validation, permission, `OPTIONS`,
 * the index, `Allow` and OpenAPI follow from it. It needs `manage_options` unless it names another
 * capability, `public`, or `user` for any signed-in user.
 */
export interface RestRoute<Args extends TObject = TObject> {
  /** `PUT` updates an item, and stands for PATCH and POST to the item as well. */
  method: RestMethod;
  /** Below the namespace, as `/vendors/{id}`; `{id}` is a number, and any other name a word. */
  path: string;
  access?: 'public' | 'user' | Capability;
  /**
   * What a page of an origin that is not allowed gets: `refused`, a 403; `reported`, the answer, which
   * its browser keeps from it for want of CORS headers. The origin is reported in both cases.
   */
  otherOrigins?: 'refused' | 'reported';
  /** Asked all the time, so answered before Fastify. Only for a path without places. */
  hot?: true;
  /** Of a public, hot GET without parameters: its answer, where that is at hand and the same for all. */
  ready?: () => PrebuiltBody | undefined;
  summary: string;
  args?: Args;
  /** Headers that the handler reads, as they are described; it checks them itself. */
  requestHeaders?: TObject;
  /** The handler has an order of its own in which it reads the parameters; `args` only describes them. */
  readsItself?: true;
  /** The answers by status, errors of the conventions excepted; null has no body. */
  answers: Record<number, TSchema | null>;
  /** The codes of refusals beside those of the conventions, by status. */
  refusals?: Record<number, string>;
  /** What a success may send in headers beside those of the conventions. */
  answerHeaders?: readonly ('ETag' | 'Location' | 'Set-Cookie')[];
  /** Content types that a 200 may have in place of JSON. */
  texts?: readonly string[];
  handle(request: RestRequest<Static<Args>>): Promise<RestResponse>;
}

/** The capability that a route needs; undefined where it needs none. */
export const getRequiredCapability = ({
  access = 'manage_options',
}: Pick<RestRoute, 'access'>): Capability | undefined =>
  access === 'public' || access === 'user' ? undefined : access;

/** The methods a route answers to, as core lists them. */
export function listMethods({ method }: Pick<RestRoute, 'method'>): string[] {
  return method === 'PUT' ? ['POST', 'PUT', 'PATCH'] : [method];
}

/** The places of a path, with what may stand there. */
export const listPathParameters = (path: string): { name: string; pattern: string }[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    pattern: name === 'id' ? '\\d+' : '[\\w\\-]+',
  }));

/**
 * The route's path with a named group in each place.
 * @param mark what begins the name of a group: PHP's `?P`, as core's index shows it, or our `?`
 */
export const toPathPattern = (path: string, mark: '?P' | '?'): string =>
  listPathParameters(path).reduce(
    (pattern, place) =>
      pattern.replace(`{${place.name}}`, `(${mark}<${place.name}>${place.pattern})`),
    path,
  );
