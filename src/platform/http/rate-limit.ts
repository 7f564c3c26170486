import type { IncomingMessage } from 'node:http';
import type { FastifyReply, onRequestHookHandler } from 'fastify';
import type { Platform } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { getClientAddress } from './client-address.ts';
import { SharedWindow } from './shared-window.ts';

type LimiterPlatform = Pick<Platform, 'datastore' | 'clock' | 'trustedProxies'>;

interface Hit {
  allowed: boolean;
  resetSeconds: number;
  headers: string[];
}

/** The headers of a `Hit` before its values are known. */
export const UNSET_QUOTA_HEADERS: readonly string[] = [
  'ratelimit-limit',
  '',
  'ratelimit-remaining',
  '',
  'ratelimit-reset',
  '',
];

/** Limits the requests of each client per minute, with `RateLimit-*` headers. */
export class Limiter {
  readonly #window: SharedWindow;
  readonly #platform: LimiterPlatform;

  constructor(name: string, perMinute: number, platform: LimiterPlatform) {
    this.#window = new SharedWindow(name, perMinute, 60_000, platform);
    this.#platform = platform;
  }

  /** Counts a request, unless it is refused. */
  hit(request: IncomingMessage): Hit {
    return this.#hitClient(getClientAddress(request, this.#platform.trustedProxies));
  }

  #hitClient(client: string): Hit {
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
    done(this.#apply(this.hit(request.raw), reply));
  };

  /**
   * Counts a request of a client that is not an address, for example of a token.
   * @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds
   */
  count(client: string, reply: FastifyReply): void {
    const refused = this.#apply(this.#hitClient(client), reply);
    if (refused) throw refused;
  }

  #apply({ allowed, resetSeconds, headers }: Hit, reply: FastifyReply): ApiError | undefined {
    for (let at = 0; at < headers.length; at += 2)
      reply.header(headers[at] as string, headers[at + 1]);
    if (allowed) return undefined;
    reply.header('retry-after', resetSeconds);
    const message = `Too many requests: ${this.#window.limit} a minute are allowed. Try again in ${resetSeconds} s.`;
    return new ApiError(429, 'rate_limited', message);
  }
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
