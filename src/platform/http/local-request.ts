import type { IncomingMessage } from 'node:http';
import { isLoopback } from './client-address.ts';
import { isForwardingHeader } from './forwarding-headers.ts';

/** A port, and the name or address of this machine; RFC 6761 §6.3 for names below `localhost`. */
const LOOPBACK_HOST =
  /^(?:(?:[a-z0-9-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a program on this machine sent a request. A forwarded request does not count, nor one of a web page whose host
 * name resolves to this machine (DNS rebinding), which the Host header shows.
 */
export function isLocalRequest({ socket, headers }: IncomingMessage): boolean {
  return (
    isLoopback(socket.remoteAddress) &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some(isForwardingHeader)
  );
}
