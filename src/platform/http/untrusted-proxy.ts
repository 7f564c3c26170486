import type { IncomingHttpHeaders } from 'node:http';
import { findFact, recordFact } from '../db/index.ts';
import type { Platform } from '../deps.ts';
import { type AddressRange, isTrustedProxy } from './client-address.ts';
import { CLIENT_HEADERS } from './forwarding-headers.ts';

const FACT = 'untrusted_proxy';

/** A machine in our own network that forwards requests and is not a trusted proxy. */
export interface UntrustedProxy {
  address: string;
  /** Epoch milliseconds. */
  at: number;
}

/** With a trusted proxy, only IPv4 is compared: a client is the whole /64 of an IPv6 address. */
export const isTrusted = (address: string, trusted: readonly AddressRange[]): boolean =>
  trusted.length > 0 && (address.includes(':') || isTrustedProxy(address, trusted));

/** Whether a trusted proxy names the address, which is that of its client then. */
const isForwarded = (address: string, headers: IncomingHttpHeaders): boolean =>
  String(headers['x-forwarded-for'] ?? '')
    .split(/[\s,]+/)
    .some((hop) => hop === address || hop.startsWith(`${address}:`));

/** Detects a proxy that is not configured, logs it once and records it for `pavis doctor`. */
export class ProxyWatch {
  readonly #platform: Pick<Platform, 'datastore' | 'clock' | 'log' | 'trustedProxies'>;
  #hasReported = false;

  constructor(platform: Pick<Platform, 'datastore' | 'clock' | 'log' | 'trustedProxies'>) {
    this.#platform = platform;
  }

  /** @param address of the caller, which is not public */
  inspect(address: string, headers: IncomingHttpHeaders): void {
    const { datastore, clock, log, trustedProxies } = this.#platform;
    if (this.#hasReported) return;
    if (!CLIENT_HEADERS.some((name) => headers[name] !== undefined)) return;
    if (isTrusted(address, trustedProxies) || isForwarded(address, headers)) return;
    this.#hasReported = true;
    log.warn(
      { address },
      'a proxy forwards requests and is not trusted, so visitors cannot be told apart by address: name it in PAVIS_TRUSTED_PROXIES',
    );
    const proxy: UntrustedProxy = { address, at: clock.now() };
    recordFact(datastore.db, FACT, JSON.stringify(proxy)).catch((err) =>
      log.warn({ err }, 'cannot keep for doctor that a proxy is not trusted'),
    );
  }
}

export async function findUntrustedProxy({
  datastore,
}: Pick<Platform, 'datastore'>): Promise<UntrustedProxy | undefined> {
  const fact = await findFact(datastore.db, FACT);
  return fact === undefined ? undefined : (JSON.parse(fact) as UntrustedProxy);
}
