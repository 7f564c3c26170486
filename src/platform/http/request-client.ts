import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { type AddressRange, clientAddress, clientIp } from './client-address.ts';

/** Who sends the request that is being answered. */
interface RequestClient {
  /** As limits count: see `clientAddress`. */
  address: string;
  /** The whole address; undefined if it cannot be read. */
  ip: string | undefined;
  userAgent: string | null;
}

const clients = new AsyncLocalStorage<() => RequestClient>();

/**
 * Answers a request, so that the security log knows its client however deep in the call the event is
 * recorded, within a transaction for example.
 * @param client called for the first event; most requests have none
 */
export const withClient = <T>(client: () => RequestClient, work: () => T): T =>
  clients.run(client, work);

/** The client of a request, as its socket, trusted proxies and headers say. */
export const readClient = (
  { headers, socket }: IncomingMessage,
  trustedProxies: readonly AddressRange[],
): RequestClient => ({
  address: clientAddress(
    socket.remoteAddress,
    headers['x-forwarded-for'] as string | undefined,
    trustedProxies,
  ),
  ip: clientIp(
    socket.remoteAddress,
    headers['x-forwarded-for'] as string | undefined,
    trustedProxies,
  ),
  userAgent: headers['user-agent'] ?? null,
});

/** The client of the request that is being answered; undefined in commands and background work. */
export const currentClient = (): RequestClient | undefined => clients.getStore()?.();
