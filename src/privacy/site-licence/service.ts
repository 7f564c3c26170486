import { isLicenceKey, maskKey } from '../../platform/crypto/licence-key.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import { formatErrorMessage } from '../../platform/hooks/timeout.ts';
import { type Consultation, LicenceServer } from './licence-server.ts';
import { createEmptyVerdict, isCheckDue, isSameSite } from './rules.ts';
import {
  deletePendingDeactivation,
  deleteSiteLicence,
  insertPendingDeactivation,
  listPendingDeactivations,
  lockSiteLicence,
  readSiteLicence,
  recordCheck,
  replaceSiteLicence,
  type SiteLicence,
} from './store.ts';

const PURPOSE = 'site-licence';
/** How long a request that saves or removes a key waits for the licence server. */
const TIMEOUT_MS = 2_000;

export interface LicenceScope {
  siteUrl: () => string;
  /** The base URL of the Licence API. */
  licenceApiUrl: () => string;
}

/**
 * Saves the licence key, encrypted, and activates the site with it. The site is deactivated for the previous key. If
 * the licence server does not answer within two seconds, the key is saved and checked later.
 * @throws InvalidFieldError if the text is not a key or the licence server does not know it
 */
export async function saveLicenceKey(
  platform: Platform,
  scope: LicenceScope,
  text: string,
): Promise<SiteLicence | undefined> {
  const key = text.trim();
  if (!isLicenceKey(key)) {
    throw new InvalidFieldError(
      'key',
      'A licence key consists of pv_live_ or pv_test_ and 32 letters and digits.',
    );
  }
  const { datastore, secret, clock } = platform;
  const site = scope.siteUrl();
  const key_hash = secret.hash(PURPOSE, key);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const server = new LicenceServer(scope.licenceApiUrl(), {
    key,
    siteUrl: site,
    retry: true,
    signal,
  });
  const answer = await ifReachable(platform, () => server.consult());
  if (answer?.outcome === 'unknown key') throw new InvalidFieldError('key', answer.message);

  await datastore.transaction(async (trx) => {
    await lockSiteLicence(trx);
    const now = clock.now();
    const former = await readSiteLicence(trx);
    const isSame = former?.key_hash === key_hash && isSameSite(former.site, site);
    if (former && !isSame) await insertPendingDeactivation(trx, former, now);
    for (const pending of await listPendingDeactivations(trx)) {
      if (pending.key_hash === key_hash && isSameSite(pending.site, site))
        await deletePendingDeactivation(trx, pending.id);
    }
    const kept = isSame ? former : undefined;
    const verdict = answer?.verdict ?? kept?.verdict;
    await replaceSiteLicence(trx, {
      sealed_key: secret.seal(PURPOSE, key),
      key_hash,
      masked_key: maskKey(key),
      site,
      is_activated: answer ? toFlag(answer.isActivated) : (kept?.is_activated ?? 0),
      verdict: verdict ? JSON.stringify(verdict) : null,
      checked_at: answer ? now : (kept?.checked_at ?? null),
      tried_at: now,
      failing_since: answer ? null : (kept?.failing_since ?? now),
      saved_at: now,
    });
  });
  if (answer) await sendPendingDeactivations(platform, scope, signal);
  return readSiteLicence(datastore.db);
}

/** Validates the licence at the licence server if that is due. */
export async function checkLicence(
  platform: Platform,
  scope: LicenceScope,
  signal: AbortSignal,
): Promise<void> {
  const { datastore, clock, secret } = platform;
  const licence = await readSiteLicence(datastore.db);
  if (!licence || !isCheckDue(licence, clock.now())) return;
  // The key was saved for another site. Only a person can tell a site that has moved from a copy of it.
  if (!isSameSite(licence.site, scope.siteUrl())) return;

  const key = secret.unseal(PURPOSE, licence.sealed_key);
  const siteUrl = licence.site;
  const server = new LicenceServer(scope.licenceApiUrl(), { key, siteUrl, retry: false, signal });
  const answer = await ifReachable(platform, () => server.consult(licence));
  // An abort by this process is not a failure of the licence server.
  if (signal.aborted) return;
  const now = clock.now();
  await recordCheck(
    datastore.db,
    licence,
    answer
      ? { ...toCheckColumns(answer), checked_at: now, tried_at: now, failing_since: null }
      : { tried_at: now, failing_since: licence.failing_since ?? now },
  );
}

