import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { isPublicClient } from '../../platform/http/client-address.ts';
import { SketchWindow } from '../../platform/http/sketch-window.ts';
import { SlidingWindow } from '../../platform/http/sliding-window.ts';
import type { ProxyWatch } from '../../platform/http/untrusted-proxy.ts';

const PER_VISITOR_AND_MINUTE = 60;
/**
 * Visitors with a token share a limit of their own, this many times that of their address. Each token costs one
 * consent within the limit, but a client can collect tokens.
 */
const HOLDERS_SHARE = 10;

/** The client that sends a consent choice. */
export interface Sender {
  /** See `clientAddress`. */
  client: string;
  headers: IncomingHttpHeaders;
}

/**
 * Limits the consent choices, or other requests, per minute of one visitor and of one public address. Visitors with a
 * token are counted apart from the others at their address. Each node counts for itself, because sharing each count would cost more
 * than the few extra choices.
 */
export class ConsentLimits {
  readonly #visitors = new SlidingWindow(PER_VISITOR_AND_MINUTE, 60_000);
  readonly #addresses: SketchWindow | undefined;
  readonly #holders: SketchWindow | undefined;
  readonly #proxies: ProxyWatch;
  readonly #clock: Platform['clock'];
  readonly #requests: string;

  /**
   * @param options.perMinute of one address; undefined for no limit
   * @param options.requests what is counted, for messages: a plural
   */
  constructor(
    { clock }: Pick<Platform, 'clock'>,
    options: { proxies: ProxyWatch; perMinute: number | undefined; requests: string },
  ) {
    const { proxies, perMinute, requests } = options;
    this.#clock = clock;
    this.#proxies = proxies;
    this.#requests = requests;
    if (perMinute === undefined) return;
    this.#addresses = new SketchWindow(perMinute);
    this.#holders = new SketchWindow(perMinute * HOLDERS_SHARE);
  }

  /**
   * Counts a request.
   * @param holdsToken whether the request has the token of its visitor
   * @throws DomainError `rate_limited`, with `retry_after` in seconds
   */
  assertAllowed(visitorId: string, { client, headers }: Sender, holdsToken: boolean): void {
    const now = this.#clock.monotonic();
    // Counted under another key, so that others who know the id cannot use up its limit. No id has a control character.
    const visitor = this.#visitors.hit(holdsToken ? `\n${visitorId}` : visitorId, now);
    if (!visitor.allowed) {
      throw tooMany(
        `This visitor has sent more than ${PER_VISITOR_AND_MINUTE} ${this.#requests} within a minute.`,
        visitor.resetIn,
      );
    }
    if (!isPublicClient(client)) {
      this.#proxies.inspect(client, headers);
      return;
    }
    const addresses = holdsToken ? this.#holders : this.#addresses;
    const address = addresses?.hit(client, now);
    if (address?.allowed === false) {
      throw tooMany(
        `Too many ${this.#requests} from this network address: ${addresses?.limit} a minute are accepted.`,
        address.retryIn,
      );
    }
  }
}

function tooMany(reason: string, milliseconds: number): DomainError {
  const retryAfter = Math.max(1, Math.ceil(milliseconds / 1_000));
  const message = `${reason} Try again in ${retryAfter} s.`;
  return new DomainError('rate_limited', 'rate_limited', message, {
    details: { retry_after: retryAfter },
  });
}
