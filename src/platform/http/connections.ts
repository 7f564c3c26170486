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

/** Why a connection is closed by us, as logs and metrics name it. */
const REASONS = ['pipelining', 'address_limit', 'total_limit', 'stalled'] as const;
type Reason = (typeof REASONS)[number];

export interface ConnectionLimits {
  /** Of all clients together. */
  total: number;
  /** Of one public address or IPv6 /64; undefined: as many as it opens. */
  perAddress: number | undefined;
}

/** What Node keeps on a socket: the response that is under way on it. */
type HttpSocket = Socket & { _httpMessage?: object | null };

/**
 * The connections of a server, held to limits. A public address that has as many as it may loses its oldest idle one
 * to a new one; when there are too many in all, the address with the most does. So a new client is served whatever others hold
 * the others. Loopback and private addresses and trusted proxies have no limit of their own, since many clients may
 * be behind them.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #trustedProxies: readonly AddressRange[];
  readonly #log: Pick<Logger, 'warn'>;
  /** The connections of each address, in the order in which they came. */
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

  /** Holds the connections of a server to the limits from now on. */
  watch(
    server: Server,
    { stallTimeoutMs = STALL_TIMEOUT_MS, checkMs = STALL_CHECK_MS } = {},
  ): void {
    server.on('connection', (socket: HttpSocket) => this.#admit(socket));
    const timer = setInterval(() => this.#timeStalled(stallTimeoutMs), checkMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Counts a connection that was closed, and logs that once a minute at most. */
  countClosed(reason: Reason): void {
    this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1);
    const now = performance.now();
    if (now < (this.#reportedAt.get(reason) ?? 0)) return;
    this.#reportedAt.set(reason, now + REPORT_EVERY_MS);
    this.#log.warn({ reason, open: this.#count }, 'connections are closed by a limit');
  }

  /** The figures in Prometheus' text format. */
  render(): string {
    const closed = [...this.#closed].map(
      ([reason, count]) => `pavis_http_connections_closed_total{reason="${reason}"} ${count}\n`,
    );
    return [
      '# HELP pavis_http_connections Open connections.\n# TYPE pavis_http_connections gauge\n',
      `pavis_http_connections ${this.#count}\n`,
      '# HELP pavis_http_connections_closed_total Connections that a limit has closed.\n',
      '# TYPE pavis_http_connections_closed_total counter\n',
      ...closed,
    ].join('');
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

  /** Closes another connection where a limit asks for it; gives the limit where there is none to close. */
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

  /** Closes the oldest idle connection of an address, or the oldest of all where that may be. */
  #close(address: string, reason: Reason, mayBeBusy: boolean): boolean {
    const sockets = this.#byAddress.get(address) ?? new Set();
    const oldest = mayBeBusy ? sockets.values().next().value : undefined;
    const found = findIdle(sockets) ?? oldest;
    if (!found) return false;
    // At once, since the event comes later than further connections may.
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

  /** Gives clients that have not taken all of an answer a time within which they must take more of it. */
  #timeStalled(stallTimeoutMs: number): void {
    for (const sockets of this.#byAddress.values())
      for (const socket of sockets)
        if (socket.writableLength > 0 && !socket.timeout)
          // Node counts as activity what the client takes, and closes the connection.
          socket.setTimeout(stallTimeoutMs);
  }
}

/** The oldest connection that has no request under way. */
function findIdle(sockets: ReadonlySet<HttpSocket>): HttpSocket | undefined {
  for (const socket of sockets) if (!socket._httpMessage) return socket;
  return undefined;
}
