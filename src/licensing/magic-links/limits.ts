import type { FastifyReply } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { SlidingWindow } from '../../platform/http/rate-limit.ts';

const WINDOW_MS = 15 * 60_000;
/** Several people ask from one address, each for a link of their own. */
const CLIENT_MAY_MORE = 4;

/**
 * Who may ask for how many links in 15 minutes: an e-mail address, whether or not anybody has it, and
 * a client four times as many.
 */
export class LinkLimits {
  readonly #clock: Clock;
  readonly #addresses: SlidingWindow;
  readonly #clients: SlidingWindow;

  constructor(perAddress: number, clock: Clock) {
    this.#clock = clock;
    this.#addresses = new SlidingWindow(perAddress, WINDOW_MS);
    this.#clients = new SlidingWindow(perAddress * CLIENT_MAY_MORE, WINDOW_MS);
  }

  /** @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds */
  readonly countClient = (client: string, reply: FastifyReply): void =>
    this.#count(this.#clients, client, reply);

  /** @throws ApiError 429 `rate_limited`, with `Retry-After` in seconds */
  readonly countAddress = (addressHash: string, reply: FastifyReply): void =>
    this.#count(this.#addresses, addressHash, reply);

  #count(window: SlidingWindow, who: string, reply: FastifyReply): void {
    const { allowed, resetIn } = window.hit(who, this.#clock.now());
    if (allowed) return;
    const seconds = Math.max(1, Math.ceil(resetIn / 1000));
    reply.header('retry-after', seconds);
    const message = `Too many sign-in links were asked for. Try again in ${seconds} s.`;
    throw new ApiError(429, 'rate_limited', message);
  }
}
