import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { type AddressRange, getClientAddress, getClientIp } from './client-address.ts';

interface RequestClient {
  /** See `clientAddress`. */
  address: string;
  /** The whole address; undefined if it cannot be read. */
  ip: string | undefined;
  userAgent: string | null;
}

const clients = new AsyncLocalStorage<() => RequestClient>();

/**
 * Runs the handling of a request, so that the security log knows its client wherever an event is recorded.
 * @param client called when an event is recorded; most requests have none
 */
export const withClient = <T>(client: () => RequestClient, work: () => T): T =>
  clients.run(client, work);

export const readClient = (
  request: IncomingMessage,
  trustedProxies: readonly AddressRange[],
): RequestClient => ({
  address: getClientAddress(request, trustedProxies),
  ip: getClientIp(request, trustedProxies),
  userAgent: request.headers['user-agent'] ?? null,
});

/** Undefined in commands and background work. */
export const currentClient = (): RequestClient | undefined => clients.getStore()?.();
