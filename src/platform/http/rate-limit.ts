import type { IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { type AddressRange, clientAddress } from './client-address.ts';

/** Of the latest clients at least so many are remembered, and at most twice as many. */
const CLIENTS_REMEMBERED = 25_000;

export interface Quota {
  allowed: boolean;
  /** How many more may come now. */
  remaining: number;
  /** Milliseconds until the oldest counted hit leaves the window and makes room for one more. */
  resetIn: number;
}

/** When a client came; one moment alone stands for itself, as most clients come once. */
type Hits = number | number[];

/**
 * At most `limit` hits of one client in any stretch of time as long as the window: each hit is
 * remembered, so there is no edge at which twice as many get through. A refused hit does not count,
 * so `resetIn` is the truth about when the next one passes.
 */
export class SlidingWindow {
  readonly limit: number;
  readonly #windowMs: number;
  /** Two maps, the older of which goes as a whole: a cache that sets aside room would hold it while nobody comes. */
  #latest = new Map<string, Hits>();
  #before = new Map<string, Hits>();

  constructor(limit: number, windowMs: number) {
    this.limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts a hit at a moment (milliseconds, never going back). */
  hit(client: string, now: number): Quota {
    const known = this.#latest.get(client) ?? this.#before.get(client);
    if (known === undefined) {
      this.#remember(client, now);
      return { allowed: true, remaining: this.limit - 1, resetIn: this.#windowMs };
    }
    const hits = typeof known === 'number' ? [known] : known;
    let expired = 0;
    while (expired < hits.length && (hits[expired] as number) <= now - this.#windowMs) expired++;
    if (expired > 0) hits.splice(0, expired);
    const allowed = hits.length < this.limit;
    if (allowed) hits.push(now);
    this.#remember(client, hits);
    return {
      allowed,
      remaining: this.limit - hits.length,
      resetIn: (hits[0] as number) + this.#windowMs - now,
    };
  }

  /** Forgets the last hit of a client, for what turns out not to count. */
  takeBack(client: string): void {
    const known = this.#latest.get(client) ?? this.#before.get(client);
    if (known !== undefined)
      this.#remember(client, typeof known === 'number' ? [] : known.slice(0, -1));
  }

  #remember(client: string, hits: Hits): void {
    this.#latest.set(client, hits);
    if (this.#latest.size < CLIENTS_REMEMBERED) return;
    this.#before = this.#latest;
    this.#latest = new Map();
  }
}

interface LimiterOptions {
  perMinute: number;
  trustedProxies: readonly AddressRange[];
  clock: Clock;
}

/** Holds each client to a number of requests a minute, and says so in `RateLimit-*` headers. */
export class Limiter {
  readonly #window: SlidingWindow;
  readonly #options: LimiterOptions;

  constructor(options: LimiterOptions) {
    this.#window = new SlidingWindow(options.perMinute, 60_000);
    this.#options = options;
  }

  /** Counts a request and gives what its client may still do; a refused one counts for nothing. */
  hit(request: IncomingMessage): { allowed: boolean; resetSeconds: number; headers: string[] } {
    const { perMinute, trustedProxies, clock } = this.#options;
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    const client = clientAddress(request.socket.remoteAddress, forwarded, trustedProxies);
    const { allowed, remaining, resetIn } = this.#window.hit(client, clock.now());
    const resetSeconds = Math.max(1, Math.ceil(resetIn / 1000));
    const headers = [
      'ratelimit-limit',
      String(perMinute),
      'ratelimit-remaining',
      String(remaining),
      'ratelimit-reset',
      String(resetSeconds),
    ];
    return { allowed, resetSeconds, headers };
  }

  /**
   * The limiter as the first hook of a route.
   * @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds
   */
  readonly hook: onRequestHookHandler = (request, reply, done) => {
    const { allowed, resetSeconds, headers } = this.hit(request.raw);
    for (let at = 0; at < headers.length; at += 2)
      reply.header(headers[at] as string, headers[at + 1]);
    if (allowed) return done();
    reply.header('retry-after', resetSeconds);
    const { perMinute } = this.#options;
    const message = `Too many requests: ${perMinute} a minute are allowed. Try again in ${resetSeconds} s.`;
    done(new ApiError(429, 'rate_limited', message));
  };
}

/** A limiter, or none where the setting is off. */
export function createLimiter(
  perMinute: number | undefined,
  { trustedProxies, clock }: Omit<LimiterOptions, 'perMinute'>,
): Limiter | undefined {
  return perMinute === undefined ? undefined : new Limiter({ perMinute, trustedProxies, clock });
}
