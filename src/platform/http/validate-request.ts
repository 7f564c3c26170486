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
