import type { IncomingMessage } from 'node:http';
import { HEADERS_MAX_LENGTH } from './limits.ts';

/**
 * 431 if request line and headers are too large, 400 if HTTP/1.1 comes without exactly one Host (RFC 9112 §3.2). Node's
 * own checks answer without a body, so its limits are wider.
 */
export function getProtocolError({
  url = '',
  httpVersionMinor,
  rawHeaders,
}: IncomingMessage): 400 | 431 | undefined {
  let length = url.length;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    length += name.length + (rawHeaders[at + 1] as string).length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (length > HEADERS_MAX_LENGTH) return 431;
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0) ? undefined : 400;
}

/**
 * Whether a request has a header, without `headers`, which Node builds on first access.
 * @param name in lower case
 */
export function hasHeader({ rawHeaders }: IncomingMessage, name: string): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (given.length === name.length && given.toLowerCase() === name) return true;
  }
  return false;
}

/**
 * The value of a header that a request has once, without `headers`.
 * @param name in lower case
 * @returns undefined if the header is absent or repeated
 */
export function findOnlyHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[at + 1];
  }
  return found;
}
