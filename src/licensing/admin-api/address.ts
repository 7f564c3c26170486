import type { IncomingMessage } from 'node:http';

const CONSOLE = '/admin/';
/** The address in version 0.2.0. */
const EARLIER = '/admin-api/';
/** Addresses that pages of the console have as well. */
const SHARED = /^\/admin\/licences(?:[/?]|$)/;

/**
 * The URL under which a request to the Administration API or to the console is routed: both are at `/admin/`. A browser
 * that opens an address gets the page, every other client the API.
 * @param prefix the path of the Licence API, without a trailing slash
 * @returns undefined if the URL stays as it is
 */
export function toAdminUrl(request: IncomingMessage, prefix: string): string | undefined {
  const { url = '/' } = request;
  if (url.startsWith(prefix + EARLIER))
    return prefix + CONSOLE + url.slice(prefix.length + EARLIER.length);
  return prefix === '' && SHARED.test(url) && asksForPage(request) ? CONSOLE : undefined;
}

const asksForPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  /\btext\/html\b/i.test(headers.accept ?? '');
