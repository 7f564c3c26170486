import type { Platform } from '../../platform/deps.ts';
import { formatErrorMessage } from '../../platform/hooks/timeout.ts';
import { invalidParam, notFound } from '../../platform/rest/errors.ts';
import { type Consultation, LicenceServer } from './licence-server.ts';
import { isCheckDue, isLicenceKey, maskKey, type Verdict } from './rules.ts';
import {
  cancelPendingDeactivations,
  deletePendingDeactivation,
  deleteSiteLicence,
  insertPendingDeactivation,
  listPendingDeactivations,
  readSiteLicence,
  recordCheck,
  replaceSiteLicence,
  type SiteLicence,
} from './store.ts';

const PURPOSE = 'site-licence';
/** How long somebody who saves or removes a key waits for the licence server. */
const ANSWER_WITHIN_MS = 2_000;

export interface LicenceScope {
  siteUrl: () => string;
  /** The public address of the Licence API that is asked. */
  licenceApiUrl: () => string;
}

const unknownKey = (message: string): Verdict => ({
  status: 'unknown_key',
  valid: false,
  tier: null,
  features: [],
  sitesAllowed: null,
  sitesUsed: null,
  expiresAt: null,
  message,
});

/**
 * Saves the site's key and activates the site with it. The key is kept sealed; the one it takes the
 * place of is given up. If the licence server does not answer within two seconds the key is saved all the
 * same, and checked later.
 * @throws RestError 400 `rest_invalid_param` if it cannot be a key, or the licence server has no such
 */
export async function saveLicenceKey(
  platform: Platform,
  scope: LicenceScope,
  text: string,
): Promise<SiteLicence | undefined> {
  const key = text.trim();
  if (!isLicenceKey(key)) {
    throw invalidParam(
      'key',
      'A licence key begins with pv_live_ or pv_test_ and has 32 letters and digits after that.',
    );
  }
  const { datastore, secret, clock } = platform;
  const siteUrl = scope.siteUrl();
  const keyHash = secret.hash(PURPOSE, key);
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const server = new LicenceServer(scope.licenceApiUrl(), { key, siteUrl, retry: true, signal });
  const said = await ifReachable(platform, () => server.consult());
  if (said?.outcome === 'unknown key') throw invalidParam('key', said.message);

  await datastore.transaction(async (trx) => {
    const now = clock.now();
    const former = await readSiteLicence(trx);
    const isSame = former?.keyHash === keyHash && former.siteUrl === siteUrl;
    if (former && !isSame) await insertPendingDeactivation(trx, former, now);
    await cancelPendingDeactivations(trx, { keyHash, siteUrl });
    const kept = isSame ? former : undefined;
    const verdict = said?.verdict ?? kept?.verdict;
    await replaceSiteLicence(trx, {
      sealed_key: secret.seal(PURPOSE, key),
      key_hash: keyHash,
      masked_key: maskKey(key),
      site: siteUrl,
      is_activated: (said ?? kept)?.isActivated ? 1 : 0,
      verdict: verdict ? JSON.stringify(verdict) : null,
      checked_at: said ? now : (kept?.checkedAt ?? null),
      tried_at: now,
      failing_since: said ? null : (kept?.failingSince ?? now),
      saved_at: now,
    });
  });
  if (said) await sendPendingDeactivations(platform, scope, signal);
  return readSiteLicence(datastore.db);
}

/** Asks the licence server about the site's key, if what is known of it is 12 hours old. */
export async function checkLicence(
  platform: Platform,
  scope: LicenceScope,
  signal: AbortSignal,
): Promise<void> {
  const { datastore, clock, secret } = platform;
  const licence = await readSiteLicence(datastore.db);
  if (!licence || !isCheckDue(licence, clock.now())) return;

  const key = secret.unseal(PURPOSE, licence.sealedKey);
  const { siteUrl } = licence;
  const server = new LicenceServer(scope.licenceApiUrl(), { key, siteUrl, retry: false, signal });
  const said = await ifReachable(platform, () => server.consult(licence));
  // Stopped by us, which says nothing about the licence server.
  if (signal.aborted) return;
  const now = clock.now();
  if (!said) {
    const failingSince = licence.failingSince ?? now;
    await recordCheck(datastore.db, licence, { tried_at: now, failing_since: failingSince });
  } else {
    await recordCheck(datastore.db, licence, {
      ...toCheckColumns(said),
      checked_at: now,
      tried_at: now,
      failing_since: null,
    });
  }
}

/**
 * The site's licence as it is known. Checks that are due run behind the response, one at a time: nobody
 * waits for a licence server that does not answer.
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

  /** Stops a check that runs. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error('the server is stopping'));
    await this.#checking;
  }

  #check(): void {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#checking ??= checkLicence(this.#platform, this.#scope, signal)
      .catch((err) => this.#platform.log.warn({ err }, 'the licence of the site is not checked'))
      .finally(() => {
        this.#checking = undefined;
      });
  }
}

function toCheckColumns(said: Consultation) {
  if (said.outcome === 'unknown key') return { verdict: JSON.stringify(unknownKey(said.message)) };
  const isActivated: 0 | 1 = said.isActivated ? 1 : 0;
  return { verdict: JSON.stringify(said.verdict), is_activated: isActivated };
}

/**
 * Gives the key up and takes the site off the licence; if the licence server does not answer within two
 * seconds that is done later.
 * @returns what was given up, and whether the licence server knows
 * @throws RestError 404 `not_found` if there is no key
 */
export async function removeLicenceKey(
  platform: Platform,
  scope: LicenceScope,
): Promise<{ previous: SiteLicence; isDeactivated: boolean }> {
  const { datastore, clock } = platform;
  const previous = await datastore.transaction(async (trx) => {
    const licence = await readSiteLicence(trx);
    if (!licence) throw notFound('The licence key');
    await insertPendingDeactivation(trx, licence, clock.now());
    await deleteSiteLicence(trx);
    return licence;
  });
  await sendPendingDeactivations(platform, scope, AbortSignal.timeout(ANSWER_WITHIN_MS));
  const waiting = await listPendingDeactivations(datastore.db);
  const isDeactivated = !waiting.some(({ keyHash }) => keyHash === previous.keyHash);
  return { previous, isDeactivated };
}

/** Takes the site off the licences that it has given up, as far as the licence server answers. */
export async function sendPendingDeactivations(
  platform: Platform,
  scope: LicenceScope,
  signal: AbortSignal,
): Promise<void> {
  const { datastore, secret } = platform;
  for (const { id, sealedKey, siteUrl, keyHash } of await listPendingDeactivations(datastore.db)) {
    const key = secret.unseal(PURPOSE, sealedKey);
    const server = new LicenceServer(scope.licenceApiUrl(), { key, siteUrl, retry: false, signal });
    const isGone = await ifReachable(platform, async () => {
      await server.deactivate();
      return true;
    });
    // The others would have to wait for the same server.
    if (!isGone) return;
    await deletePendingDeactivation(datastore.db, id);
    // Taken up again meanwhile: the next check gives the site its slot back.
    const current = await readSiteLicence(datastore.db);
    if (current?.keyHash === keyHash && current.siteUrl === siteUrl)
      await recordCheck(datastore.db, current, { is_activated: 0, checked_at: null, tried_at: 0 });
  }
}

/** What the licence server said; undefined if it did not, which is no verdict about any key. */
async function ifReachable<T>({ log }: Platform, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    log.warn({ reason: formatErrorMessage(error) }, 'the licence server does not answer');
    return undefined;
  }
}
