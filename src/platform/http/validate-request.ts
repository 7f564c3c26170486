import type { IncomingMessage } from 'node:http';
import { HEADERS_MAX_LENGTH } from './limits.ts';

/**
 * What is wrong with a request line and headers that Node's parser has let pass: 431 if they are too
 * large, 400 if HTTP/1.1 comes without exactly one Host (RFC 9112 §3.2). Node's own checks answer
 * with an empty body, so its limits are set wider and ours hold.
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
 * Whether a request has a header, without `headers`: that is an object of all of them, which Node
 * makes when it is first asked for.
 * @param name in lower case
 */
export function hasHeader({ rawHeaders }: IncomingMessage, name: string): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (given.length === name.length && given.toLowerCase() === name) return true;
  }
  return false;
}
