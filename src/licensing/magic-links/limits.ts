import type { FastifyReply } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { ApiError } from '../../platform/errors.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';

const WINDOW_MS = 15 * 60_000;
/** Several people ask from one address, each for a link of their own. */
const CLIENT_MAY_MORE = 4;

/**
 * Who may ask for how many links in 15 minutes: an e-mail address, whether or not anybody has it, and
 * a client four times as many.
 */
export class LinkLimits {
  readonly #clock: Clock;
  readonly #addresses: SharedWindow;
  readonly #clients: SharedWindow;

  constructor(perAddress: number, platform: Platform) {
    this.#clock = platform.clock;
    this.#addresses = new SharedWindow('link address', perAddress, WINDOW_MS, platform);
    this.#clients = new SharedWindow(
      'link client',
      perAddress * CLIENT_MAY_MORE,
      WINDOW_MS,
      platform,
    );
  }

  /** @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds */
  readonly countClient = (client: string, reply: FastifyReply): void =>
    this.#count(this.#clients, client, reply);

  /** @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds */
  readonly countAddress = (addressHash: string, reply: FastifyReply): void =>
    this.#count(this.#addresses, addressHash, reply);

  #count(window: SharedWindow, who: string, reply: FastifyReply): void {
    const { allowed, resetIn } = window.hit(who, this.#clock.now());
    if (allowed) return;
    const seconds = Math.max(1, Math.ceil(resetIn / 1000));
    reply.header('retry-after', seconds);
    const message = `Too many sign-in links were asked for. Try again in ${seconds} s.`;
    throw new ApiError(429, 'rate_limited', message);
  }
}
