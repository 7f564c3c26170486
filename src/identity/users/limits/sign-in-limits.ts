import type { Platform } from '../../../platform/deps.ts';
import type { Account } from '../store.ts';
import { FailureCounts } from './failure-counts.ts';

const WINDOW_MS = 15 * 60_000;
/** For one account from one address, or from one known device. */
const FAILURES_PER_SOURCE = 10;
/** For one account from all unknown devices together, and from one address for all accounts together. */
const FAILURES_IN_ALL = 100;
/** Logins that nobody has are counted like the others, but only the latest are remembered. */
const UNKNOWN_KEYS_KEPT = 100_000;
const ADDRESSES_KEPT = 50_000;
const TOPIC = 'failed password';
const TOPIC_BACK = 'failed password back';

/** Which limit of an account is reached: of an address, of a known device, or of all sources together. */
type LockScope = 'address' | 'device' | 'account';
/** The limit of an address for all accounts together is no account's, and unlocking one does not lift it. */
type Scope = LockScope | 'all accounts';

/** What is known of somebody who tries to sign in. */
export interface Attempt {
  /** Undefined for a login that nobody has. */
  account: Pick<Account, 'user' | 'lockoutVersion'> | undefined;
  /** The login or email address that was given, in the form that identifies a user. */
  key: string;
  /** The client's address, as limits count it. */
  address: string;
  /** The known device of the account, if the attempt comes from one. */
  device?: string | undefined;
}

/** What an attempt is counted by; plain data, since other nodes are told of it. */
interface Subject {
  who: string;
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
 * Limits failed attempts to sign in with a login password, on all nodes together: 10 in 15 minutes for an account and an
 * address, 100 for an account from all addresses, 100 for an address and all accounts. A known device has a
 * limit of its own and is spared the others (OWASP, "Device cookies"). Failures for an account are
 * forgotten when its `lockoutVersion` is raised.
 *
 * Application passwords are not limited: nobody guesses their 143 random bits.
 *
 * Counters of accounts that exist are bounded, since a refused attempt is not counted, and are never evicted.
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
   * Milliseconds until the attempt may be made; 0 if it may be made now.
   * @param scopes the limits to ask; all if absent
   */
  getWait(attempt: Attempt, scopes?: readonly Scope[]): number {
    const now = this.#platform.clock.monotonic();
    const asked = this.#countersOf(this.#toSubject(attempt)).filter(
      ({ scope }) => !scopes || scopes.includes(scope),
    );
    return Math.max(0, ...asked.map(({ counts, key, limit }) => counts.getWait(key, limit, now)));
  }

  /**
   * Counts an attempt as failed.
   * @returns the limit of the account that is reached with it, if any
   */
  count(attempt: Attempt): LockScope | undefined {
    const subject = this.#toSubject(attempt);
    const reached = this.#add(subject);
    this.#platform.datastore.tell(TOPIC, JSON.stringify(subject));
    return subject.isKnown ? reached : undefined;
  }

  /** Forgets an attempt that was counted and did not fail. */
  takeBack(attempt: Attempt): void {
    const subject = this.#toSubject(attempt);
    this.#takeBack(subject);
    this.#platform.datastore.tell(TOPIC_BACK, JSON.stringify(subject));
  }

  /** Records that an account has reached a limit. */
  recordLock(attempt: Attempt, scope: LockScope): void {
    const { clock, securityLog } = this.#platform;
    securityLog.record({
      event: 'account_locked',
      user: attempt.account?.user ?? null,
      details: { method: 'password', scope, until: clock.now() + this.getWait(attempt) },
    });
  }

  /** A function that gives the milliseconds until an account has no limit reached; 0 if it has none now. */
  readWaits(): (user: { id: number; lockoutVersion: number }) => number {
    const now = this.#platform.clock.monotonic();
    const waits = new Map<string, number>();
    for (const key of this.#accounts.keys()) {
      const [who = '', scope] = key.split(' ', 2);
      const limit = scope === 'account' ? FAILURES_IN_ALL : FAILURES_PER_SOURCE;
      const wait = this.#accounts.getWait(key, limit, now);
      if (wait > (waits.get(who) ?? 0)) waits.set(who, wait);
    }
    return ({ id, lockoutVersion }) => waits.get(accountKey({ user: { id }, lockoutVersion })) ?? 0;
  }

  #add(subject: Subject): LockScope | undefined {
    const now = this.#platform.clock.monotonic();
    let reached: LockScope | undefined;
    for (const { counts, key, limit, scope } of this.#countersOf(subject)) {
      const isReached = counts.add(key, now) === limit;
      if (isReached && scope !== 'all accounts') reached = scope;
    }
    return reached;
  }

  #takeBack(subject: Subject): void {
    for (const { counts, key } of this.#countersOf(subject)) counts.takeBack(key);
  }

  #toSubject({ account, key, address, device }: Attempt): Subject {
    return {
      // No login in clear: people also type passwords into that field.
      who: account ? accountKey(account) : this.#platform.secret.hash('failed login', key),
      isKnown: account !== undefined,
      address,
      ...(device !== undefined && { device }),
    };
  }

  #countersOf({ who, isKnown, address, device }: Subject): Counter[] {
    const counts = isKnown ? this.#accounts : this.#unknown;
    const source = device === undefined ? 'address' : 'device';
    const own: Counter = {
      counts,
      key: `${who} ${source} ${device ?? address}`,
      limit: FAILURES_PER_SOURCE,
      scope: source,
    };
    // All known devices together are limited too: an attacker who had the password once may have created many.
    const key = `${who} account ${source}`;
    const all: Counter = { counts, key, limit: FAILURES_IN_ALL, scope: 'account' };
    if (device !== undefined) return [own, all];
    const client = { counts: this.#addresses, key: address, limit: FAILURES_IN_ALL };
    return [own, all, { ...client, scope: 'all accounts' }];
  }
}

/** By what the failures for an account are counted: another one after each unlocking. */
const accountKey = ({
  user,
  lockoutVersion,
}: Pick<Account, 'lockoutVersion'> & { user: { id: number } }): string =>
  `${user.id}.${lockoutVersion}`;
