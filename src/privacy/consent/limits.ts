import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/deps.ts';
import { isPublicClient } from '../../platform/http/client-address.ts';
import { SketchWindow } from '../../platform/http/sketch-window.ts';
import { SlidingWindow } from '../../platform/http/sliding-window.ts';
import { ProxyWatch } from '../../platform/http/untrusted-proxy.ts';
import { RestError } from '../../platform/rest/errors.ts';

const PER_VISITOR_AND_MINUTE = 60;
/**
 * How many times the limit of an address its holders of visitor tokens share. Each token costs a consent
 * within the limit, but they can be collected.
 */
const HOLDERS_SHARE = 10;

/** Who sends a decision. */
export interface Sender {
  /** See `clientAddress`. */
  client: string;
  headers: IncomingHttpHeaders;
}

/**
 * How many decisions are taken in a minute: of one visitor, and of one public address. Visitors with a
 * token are counted apart from the others at their address. Each node counts for itself: to tell the
 * others of each decision would cost more than a few too many do harm.
 */
export class ConsentLimits {
  readonly #visitors = new SlidingWindow(PER_VISITOR_AND_MINUTE, 60_000);
  readonly #addresses: SketchWindow | undefined;
  readonly #holders: SketchWindow | undefined;
  readonly #proxies: ProxyWatch;
  readonly #clock: Platform['clock'];

  /** @param perMinute of one address; undefined for no limit */
  constructor(platform: Platform, perMinute: number | undefined) {
    this.#clock = platform.clock;
    this.#proxies = new ProxyWatch(platform);
    if (perMinute === undefined) return;
    this.#addresses = new SketchWindow(perMinute);
    this.#holders = new SketchWindow(perMinute * HOLDERS_SHARE);
  }

  /**
   * Counts a decision.
   * @param holdsToken whether it came with the token of its visitor
   * @throws RestError 429 `rate_limited`
   */
  assertAllowed(visitorId: string, { client, headers }: Sender, holdsToken: boolean): void {
    const now = this.#clock.monotonic();
    // An id that others know is no way to use up what its holder may do. No id has a control character.
    const visitor = this.#visitors.hit(holdsToken ? `\n${visitorId}` : visitorId, now);
    if (!visitor.allowed) {
      throw tooMany('This visitor has decided too often within a minute.', visitor.resetIn);
    }
    if (!isPublicClient(client)) {
      this.#proxies.inspect(client, headers);
      return;
    }
    const address = (holdsToken ? this.#holders : this.#addresses)?.hit(client, now);
    if (address && !address.allowed) {
      throw tooMany(
        `Too many consents from this network address: ${this.#addresses?.limit} a minute are recorded.`,
        address.retryIn,
      );
    }
  }
}

function tooMany(reason: string, milliseconds: number): RestError {
  const retryAfter = Math.max(1, Math.ceil(milliseconds / 1_000));
  const message = `${reason} Try again in ${retryAfter} s.`;
  return new RestError(429, 'rate_limited', message, { retry_after: retryAfter });
}
