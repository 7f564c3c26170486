import type { Platform } from '../../../platform/deps.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import type { Account } from '../store.ts';
import { FailureCounts } from './failure-counts.ts';

const WINDOW_MS = 15 * MINUTE_MS;
/** For one login or email address as typed from one address, or for one account from one known device. */
const FAILURES_PER_SOURCE = 10;
/**
 * For one login or email address from all unknown devices together, for one account from all its known devices together,
 * and from one address for all accounts together.
 */
const FAILURES_IN_ALL = 100;
const UNKNOWN_KEYS_KEPT = 100_000;
const ADDRESSES_KEPT = 50_000;
const TOPIC = 'failed password';
const TOPIC_BACK = 'failed password back';

/** The limit of an account that is reached: of an address, of a known device, or of all sources together. */
type LockScope = 'address' | 'device' | 'account';
/** The limit of an address for all accounts together belongs to no account. Unlocking one does not lift it. */
type Scope = LockScope | 'all accounts';

export interface Attempt {
  /** Undefined for an unknown login. */
  account: Pick<Account, 'user' | 'lockoutVersion'> | undefined;
  /** The login or email address that was typed, from `identityKey`. */
  key: string;
  /** From `clientAddress`. */
  address: string;
  /** The known device of the account, if the attempt comes from one. */
  device?: string | undefined;
}

/** What an attempt is counted by, as it is published to other nodes. */
interface Subject {
  who: string;
  /** What was typed, hashed: people also type passwords into that field. Nodes of version 0.2.0 do not publish it. */
  typed?: string;
  isKnown: boolean;
  address: string;
  device?: string;
}

interface Counter {
  counts: FailureCounts;
  key: string;
  limit: number;
  scope: Scope;
}

/**
 * Limits failed sign-ins on all nodes together: 10 in 15 minutes for what was typed as login and an address, 100 for
 * what was typed from all addresses, 100 for an address and all accounts. A known device has a limit of its own and is
 * exempt from the others (OWASP, "Device cookies"). Raising the `lockoutVersion` of an account forgets its failures.
 *
 * Login and email address of an account are counted apart: together, they would tell a stranger who reaches the limit of one
 * which address belongs to which login, and that there is such an account. Strangers have at most 200 guesses at its
 * password.
 *
 * Application passwords are not limited: their 143 random bits cannot be guessed.
 *
 * Counters of existing accounts are bounded, since a refused attempt is not counted, and are never evicted. Unknown
 * logins are counted alike, but only the latest are kept.
 */
export class SignInLimits {
  readonly #platform: Platform;
  readonly #accounts = new FailureCounts(WINDOW_MS);
  readonly #unknown = new FailureCounts(WINDOW_MS, UNKNOWN_KEYS_KEPT);
  readonly #addresses = new FailureCounts(WINDOW_MS, ADDRESSES_KEPT);

  constructor(platform: Platform) {
    this.#platform = platform;
    platform.datastore.onChange(TOPIC, (text) => {
      if (text !== undefined) this.#add(JSON.parse(text));
    });
    platform.datastore.onChange(TOPIC_BACK, (text) => {
      if (text !== undefined) this.#takeBack(JSON.parse(text));
    });
  }

  /**
   * Milliseconds until the attempt is allowed; 0 if it is allowed now.
   * @param scopes the limits to check; default: all
   */
  getWait(attempt: Attempt, scopes?: readonly Scope[]): number {
    const now = this.#platform.clock.monotonic();
    const subject = this.#toSubject(attempt);
    // What nodes of 0.2.0 publish does not say what was typed, so it counts for the account.
    const { typed: _, ...fromEarlierNode } = subject;
    const ofAccount = this.#listCounters(fromEarlierNode).filter(
      ({ scope }) => scope === 'account',
    );
    const waits = [...this.#listCounters(subject), ...ofAccount]
      .filter(({ scope }) => !scopes || scopes.includes(scope))
      .map(({ counts, key, limit }) => counts.getWait(key, limit, now));
    return Math.max(0, ...waits);
  }

  /**
   * Counts an attempt as failed.
   * @returns the limit of the account that it reaches, if any
   */
  count(attempt: Attempt): LockScope | undefined {
    const subject = this.#toSubject(attempt);
    const reached = this.#add(subject);
    this.#platform.datastore.tell(TOPIC, JSON.stringify(subject));
    return subject.isKnown ? reached : undefined;
  }

  /** Removes an attempt that was counted and succeeded. */
  takeBack(attempt: Attempt): void {
    const subject = this.#toSubject(attempt);
    this.#takeBack(subject);
    this.#platform.datastore.tell(TOPIC_BACK, JSON.stringify(subject));
  }

  recordLock(attempt: Attempt, scope: LockScope): void {
    const { clock, securityLog } = this.#platform;
    securityLog.record({
      event: 'account_locked',
      user: attempt.account?.user ?? null,
      details: { method: 'password', scope, until: clock.now() + this.getWait(attempt) },
    });
  }

  /** A function that returns the milliseconds until a user is no longer locked out; 0 if they are not. */
  readWaits(): (user: { id: number; lockoutVersion: number }) => number {
    const now = this.#platform.clock.monotonic();
    const waits = new Map<string, number>();
    for (const key of this.#accounts.keys()) {
      const [who = '', scope] = key.split(' ', 2);
      const limit = scope === 'account' ? FAILURES_IN_ALL : FAILURES_PER_SOURCE;
      const wait = this.#accounts.getWait(key, limit, now);
      if (wait > (waits.get(who) ?? 0)) waits.set(who, wait);
    }
    return ({ id, lockoutVersion }) => waits.get(`${id}.${lockoutVersion}`) ?? 0;
  }

  #add(subject: Subject): LockScope | undefined {
    const now = this.#platform.clock.monotonic();
    let reached: LockScope | undefined;
    for (const { counts, key, limit, scope } of this.#listCounters(subject)) {
      const isReached = counts.add(key, now) === limit;
      if (isReached && scope !== 'all accounts') reached = scope;
    }
    return reached;
  }

  #takeBack(subject: Subject): void {
    for (const { counts, key } of this.#listCounters(subject)) counts.takeBack(key);
  }

  #toSubject({ account, key, address, device }: Attempt): Subject {
    const typed = this.#platform.secret.hash('failed login', key);
    return {
      who: account ? `${account.user.id}.${account.lockoutVersion}` : typed,
      typed,
      isKnown: account !== undefined,
      address,
      ...(device !== undefined && { device }),
    };
  }

  #listCounters({ who, typed = who, isKnown, address, device }: Subject): Counter[] {
    const counts = isKnown ? this.#accounts : this.#unknown;
    const scope = device === undefined ? 'address' : 'device';
    const source = device ?? `${address} ${typed}`;
    const ofSource = { key: `${who} ${scope} ${source}`, limit: FAILURES_PER_SOURCE };
    // Known devices are limited together too: an attacker who had the password once may have created many.
    const all = device === undefined ? typed : scope;
    const ofAccount = { key: `${who} account ${all}`, limit: FAILURES_IN_ALL };
    const own: Counter[] = [
      { counts, ...ofSource, scope },
      { counts, ...ofAccount, scope: 'account' },
    ];
    if (device !== undefined) return own;
    const client = { counts: this.#addresses, key: address, limit: FAILURES_IN_ALL };
    return [...own, { ...client, scope: 'all accounts' }];
  }
}
