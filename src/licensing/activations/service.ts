import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  announceLicence,
  appendEvent,
  describeFullLicence,
  findLicenceByKeyHash,
  getLicenceStatus,
  hashKey,
  type Licence,
  lockLicence,
  toRenewalUrl,
} from '../licences/index.ts';
import type { SiteCredentials } from './site-request.ts';
import { isDevelopmentSite } from './site-url.ts';
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

/** Who acts when a site speaks for itself with its licence key. */
const ACTOR = 'licence key';

const REFUSED = {
  suspended: 'The licence is suspended. Ask the vendor to reinstate it.',
  revoked: 'The licence has been revoked.',
};

export const licenceNotFound = () =>
  new DomainError('not_found', 'licence_not_found', 'No licence has this key.');

/** For somebody else's licence and for none alike. */
export const noSuchLicence = () =>
  new DomainError('not_found', 'licence_not_found', 'This licence is not in your account.');

/**
 * Activates a site, which takes a slot of its licence. A site that is active already keeps its
 * activation, also when the licence is full.
 * @param publicUrl of the Licence API
 * @throws DomainError `activation_limit_reached`, `licence_expired`, `licence_suspended`,
 * `licence_revoked`; 404 `licence_not_found`
 */
export async function activateSite(
  platform: Platform,
  { licenceKey, siteUrl, site }: SiteCredentials,
  publicUrl: string,
): Promise<{ licence: Licence; activation: Activation }> {
  return withLicenceOfKey(platform, licenceKey, async (licence, trx, announce) => {
    const now = platform.clock.now();
    const status = getLicenceStatus(licence, now);
    if (status === 'expired') {
      const message = `The licence has expired. To activate sites, renew it at ${toRenewalUrl(publicUrl, licence)}`;
      throw new DomainError('forbidden', 'licence_expired', message);
    }
    if (status !== 'active')
      throw new DomainError('forbidden', `licence_${status}`, REFUSED[status]);

    const inUse = await listInUse(trx, licence.id);
    const already = inUse.find((activation) => activation.siteKey === site);
    if (already) return { licence, activation: already };

    const takesSlot = !(licence.developmentSitesFree && isDevelopmentSite(site));
    const used = inUse.filter((activation) => activation.takesSlot).length;
    if (takesSlot && used >= licence.sitesAllowed) {
      throw new DomainError(
        'forbidden',
        'activation_limit_reached',
        `${describeFullLicence(used, licence.sitesAllowed)} Deactivate a site to free one.`,
      );
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
    await appendEvent(trx, licence.id, { at: now, actor: ACTOR, action: 'activated', details });
    await announceLicence(trx, announce, licence.id);
    return { licence, activation };
  });
}

/**
 * Frees a site's slot, whatever state the licence is in.
 * @returns whether the site was ever active, which is when the wanted end is reached
 * @throws DomainError `licence_not_found`
 */
export async function deactivateSite(
  platform: Platform,
  { licenceKey, site }: SiteCredentials,
): Promise<boolean> {
  return withLicenceOfKey(platform, licenceKey, async (licence, trx, announce) => {
    const inUse = await listInUse(trx, licence.id);
    const active = inUse.find((activation) => activation.siteKey === site);
    if (!active) return wasEverActivated(trx, licence.id, site);
    await deactivate(
      platform,
      { activation: active, licenceId: licence.id, actor: ACTOR },
      trx,
      announce,
    );
    return true;
  });
}

async function deactivate(
  { clock }: Platform,
  { activation, licenceId, actor }: { activation: Activation; licenceId: number; actor: string },
  trx: Trx,
  announce: Announce,
): Promise<void> {
  const at = clock.now();
  await markDeactivated(trx, activation.id, at);
  const details = { activation_id: activation.id, site_url: activation.siteUrl };
  await appendEvent(trx, licenceId, { at, actor, action: 'deactivated', details });
  await announceLicence(trx, announce, licenceId);
}

/**
 * Frees the slot of an activation. One that is free already stays so.
 * @param claim with the customer, where it must be of a licence of theirs
 * @param actor who does it, for the audit log
 * @returns the site that it was of
 * @throws DomainError `licence_not_found`, for somebody else's licence as for none; `activation_not_found`
 */
export async function releaseActivation(
  platform: Platform,
  claim: { customerId?: number; licenceId: string; activationId: number },
  actor: string,
): Promise<string> {
  return platform.datastore.transaction(async (trx, announce) => {
    const licence = await lockLicence(trx, claim.licenceId);
    const isClaimed = claim.customerId === undefined || licence?.customerId === claim.customerId;
    if (!licence || !isClaimed) throw noSuchLicence();
    const all =
      claim.customerId === undefined
        ? await listActivations(trx, licence.id)
        : await listOwnActivations(trx, licence);
    const activation = all.find(({ id }) => id === claim.activationId);
    if (!activation) {
      throw new DomainError(
        'not_found',
        'activation_not_found',
        'The licence has no such activation.',
      );
    }
    const ended = { activation, licenceId: licence.id, actor };
    if (activation.deactivatedAt === null) await deactivate(platform, ended, trx, announce);
    return activation.siteUrl;
  });
}

/**
 * Frees the slots of active development sites, or takes them again, after the licence's setting was changed.
 * Sites stay active, even if more slots are taken then than the licence has.
 */
export async function recountSlots(trx: Trx, licence: Licence): Promise<void> {
  for (const { id, siteKey, takesSlot } of await listInUse(trx, licence.id)) {
    const isFree = licence.developmentSitesFree && isDevelopmentSite(siteKey);
    if (takesSlot === isFree) await markSlot(trx, id, !isFree);
  }
}

/** Works on the licence of a key while no other request can. */
async function withLicenceOfKey<T>(
  platform: Platform,
  key: string,
  work: (licence: Licence, trx: Trx, announce: Announce) => Promise<T>,
): Promise<T> {
  const keyHash = hashKey(platform, key);
  return platform.datastore.transaction(async (trx, announce) => {
    const find = () => findLicenceByKeyHash(trx, keyHash, platform.clock.now());
    const found = await find();
    if (found) await lockLicence(trx, found.licence.publicId);
    // Again, now that it stays as it is: a reroll may have ended the key while we waited.
    const held = found && (await find());
    if (!held) throw licenceNotFound();
    return work(held.licence, trx, announce);
  });
}
