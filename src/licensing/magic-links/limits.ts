import type { FastifyReply } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';

const WINDOW_MS = 15 * 60_000;
/** Several people may share a client. */
const CLIENT_FACTOR = 4;
const DAY_FACTOR = 4;
/** Links to one address in a day, requested by all clients, before emails are spaced out. */
const UNSPACED_PER_DAY = 20;

const REQUESTED = { link: 'sign-in links', trial: 'trials' };

/**
 * Limits for requests of links by email: per client and email address in 15 minutes and, times four, in a day; per
 * client for all addresses, times four, in 15 minutes. Each client is counted separately for an address, so nobody
 * can lock others out by requesting links in their name.
 */
export class LinkLimits {
  readonly #clients: SharedWindow;
  readonly #addresses: SharedWindow;
  readonly #daily: SharedWindow;
  readonly #unspaced: SharedWindow;

  readonly #requested: string;

  /** @param kind of the links, which are counted on their own */
  constructor(perAddress: number, platform: Platform, kind: keyof typeof REQUESTED = 'link') {
    const createWindow = (name: string, limit: number, windowMs: number) =>
      new SharedWindow(name, limit, windowMs, platform);
    this.#requested = REQUESTED[kind];
    this.#clients = createWindow(`${kind} client`, perAddress * CLIENT_FACTOR, WINDOW_MS);
    this.#addresses = createWindow(`${kind} address`, perAddress, WINDOW_MS);
    this.#daily = createWindow(`${kind} address and day`, perAddress * DAY_FACTOR, DAY_MS);
    this.#unspaced = createWindow(`${kind}s of address`, UNSPACED_PER_DAY, DAY_MS);
  }

  /** @throws DomainError `rate_limited`, with `Retry-After` in seconds */
  readonly countClient = (client: string, reply: FastifyReply): void =>
    this.#count(this.#clients.hit(client), reply);

  /**
   * @returns whether emails to this address are spaced out
   * @throws DomainError `rate_limited`, with `Retry-After` in seconds
   */
  readonly countAddress = (addressHash: string, client: string, reply: FastifyReply): boolean => {
    const who = `${addressHash} ${client}`;
    this.#count(this.#addresses.hit(who), reply);
    this.#count(this.#daily.hit(who), reply);
    return !this.#unspaced.hit(addressHash).allowed;
  };

  #count({ allowed, resetIn }: ReturnType<SharedWindow['hit']>, reply: FastifyReply): void {
    if (allowed) return;
    const seconds = Math.max(1, Math.ceil(resetIn / 1000));
    reply.header('retry-after', seconds);
    const message = `Too many ${this.#requested} were requested. Try again in ${seconds} s.`;
    throw new DomainError('rate_limited', 'rate_limited', message);
  }
}
