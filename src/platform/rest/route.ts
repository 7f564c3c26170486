import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { User } from '../auth/caller.ts';

type RestMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a handler gets: parameters that have been read and checked. */
export interface RestRequest<Args> {
  args: Args;
  /** The number in the path; 0 where the path has none. */
  id: number;
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
export interface Prepared {
  body: unknown;
  /** In ASCII. */
  json: string;
  headers: Record<string, string>;
}

export interface RestAnswer {
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
 * the index, `Allow` and OpenAPI follow from it. For administrators unless it says `public`.
 */
export interface RestRoute<Args extends TObject = TObject> {
  /** `PUT` updates an item, and stands for PATCH and POST to the item as well. */
  method: RestMethod;
  /** Below the namespace, as `/vendors/{id}`; `{id}` is a number. */
  path: string;
  access?: 'public';
  /** Asked all the time, so answered before Fastify. Only for a path without `{id}`. */
  hot?: true;
  /** Of a public, hot GET without parameters: its answer, where that is at hand and the same for all. */
  ready?: () => Prepared | undefined;
  summary: string;
  args?: Args;
  /** The handler has an order of its own in which it reads the parameters; `args` only describes them. */
  readsItself?: true;
  /** The answers by status, errors of the conventions excepted; null has no body. */
  answers: Record<number, TSchema | null>;
  /** The codes of refusals beside those of the conventions, by status. */
  refusals?: Record<number, string>;
  /** Content types that a 200 may have in place of JSON. */
  texts?: readonly string[];
  handle(request: RestRequest<Static<Args>>): Promise<RestAnswer>;
}

/** The methods a route answers to, as core lists them. */
export function methodsOf({ method }: Pick<RestRoute, 'method'>): string[] {
  return method === 'PUT' ? ['POST', 'PUT', 'PATCH'] : [method];
}

/** The route's path as core's index shows it: with named groups. */
export const patternOf = (path: string): string => path.replace(/\{(\w+)\}/g, '(?P<$1>\\d+)');
