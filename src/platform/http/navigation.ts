import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser shows the response as a page. Over http, browsers send `Sec-Fetch-Mode` to this machine only (Fetch
 * Metadata §2).
 */
export const isNavigation = ({
  headers,
  method,
}: {
  headers: IncomingHttpHeaders;
  method: string;
}): boolean =>
  headers['sec-fetch-mode'] === undefined
    ? method === 'GET' && /^text\/html\b/.test(headers.accept ?? '')
    : headers['sec-fetch-mode'] === 'navigate';
