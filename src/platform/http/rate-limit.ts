import type { IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import type { Platform } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { getClientAddress } from './client-address.ts';
import { SharedWindow } from './shared-window.ts';

type LimiterPlatform = Pick<Platform, 'datastore' | 'clock' | 'trustedProxies'>;

/** Limits the requests of each client per minute, with `RateLimit-*` headers. */
export class Limiter {
  readonly #window: SharedWindow;
  readonly #platform: LimiterPlatform;

  constructor(name: string, perMinute: number, platform: LimiterPlatform) {
    this.#window = new SharedWindow(name, perMinute, 60_000, platform);
    this.#platform = platform;
  }

  /** Counts a request, unless it is refused. */
  hit(request: IncomingMessage): { allowed: boolean; resetSeconds: number; headers: string[] } {
    const client = getClientAddress(request, this.#platform.trustedProxies);
    const { allowed, remaining, resetIn } = this.#window.hit(client);
    const resetSeconds = Math.max(1, Math.ceil(resetIn / 1000));
    const headers = [
      'ratelimit-limit',
      String(this.#window.limit),
      'ratelimit-remaining',
      String(remaining),
      'ratelimit-reset',
      String(resetSeconds),
    ];
    return { allowed, resetSeconds, headers };
  }

  /**
   * For the first hook of a route.
   * @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds
   */
  readonly hook: onRequestHookHandler = (request, reply, done) => {
    const { allowed, resetSeconds, headers } = this.hit(request.raw);
    for (let at = 0; at < headers.length; at += 2)
      reply.header(headers[at] as string, headers[at + 1]);
    if (allowed) return done();
    reply.header('retry-after', resetSeconds);
    const message = `Too many requests: ${this.#window.limit} a minute are allowed. Try again in ${resetSeconds} s.`;
    done(new ApiError(429, 'rate_limited', message));
  };
}

/**
 * Undefined where the setting is off.
 * @param name the same on all nodes
 */
export const createLimiter = (
  name: string,
  perMinute: number | undefined,
  platform: LimiterPlatform,
): Limiter | undefined =>
  perMinute === undefined ? undefined : new Limiter(name, perMinute, platform);
