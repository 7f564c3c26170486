import type { FastifyReply } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';

const WINDOW_MS = 15 * 60_000;
/** Several people ask from one client, each for a link of their own. */
const CLIENT_MAY_MORE = 4;
/** How many times as many links as in 15 minutes a client may have sent to one address in a day. */
const DAY_MAY_MORE = 4;
/** How many links are mailed to one address in a day, by all clients together, before emails to it are spaced out. */
const UNSPACED_PER_DAY = 20;

/**
 * Who may ask for how many links: a client for one email address, whether or not anybody has it, so many in 15
 * minutes and four times as many in a day; a client for all addresses four times as many in 15 minutes. Limits of an
 * address count each client apart, and no number of other clients refuses one, so a client that requests
 * links in the name of others does not lock them out.
 */
export class LinkLimits {
  readonly #clients: SharedWindow;
  readonly #addresses: SharedWindow;
  readonly #daily: SharedWindow;
  readonly #unspaced: SharedWindow;

  constructor(perAddress: number, platform: Platform) {
    const inWindow = (name: string, limit: number, windowMs: number) =>
      new SharedWindow(name, limit, windowMs, platform);
    this.#clients = inWindow('link client', perAddress * CLIENT_MAY_MORE, WINDOW_MS);
    this.#addresses = inWindow('link address', perAddress, WINDOW_MS);
    this.#daily = inWindow('link address and day', perAddress * DAY_MAY_MORE, DAY_MS);
    this.#unspaced = inWindow('links of address', UNSPACED_PER_DAY, DAY_MS);
  }

  /** @throws DomainError `rate_limited`, with `Retry-After` in seconds */
  readonly countClient = (client: string, reply: FastifyReply): void =>
    count(this.#clients.hit(client), reply);

  /**
   * @returns whether mails to this address have to be spaced out
   * @throws DomainError `rate_limited`, with `Retry-After` in seconds
   */
  readonly countAddress = (addressHash: string, client: string, reply: FastifyReply): boolean => {
    const who = `${addressHash} ${client}`;
    count(this.#addresses.hit(who), reply);
    count(this.#daily.hit(who), reply);
    return !this.#unspaced.hit(addressHash).allowed;
  };
}

function count({ allowed, resetIn }: ReturnType<SharedWindow['hit']>, reply: FastifyReply): void {
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(resetIn / 1000));
  reply.header('retry-after', seconds);
  const message = `Too many sign-in links were requested. Try again in ${seconds} s.`;
  throw new DomainError('rate_limited', 'rate_limited', message);
}