/**
 * Reads the licence from the database. Checks that are due run in the background, one at a time, so that no request
 * waits for the licence server.
 */
export class KnownLicence {
  readonly #platform: Platform;
  readonly #scope: LicenceScope;
  readonly #stopping = new AbortController();
  #checking: Promise<void> | undefined;

  constructor(platform: Platform, scope: LicenceScope) {
    this.#platform = platform;
    this.#scope = scope;
  }

  async read(): Promise<SiteLicence | undefined> {
    const { datastore, clock } = this.#platform;
    const licence = await readSiteLicence(datastore.db);
    if (licence && isCheckDue(licence, clock.now())) this.#check();
    return licence;
  }

  /** Aborts a running check. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error('the server is stopping'));
    await this.#checking;
  }

  #check(): void {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#checking ??= checkLicence(this.#platform, this.#scope, signal)
      .catch((err) =>
        this.#platform.log.warn({ err }, 'the licence of the site could not be checked'),
      )
      .finally(() => {
        this.#checking = undefined;
      });
  }
}

const toFlag = (is: boolean): 0 | 1 => (is ? 1 : 0);

function toCheckColumns(answer: Consultation) {
  if (answer.outcome === 'unknown key')
    return { verdict: JSON.stringify(createEmptyVerdict('unknown_key', answer.message)) };
  return { verdict: JSON.stringify(answer.verdict), is_activated: toFlag(answer.isActivated) };
}

/**
 * Removes the licence key and deactivates the site; later if the licence server does not answer within two seconds.
 * @throws NotFoundError if no key is saved
 */
export async function removeLicenceKey(
  platform: Platform,
  scope: LicenceScope,
): Promise<{ previous: SiteLicence; isDeactivated: boolean }> {
  const { datastore, clock } = platform;
  const previous = await datastore.transaction(async (trx) => {
    await lockSiteLicence(trx);
    const licence = await readSiteLicence(trx);
    if (!licence) throw new NotFoundError('The licence key');
    await insertPendingDeactivation(trx, licence, clock.now());
    await deleteSiteLicence(trx);
    return licence;
  });
  await sendPendingDeactivations(platform, scope, AbortSignal.timeout(TIMEOUT_MS));
  const pending = await listPendingDeactivations(datastore.db);
  const isDeactivated = !pending.some(({ key_hash }) => key_hash === previous.key_hash);
  return { previous, isDeactivated };
}

/** Deactivates the site for removed keys, until the licence server does not answer. */
export async function sendPendingDeactivations(
  platform: Platform,
  scope: LicenceScope,
  signal: AbortSignal,
): Promise<void> {
  const { datastore, secret } = platform;
  for (const { id, sealed_key, key_hash, site } of await listPendingDeactivations(datastore.db)) {
    const key = secret.unseal(PURPOSE, sealed_key);
    const request = { key, siteUrl: site, retry: false, signal };
    const server = new LicenceServer(scope.licenceApiUrl(), request);
    const isDone = await ifReachable(platform, () => server.deactivate().then(() => true));
    if (!isDone) return;
    await deletePendingDeactivation(datastore.db, id);
    // If the same key was saved again meanwhile, the next check activates the site.
    const current = await readSiteLicence(datastore.db);
    if (current?.key_hash === key_hash && isSameSite(current.site, site))
      await recordCheck(datastore.db, current, { is_activated: 0, checked_at: null, tried_at: 0 });
  }
}

/** @returns undefined if the licence server does not answer */
async function ifReachable<T>({ log }: Platform, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    log.warn({ reason: formatErrorMessage(error) }, 'the licence server cannot be reached');
    return undefined;
  }
}
