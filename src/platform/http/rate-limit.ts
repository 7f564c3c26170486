import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
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
    let seen = this.#clients.get(client);
    if (!seen) {
      seen = { hits: [], first: 0 };
      this.#clients.set(client, seen);
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
}

interface RateLimitOptions {
  /** Hits a minute; undefined for none. */
  perMinute: number | undefined;
  trustedProxies: readonly AddressRange[];
  clock: Clock;
}

/**
 * Hooks that hold one client to a number of requests a minute and say so in `RateLimit-*` headers.
 * @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds
 */
export function rateLimit({
  perMinute,
  trustedProxies,
  clock,
}: RateLimitOptions): onRequestHookHandler[] {
  if (perMinute === undefined) return [];
  const window = new SlidingWindow(perMinute, 60_000);
  return [
    (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
      const { remoteAddress } = request.socket;
      const client = clientAddress(remoteAddress, forwardedFor(request), trustedProxies);
      const { allowed, remaining, resetIn } = window.hit(client, clock.now());
      const reset = Math.max(1, Math.ceil(resetIn / 1000));
      reply.header('ratelimit-limit', perMinute);
      reply.header('ratelimit-remaining', remaining);
      reply.header('ratelimit-reset', reset);
      if (allowed) return done();
      reply.header('retry-after', reset);
      done(
        new ApiError(
          429,
          'rate_limited',
          `Too many requests: ${perMinute} a minute are allowed. Try again in ${reset} s.`,
        ),
      );
    },
  ];
}

function forwardedFor({ headers }: FastifyRequest): string | undefined {
  return headers['x-forwarded-for'] as string | undefined;
}
