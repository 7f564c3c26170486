import type { IncomingMessage } from 'node:http';
import { isLoopback } from './client-address.ts';

/** Headers that proxies and content delivery networks add to what they forward. */
const FORWARDING =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-(?:cluster-)?client-ip|true-client-ip|client-ip|cf-.*|cdn-.*|fastly-.*|fly-.*|x-original-.*|x-envoy-.*|x-appengine-.*|x-azure-.*|x-amz(?:n)?-.*|x-proxyuser-ip|x-remote-(?:ip|addr)|proxy-connection)$/;
/** A port, and the name or address of this machine; RFC 6761 §6.3 for names below `localhost`. */
const LOOPBACK_HOST =
  /^(?:(?:[a-z0-9-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a request was sent by a program on this machine. One that a proxy forwards is not, and neither is one of a
 * web page whose host name was made to lead here (DNS rebinding): its Host header is not this machine's.
 */
export function isLocalRequest({ socket, headers }: IncomingMessage): boolean {
  return (
    isLoopback(socket.remoteAddress) &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}
