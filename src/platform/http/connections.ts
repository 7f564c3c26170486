import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../log.ts';
import {
  type AddressRange,
  clientAddress,
  isPublicClient,
  isTrustedProxy,
} from './client-address.ts';
import { STALL_CHECK_MS, STALL_TIMEOUT_MS } from './limits.ts';

const REPORT_EVERY_MS = 60_000;

/** Why we close a connection, in logs and metrics. */
const REASONS = ['pipelining', 'address_limit', 'total_limit', 'stalled'] as const;
type Reason = (typeof REASONS)[number];

export interface ConnectionLimits {
  total: number;
  /** The limit of a public address or IPv6 /64; undefined: no limit. */
  perAddress: number | undefined;
}

/** Node keeps the response that is under way here. */
type HttpSocket = Socket & { _httpMessage?: object | null };

/**
 * Limits the open connections of a server. A public address at its limit loses its oldest idle connection to a new one;
 * at the total limit, the address with the most connections does, so that new clients are always served. Loopback,
 * private addresses and trusted proxies have no limit of their own, since many clients may be behind them.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #trustedProxies: readonly AddressRange[];
  readonly #log: Pick<Logger, 'warn'>;
  /** Oldest first. */
  readonly #byAddress = new Map<string, Set<HttpSocket>>();
  readonly #closed = new Map<Reason, number>(REASONS.map((reason) => [reason, 0]));
  readonly #reportedAt = new Map<Reason, number>();
  #count = 0;

  constructor(
    limits: ConnectionLimits,
    trustedProxies: readonly AddressRange[],
    log: Pick<Logger, 'warn'>,
  ) {
    this.#limits = limits;
    this.#trustedProxies = trustedProxies;
    this.#log = log;
  }

  watch(
    server: Server,
    { stallTimeoutMs = STALL_TIMEOUT_MS, checkMs = STALL_CHECK_MS } = {},
  ): void {
    server.on('connection', (socket: HttpSocket) => this.#admit(socket));
    const timer = setInterval(() => this.#limitStalled(stallTimeoutMs), checkMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Counts a closed connection, and logs once a minute at most. */
  countClosed(reason: Reason): void {
    this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1);
    const now = performance.now();
    if (now < (this.#reportedAt.get(reason) ?? 0)) return;
    this.#reportedAt.set(reason, now + REPORT_EVERY_MS);
    this.#log.warn({ reason, open: this.#count }, 'connections are closed by a limit');
  }

  /** Prometheus text format. */
  render(): string {
    return [
      '# HELP pavis_http_connections Open connections.',
      '# TYPE pavis_http_connections gauge',
      `pavis_http_connections ${this.#count}`,
      '# HELP pavis_http_connections_closed_total Connections that a limit has closed.',
      '# TYPE pavis_http_connections_closed_total counter',
      ...[...this.#closed].map(
        ([reason, count]) => `pavis_http_connections_closed_total{reason="${reason}"} ${count}`,
      ),
      '',
    ].join('\n');
  }

  #admit(socket: HttpSocket): void {
    const { remoteAddress } = socket;
    const address = clientAddress(remoteAddress, undefined, []);
    const isLimited =
      isPublicClient(address) && !isTrustedProxy(remoteAddress, this.#trustedProxies);
    const refusal = this.#makeRoom(address, isLimited);
    if (refusal) {
      socket.destroy();
      this.countClosed(refusal);
      return;
    }
    const own = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, own.add(socket));
    this.#count++;
    socket.once('close', () => this.#forget(address, socket));
    socket.on('timeout', () => {
      if (socket.writableLength > 0) this.countClosed('stalled');
    });
  }

  /** Closes another connection at a limit; returns the limit if there is none to close. */
  #makeRoom(address: string, isLimited: boolean): Reason | undefined {
    const { total, perAddress = Number.POSITIVE_INFINITY } = this.#limits;
    const own = this.#byAddress.get(address)?.size ?? 0;
    if (isLimited && own >= perAddress)
      return this.#close(address, 'address_limit', false) ? undefined : 'address_limit';
    if (this.#count < total) return undefined;
    const largest = this.#largest();
    const mayBeBusy = (this.#byAddress.get(largest)?.size ?? 0) > own + 1;
    return this.#close(largest, 'total_limit', mayBeBusy) ? undefined : 'total_limit';
  }

  #largest(): string {
    let [found, most] = ['', 0];
    for (const [address, { size }] of this.#byAddress)
      if (size > most) [found, most] = [address, size];
    return found;
  }

  /** Closes the oldest idle connection of an address, or its oldest one if that is allowed. */
  #close(address: string, reason: Reason, mayBeBusy: boolean): boolean {
    const sockets = this.#byAddress.get(address) ?? new Set();
    const oldest = mayBeBusy ? sockets.values().next().value : undefined;
    const found = findIdle(sockets) ?? oldest;
    if (!found) return false;
    // At once: further connections may come before the event.
    this.#forget(address, found);
    found.destroy();
    this.countClosed(reason);
    return true;
  }

  #forget(address: string, socket: HttpSocket): void {
    const own = this.#byAddress.get(address);
    if (!own?.delete(socket)) return;
    this.#count--;
    if (own.size === 0) this.#byAddress.delete(address);
  }

  /** Sets a timeout on connections whose client has not taken the whole response. Node restarts it with each byte taken. */
  #limitStalled(stallTimeoutMs: number): void {
    for (const sockets of this.#byAddress.values())
      for (const socket of sockets)
        if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(stallTimeoutMs);
  }
}

/** The oldest connection without a request under way. */
const findIdle = (sockets: Iterable<HttpSocket>): HttpSocket | undefined =>
  Array.from(sockets).find((socket) => !socket._httpMessage);
