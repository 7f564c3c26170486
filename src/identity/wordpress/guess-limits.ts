import type { Platform } from '../../platform/deps.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';

const WINDOW_MS = 15 * 60_000;
const GUESSES_PER_SOURCE = 10;
const GUESSES_IN_ALL = 100;

interface Guess {
  /** Undefined for a session. */
  login: string | undefined;
  /** From `clientAddress`. */
  address: string;
}

/**
 * Limits requests to WordPress with wrong credentials, on all nodes together: 10 in 15 minutes for a login and an
 * address, 100 for an address, 100 for a login. This protects WordPress, and Pavis from being blocked by its security
 * plugins.
 */
export class GuessLimits {
  readonly #secret: Platform['secret'];
  readonly #sources: SharedWindow;
  readonly #addresses: SharedWindow;
  readonly #logins: SharedWindow;

  constructor(platform: Platform) {
    const window = (name: string, limit: number) =>
      new SharedWindow(`wordpress ${name}`, limit, WINDOW_MS, platform);
    this.#secret = platform.secret;
    this.#sources = window('source', GUESSES_PER_SOURCE);
    this.#addresses = window('address', GUESSES_IN_ALL);
    this.#logins = window('login', GUESSES_IN_ALL);
  }

  /**
   * Counts a guess before it is made, so that concurrent guesses are counted too.
   * @returns a function that removes a correct guess; undefined if the limit is reached
   */
  count({ login, address }: Guess): (() => void) | undefined {
    // Hashed: people also type passwords into that field.
    const who = login === undefined ? undefined : this.#secret.hash('failed login', login);
    const counters: [SharedWindow, string][] = [[this.#addresses, address]];
    if (who !== undefined) counters.push([this.#sources, `${who} ${address}`], [this.#logins, who]);
    const counted: [SharedWindow, string][] = [];
    const takeBack = () => {
      for (const [window, key] of counted) window.takeBack(key);
    };
    for (const [window, key] of counters) {
      if (!window.hit(key).allowed) {
        takeBack();
        return undefined;
      }
      counted.push([window, key]);
    }
    return takeBack;
  }
}
