import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  announceLicence,
  appendEvent,
  findLicenceByKeyHash,
  getLicenceStatus,
  hashKey,
  type Licence,
  lockLicence,
  toRenewalUrl,
} from '../licences/index.ts';
import { getProduct, readCatalogue } from '../products/index.ts';
import { ActivationLimitError, queueLimitReached } from './limit-reached.ts';
import type { SiteCredentials } from './site-request.ts';
import { needsSlot } from './site-url.ts';
import {
  type Activation,
  insertActivation,
  listActivations,
  listInUse,
  listOwnActivations,
  markDeactivated,
  markSlot,
  wasEverActivated,
} from './store.ts';

/** In the audit log, for requests with a licence key. */
const ACTOR = 'licence key';

const REFUSED = {
  suspended:
    'The licence is suspended. If its payment is due, pay it in your account. Otherwise, contact the vendor.',
  revoked: 'The licence has been revoked.',
};

export const licenceRefused = (status: keyof typeof REFUSED) =>
  new DomainError('forbidden', `licence_${status}`, REFUSED[status]);

export const licenceNotFound = () =>
  new DomainError('not_found', 'licence_not_found', 'No licence has this key.');

/** Also for another customer's licence. */
export const noSuchLicence = () =>
  new DomainError('not_found', 'licence_not_found', 'This licence is not in your account.');

/**
 * @param publicUrl of the Licence API
 * @throws DomainError `licence_expired`, `licence_suspended`, `licence_revoked`
 */
export function assertActive(licence: Licence, now: number, publicUrl: string): void {
  const status = getLicenceStatus(licence, now);
  if (status === 'active') return;
  if (status !== 'expired') throw licenceRefused(status);
  const message = `The licence has expired. To activate sites, renew it at ${toRenewalUrl(publicUrl, licence)}`;
  throw new DomainError('forbidden', 'licence_expired', message);
}

/**
 * Activates a site, which uses a slot of its licence. An active site keeps its activation, also if the licence is
 * full.
 * @param publicUrl of the Licence API
 * @throws DomainError `activation_limit_reached`, `licence_expired`, `licence_suspended`,
 * `licence_revoked`; 404 `licence_not_found`
 */
export async function activateSite(
  platform: Platform,
  { siteUrl, site, ...credentials }: SiteCredentials,
  publicUrl: string,
): Promise<{ licence: Licence; activation: Activation }> {
  const activated = withLicenceOfKey(platform, credentials, async (licence, trx, announce) => {
    const now = platform.clock.now();
    assertActive(licence, now, publicUrl);
    const activation = await takeSlot(trx, announce, licence, {
      ...{ site, siteUrl, now, publicUrl },
      actor: ACTOR,
    });
    return { licence, activation };
  });
  return activated.catch(async (error) => {
    // The refusal has rolled its transaction back.
    await queueLimitReached(platform, error);
    throw error;
  });
}

/**
 * Activates a site on a licence that is locked, whatever its status. An active site keeps its activation.
 * @param wanted `now` in epoch milliseconds, `actor` for the audit log, `publicUrl` of the Licence API for the help
 *   link of the error, `replaced` a site that this transaction has deactivated, and that stays active after the error
 * @throws ActivationLimitError
 */
export async function takeSlot(
  trx: Trx,
  announce: Announce,
  licence: Licence,
  {
    site,
    siteUrl,
    now,
    actor,
    publicUrl,
    replaced,
  }: Pick<SiteCredentials, 'site' | 'siteUrl'> & {
    now: number;
    actor: string;
    publicUrl?: string;
    replaced?: Activation | undefined;
  },
): Promise<Activation> {
  const inUse = await listInUse(trx, licence.id);
  const already = inUse.find((activation) => activation.siteKey === site);
  if (already) return already;

  const takesSlot = needsSlot(licence, site);
  const used = inUse.filter((activation) => activation.takesSlot).length;
  if (takesSlot && used >= licence.sitesAllowed) {
    const usedAfter = used + (replaced?.takesSlot ? 1 : 0);
    throw new ActivationLimitError(licence, siteUrl.trim(), usedAfter, publicUrl);
  }
  const activation = await insertActivation(trx, {
    licence_id: licence.id,
    customer_id: licence.customerId,
    site_key: site,
    site_url: siteUrl.trim(),
    takes_slot: takesSlot ? 1 : 0,
    activated_at: now,
  });
  const details = { activation_id: activation.id, site_url: activation.siteUrl };
  await appendEvent(trx, announce, licence.id, { at: now, actor, action: 'activated', details });
  await announceLicence(trx, announce, licence.id);
  return activation;
}

