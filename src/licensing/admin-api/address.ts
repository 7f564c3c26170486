import type { IncomingMessage } from 'node:http';

const CONSOLE = '/admin/';
/** The address in version 0.2.0. */
const EARLIER = '/admin-api/';
const LICENCES = /^licences(?:[/?]|$)/;

/**
 * The URL under which a request to the Administration API or to the console is routed: both are at `/admin/`. A browser
 * that opens an address gets the page, every other client the API.
 * @param prefix the path of the Licence API, without a trailing slash
 * @returns undefined if the URL stays as it is
 */
export function toAdminUrl(request: IncomingMessage, prefix: string): string | undefined {
  const { url = '/' } = request;
  const earlier = prefix + EARLIER;
  if (url.startsWith(earlier) && LICENCES.test(url.slice(earlier.length)))
    return prefix + CONSOLE + url.slice(earlier.length);
  const isShared =
    prefix === '' && url.startsWith(CONSOLE) && LICENCES.test(url.slice(CONSOLE.length));
  return isShared && asksForPage(request) ? CONSOLE : undefined;
}

const asksForPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  /\btext\/html\b/i.test(headers.accept ?? '');
