import type { IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { type AddressRange, clientAddress } from './client-address.ts';

const CLIENTS_REMEMBERED = 50_000;
/** How many expired moments may wait at the front of a client's list before it is compacted. */
const COMPACT_AFTER = 64;

export interface Quota {
  allowed: boolean;
  /** How many more may come now. */
  remaining: number;
  /** Milliseconds until the oldest counted hit leaves the window and makes room for one more. */
  resetIn: number;
}

/**
 * At most `limit` hits of one client in any stretch of time as long as the window: each hit is
 * remembered, so there is no edge at which twice as many get through. A refused hit does not count,
 * so `resetIn` is the truth about when the next one passes.
 */
export class SlidingWindow {
  readonly limit: number;
  readonly #windowMs: number;
  readonly #clients = new LRUCache<string, { hits: number[]; first: number }>({
    max: CLIENTS_REMEMBERED,
  });

  constructor(limit: number, windowMs: number) {
    this.limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts a hit at a moment (milliseconds, never going back). */
  hit(client: string, now: number): Quota {
    const seen = this.#clients.get(client);
    if (!seen) {
      // A list that holds the one it begins with is a tenth of one that was empty and grew.
      this.#clients.set(client, { hits: [now], first: 0 });
      return { allowed: true, remaining: this.limit - 1, resetIn: this.#windowMs };
    }
    const { hits } = seen;
    while (seen.first < hits.length && (hits[seen.first] as number) <= now - this.#windowMs)
      seen.first++;
    if (seen.first >= COMPACT_AFTER) {
      hits.splice(0, seen.first);
      seen.first = 0;
    }
    const allowed = hits.length - seen.first < this.limit;
    if (allowed) hits.push(now);
    return {
      allowed,
      remaining: this.limit - (hits.length - seen.first),
      resetIn: (hits[seen.first] as number) + this.#windowMs - now,
    };
  }

  /** Forgets the last hit of a client, for what turns out not to count. */
  takeBack(client: string): void {
    const seen = this.#clients.get(client);
    if (seen && seen.hits.length > seen.first) seen.hits.pop();
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