/**
 * Deactivates a site, whatever the status of its licence.
 * @returns false if the site was never active
 * @throws DomainError `licence_not_found`
 */
export async function deactivateSite(
  platform: Platform,
  { site, ...credentials }: SiteCredentials,
): Promise<boolean> {
  return withLicenceOfKey(platform, credentials, async (licence, trx, announce) => {
    const inUse = await listInUse(trx, licence.id);
    const active = inUse.find((activation) => activation.siteKey === site);
    if (!active) return wasEverActivated(trx, licence.id, site);
    const end = { activation: active, licenceId: licence.id, at: platform.clock.now() };
    await deactivate(trx, announce, { ...end, actor: ACTOR });
    return true;
  });
}

interface Deactivation {
  activation: Activation;
  licenceId: number;
  at: number;
  actor: string;
}

/** Ends an active activation of a licence that is locked. */
export async function deactivate(
  trx: Trx,
  announce: Announce,
  { activation, licenceId, at, actor }: Deactivation,
): Promise<void> {
  await markDeactivated(trx, activation.id, at);
  const details = { activation_id: activation.id, site_url: activation.siteUrl };
  await appendEvent(trx, announce, licenceId, { at, actor, action: 'deactivated', details });
  await announceLicence(trx, announce, licenceId);
}

/**
 * Ends an activation. It may have ended before.
 * @param customerId if the licence must belong to a customer
 * @param actor for the audit log
 * @returns the URL of its site
 * @throws DomainError `licence_not_found`, also for another customer's licence; `activation_not_found`
 */
export async function releaseActivation(
  platform: Platform,
  { customerId, ...claim }: { customerId?: number; licenceId: string; activationId: number },
  actor: string,
): Promise<string> {
  return platform.datastore.transaction(async (trx, announce) => {
    const licence = await lockLicence(trx, claim.licenceId);
    const isAllowed = customerId === undefined || licence?.customerId === customerId;
    if (!licence || !isAllowed) throw noSuchLicence();
    const all =
      customerId === undefined
        ? await listActivations(trx, licence.id)
        : await listOwnActivations(trx, licence);
    const activation = all.find(({ id }) => id === claim.activationId);
    if (!activation) {
      const message = 'The licence has no such activation.';
      throw new DomainError('not_found', 'activation_not_found', message);
    }
    const end = { activation, licenceId: licence.id, at: platform.clock.now(), actor };
    if (activation.deactivatedAt === null) await deactivate(trx, announce, end);
    return activation.siteUrl;
  });
}

/**
 * Recounts the slots of active development sites after the setting of the licence was changed. Sites stay active,
 * even if they use more slots than the licence has.
 */
export async function recountSlots(trx: Trx, licence: Licence): Promise<void> {
  for (const { id, siteKey, takesSlot } of await listInUse(trx, licence.id)) {
    const isNeeded = needsSlot(licence, siteKey);
    if (takesSlot !== isNeeded) await markSlot(trx, id, isNeeded);
  }
}

/**
 * Runs work on the licence of a key, under its lock.
 * @throws DomainError `licence_not_found`, also for the key of another product
 */
async function withLicenceOfKey<T>(
  platform: Platform,
  { licenceKey, product }: Pick<SiteCredentials, 'licenceKey' | 'product'>,
  work: (licence: Licence, trx: Trx, announce: Announce) => Promise<T>,
): Promise<T> {
  const keyHash = hashKey(platform, licenceKey);
  return platform.datastore.transaction(async (trx, announce) => {
    const find = () => findLicenceByKeyHash(trx, keyHash, platform.clock.now());
    const found = await find();
    if (found) await lockLicence(trx, found.licence.publicId);
    // Read again under the lock: the key may have been rotated in the meantime.
    const locked = found && (await find());
    if (!locked) throw licenceNotFound();
    const isOther =
      product !== undefined &&
      getProduct(await readCatalogue(trx), locked.licence.productId).slug !== product;
    if (isOther) throw licenceNotFound();
    return work(locked.licence, trx, announce);
  });
}
