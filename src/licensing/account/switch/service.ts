import type { Platform } from '../../../platform/deps.ts';
import {
  type Activation,
  assertActive,
  deactivate,
  listInUse,
  noSuchLicence,
  parseSiteUrl,
  queueLimitReached,
  takeSlot,
} from '../../activations/index.ts';
import type { Customer } from '../../customers/index.ts';
import {
  findLicenceWithCustomer,
  type LicenceWithCustomer,
  lockLicence,
} from '../../licences/index.ts';

/** In the audit log. */
const ACTOR = 'customer';

export interface SwitchOptions {
  licence: LicenceWithCustomer;
  /** The active sites that use a slot, oldest first. */
  sites: Activation[];
  /** Whether the site that asks is active. */
  isActive: boolean;
}

/**
 * The active sites among which a customer chooses one to deactivate.
 * @throws DomainError `licence_not_found`, also for another customer's licence; `invalid_request` for an invalid URL
 */
export async function readSwitchOptions(
  { datastore: { db } }: Platform,
  { id: customerId }: Customer,
  { licenceId, siteUrl }: { licenceId: string; siteUrl: string },
): Promise<SwitchOptions> {
  const site = parseSiteUrl(siteUrl);
  const licence = await findLicenceWithCustomer(db, licenceId);
  if (licence?.customerId !== customerId) throw noSuchLicence();
  const inUse = await listInUse(db, licence.id);
  return {
    licence,
    sites: inUse.filter(({ takesSlot }) => takesSlot).toSorted((one, other) => one.id - other.id),
    isActive: inUse.some(({ siteKey }) => siteKey === site),
  };
}

export interface Switched {
  activation: Activation;
  /** The URL of the site that was deactivated; undefined if none was. */
  deactivated: string | undefined;
}

/**
 * Deactivates a site of a licence and activates another, both or neither. A site that is active already keeps its
 * activation, and then no other site is deactivated. A chosen site that has been deactivated in the meantime counts as
 * done.
 * @param choice `activationId` is undefined if a slot is free
 * @param publicUrl of the Licence API
 * @throws DomainError `licence_not_found`; 403 `activation_limit_reached` if no slot is free
 *   afterwards, `licence_expired`, `licence_suspended`, `licence_revoked`; `invalid_request` for an invalid URL
 */
export async function switchSite(
  platform: Platform,
  { id: customerId }: Customer,
  {
    licenceId,
    activationId,
    siteUrl,
  }: { licenceId: string; activationId: number | undefined; siteUrl: string },
  publicUrl: string,
): Promise<Switched> {
  const site = parseSiteUrl(siteUrl);
  const switched = platform.datastore.transaction(async (trx, announce) => {
    const licence = await lockLicence(trx, licenceId);
    if (licence?.customerId !== customerId) throw noSuchLicence();
    const now = platform.clock.now();
    assertActive(licence, now, publicUrl);
    const inUse = await listInUse(trx, licence.id);
    const isActive = inUse.some(({ siteKey }) => siteKey === site);
    const chosen = isActive ? undefined : inUse.find(({ id }) => id === activationId);
    if (chosen)
      await deactivate(trx, announce, {
        activation: chosen,
        licenceId: licence.id,
        at: now,
        actor: ACTOR,
      });
    const wanted = { site, siteUrl, now, publicUrl, actor: ACTOR, replaced: chosen };
    const activation = await takeSlot(trx, announce, licence, wanted);
    return { activation, deactivated: chosen?.siteUrl };
  });
  return switched.catch(async (error) => {
    // The refusal has rolled its transaction back, so the chosen site is still active.
    await queueLimitReached(platform, error);
    throw error;
  });
}
