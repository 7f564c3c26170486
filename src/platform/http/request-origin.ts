import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { type AddressRange, clientAddress } from './client-address.ts';

/** Where the request comes from that is being answered. */
interface RequestOrigin {
  /** As limits count: see `clientAddress`. */
  address: string;
  userAgent: string | null;
}

const origins = new AsyncLocalStorage<() => RequestOrigin>();

/**
 * Answers a request, so that the security log knows its origin however deep in the call the event is
 * recorded, within a transaction for example.
 * @param origin called for the first event; most requests have none
 */
export const withRequestOrigin = <T>(origin: () => RequestOrigin, work: () => T): T =>
  origins.run(origin, work);

/** The origin of a request, as its socket, trusted proxies and headers say. */
export const readRequestOrigin = (
  { headers, socket }: IncomingMessage,
  trustedProxies: readonly AddressRange[],
): RequestOrigin => ({
  address: clientAddress(
    socket.remoteAddress,
    headers['x-forwarded-for'] as string | undefined,
    trustedProxies,
  ),
  userAgent: headers['user-agent'] ?? null,
});

/** The origin of the request that is being answered; undefined in commands and background work. */
export const requestOrigin = (): RequestOrigin | undefined => origins.getStore()?.();
