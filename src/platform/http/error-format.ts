import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ApiError } from '../errors.ts';

/** A Fastify instance whose handlers' types come from their schemas. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The prefix of an API and how it formats errors. */
export interface ErrorFormat {
  /** Path prefix without a trailing slash; empty for the root. */
  readonly prefix: string;
  formatError(error: ApiError): object;
  /** The API's code for an error of the HTTP layer. */
  getCode(status: number): string;
  /** The error for an unknown path or method. `allowed`: the methods of the path. */
  createRouteError(allowed: readonly string[]): ApiError;
}

export type ErrorFormats = readonly [ErrorFormat, ...ErrorFormat[]];

/** The format with the longest matching prefix, else the first. */
export function findErrorFormat(url: string, formats: ErrorFormats): ErrorFormat {
  const path = getPath(url);
  let found = formats[0];
  for (const format of formats) {
    const within = path === format.prefix || path.startsWith(`${format.prefix}/`);
    if (within && format.prefix.length >= found.prefix.length) found = format;
  }
  return found;
}

/** The path of a request target as routes see it: unescaped, without origin and query (which may hold a key). */
export function getPath(target: string): string {
  const query = target.indexOf('?');
  const whole = query === -1 ? target : target.slice(0, query);
  const path = whole.startsWith('/') ? whole : whole.replace(/^https?:\/\/[^/]*/i, '') || '/';
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
