import { toIsoMoment } from '../../platform/clock.ts';
import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { normaliseEmail } from '../../platform/email-address.ts';
import { DomainError, NotFoundError } from '../../platform/errors.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
import { ensureCustomer } from '../customers/index.ts';
import { generateKey, type LicenceMode, maskKey } from './key.ts';
import type { Restriction, RestrictionEffect } from './restrictions/rules.ts';
import { addRestriction, liftRestrictions, listRestrictions } from './restrictions/store.ts';
import { getLicenceStatus, type Licence } from './rules.ts';
import {
  appendEvent,
  findLatestAction,
  insertKey,
  insertLicence,
  listKeyHashes,
  listMaskedKeys,
  lockLicence,
  retireKeys,
  updateActiveUntil,
  updateLicence,
} from './store.ts';
import { getTierSites, hasFreeDevelopmentSites, type Tier } from './tiers.ts';

/** The topic on which changes of a licence are announced; the key is the hash of its licence key. */
export const LICENCE_CHANGED = 'licence';

export interface IssueRequest {
  email: string;
  tier: Tier;
  /** Default: what the tier gives. */
  sitesAllowed?: number | undefined;
  expiresAt: number;
  mode: LicenceMode;
  graceDays?: number | undefined;
  /** Default: as the tier has it. */
  developmentSitesFree?: boolean | undefined;
  notes?: string | undefined;
}

/** The clear key exists in this answer and nowhere else. */
export interface IssuedLicence {
  licence: Licence;
  key: string;
  email: string;
}

/** The clear key exists in this answer and nowhere else, as with `IssuedLicence`. */
export interface RotatedKey {
  licence: Licence;
  key: string;
  /** Masked. */
  oldKey: string;
  /** From this moment on, in epoch milliseconds, the old key is unknown. */
  oldKeyUntil: number;
}

/** The form in which keys are stored and looked up. */
export const hashKey = ({ secret }: Platform, key: string): string =>
  secret.hash('licence-key', key);

/**
 * Tells every node that what its cache holds of a licence is no longer so, and extensions of the latest entry of its
 * history.
 */
export async function announceLicence(
  trx: Trx,
  announce: Announce,
  licenceId: number,
): Promise<void> {
  for (const keyHash of await listKeyHashes(trx, licenceId)) announce(LICENCE_CHANGED, keyHash);
  const latest = await findLatestAction(trx, licenceId);
  if (latest) publishAction(announce, 'svc_licence_changed', latest);
}

/**
 * Issues a licence to the customer with this address, who is made if there is none.
 * @param actor who did it, for the audit log
 */
export function issueLicence(
  platform: Platform,
  request: IssueRequest,
  actor: string,
): Promise<IssuedLicence> {
  return platform.datastore.transaction((trx, announce) =>
    issueLicenceWithin(platform, trx, announce, request, actor),
  );
}

/** `issueLicence`, as a part of a transaction. */
export async function issueLicenceWithin(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  request: IssueRequest,
  actor: string,
): Promise<IssuedLicence> {
  const email = normaliseEmail(request.email);
  const now = platform.clock.now();
  const customer = await ensureCustomer(trx, email, now);
  const licence = await insertLicence(trx, {
    public_id: `lic_${randomAlphanumeric(16)}`,
    customer_id: customer.id,
    mode: request.mode,
    tier: request.tier,
    sites_allowed: request.sitesAllowed ?? getTierSites(request.tier),
    grace_days: request.graceDays ?? 0,
    development_sites_free:
      (request.developmentSitesFree ?? hasFreeDevelopmentSites(request.tier)) ? 1 : 0,
    notes: request.notes ?? '',
    issued_at: now,
    expires_at: request.expiresAt,
  });
  const key = await createKey(platform, trx, licence, now);
  await appendEvent(trx, licence.id, {
    at: now,
    actor,
    action: 'issued',
    details: {
      mode: licence.mode,
      tier: licence.tier,
      sites_allowed: licence.sitesAllowed,
      expires_at: toIsoMoment(licence.expiresAt),
    },
  });
  await announceLicence(trx, announce, licence.id);
  return { licence, key, email };
}

/** Moves the expiry, in either direction. */
export function extendLicence(
  platform: Platform,
  id: string,
  expiresAt: number,
  actor: string,
): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence) => {
    const changed = await updateLicence(trx, licence.id, { expires_at: expiresAt });
    return {
      licence: changed,
      action: 'extended',
      details: { from: toIsoMoment(licence.expiresAt), to: toIsoMoment(expiresAt) },
    };
  });
}

/**
 * Stops a licence until somebody reinstates it, whatever its payments do; its sites keep their slots.
 * One that payments have suspended can be suspended by hand as well.
 */
export function suspendLicence(platform: Platform, id: string, actor: string): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence, now) => {
    refuseIf(
      licence.revokedAt !== null,
      `Licence ${id} is revoked. A revoked licence cannot be suspended.`,
    );
    refuseIf(
      await isStoppedByHand(trx, licence, 'suspended'),
      `Licence ${id} is already suspended.`,
    );
    return {
      licence: await addRestriction(trx, licence.id, byHand('suspended', now, actor)),
      action: 'suspended',
    };
  });
}

/** Ends every suspension, those by payments included: a person has the last word. */
export function reinstateLicence(platform: Platform, id: string, actor: string): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence) => {
    refuseIf(
      licence.revokedAt !== null,
      `Licence ${id} is permanently revoked. Issue a new licence instead.`,
    );
    refuseIf(licence.suspendedAt === null, `Licence ${id} is not suspended.`);
    return {
      licence: await liftRestrictions(trx, licence.id, { effect: 'suspended' }),
      action: 'reinstated',
    };
  });
}

/** Ends a licence for good, also one that payments have revoked and could restore. */
export function revokeLicence(platform: Platform, id: string, actor: string): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence, now) => {
    refuseIf(await isStoppedByHand(trx, licence, 'revoked'), `Licence ${id} is already revoked.`);
    return {
      licence: await addRestriction(trx, licence.id, byHand('revoked', now, actor)),
      action: 'revoked',
    };
  });
}

const byHand = (effect: RestrictionEffect, since: number, actor: string): Restriction => ({
  effect,
  cause: 'manual',
  purchaseId: null,
  since,
  actor,
});

async function isStoppedByHand(
  trx: Trx,
  { id }: Licence,
  wanted: RestrictionEffect,
): Promise<boolean> {
  const all = await listRestrictions(trx, id);
  return all.some(({ effect, cause }) => effect === wanted && cause === 'manual');
}

/**
 * Gives a licence a new key; its sites keep their slots.
 * @param overlapHours how long the old key still works
 * @param tell what else is done in its transaction, as a mail
 */
export async function rotateKey(
  platform: Platform,
  id: string,
  overlapHours: number,
  actor: string,
  tell: (trx: Trx, announce: Announce, rerolled: RotatedKey) => Promise<void> = async () => {},
): Promise<{ licence: Licence; key: string }> {
  let key = '';
  const licence = await changeLicence(platform, id, actor, async (trx, current, now, announce) => {
    const status = getLicenceStatus(current, now);
    refuseIf(
      status === 'revoked',
      `Licence ${id} is permanently revoked. Issue a new licence instead.`,
    );
    const [oldKey = ''] = (await listMaskedKeys(trx, [current.id])).values();
    const oldKeyUntil = now + overlapHours * HOUR_MS;
    await retireKeys(trx, current.id, oldKeyUntil);
    key = await createKey(platform, trx, current, now);
    await tell(trx, announce, { licence: current, key, oldKey, oldKeyUntil });
    return {
      licence: current,
      action: 'rerolled',
      details: { new_key: maskKey(key), overlap_hours: overlapHours },
    };
  });
  return { licence, key };
}

/**
 * Gives a licence to another customer, who is made if there is none; its key and the sites in use stay.
 * The new customer sees those, since they hold slots, but no site that was deactivated before.
 */
export function transferLicence(
  platform: Platform,
  id: string,
  email: string,
  actor: string,
): Promise<Licence> {
  const address = normaliseEmail(email);
  return changeLicence(platform, id, actor, async (trx, licence, now) => {
    const customer = await ensureCustomer(trx, address, now);
    refuseIf(customer.id === licence.customerId, `Licence ${id} already belongs to this customer.`);
    const transferred = await updateLicence(trx, licence.id, {
      customer_id: customer.id,
      transferred_at: now,
      // They are about the customer it had.
      notes: '',
    });
    await updateActiveUntil(trx, licence.customerId, now);
    return {
      licence: transferred,
      action: 'transferred',
      // By number: the log must not keep addresses of those who have gone.
      details: {
        from_customer: licence.customerId,
        to_customer: customer.id,
        ...(licence.notes && { before: { notes: licence.notes } }),
      },
    };
  });
}

interface Change {
  licence: Licence;
  /** What the audit log calls it; undefined where nothing was changed. */
  action: string | undefined;
  details?: Record<string, unknown>;
}

/** Changes one licence under its lock, writes down that it happened, and tells every node. */
export async function changeLicence(
  platform: Platform,
  id: string,
  actor: string,
  change: (trx: Trx, licence: Licence, now: number, announce: Announce) => Promise<Change>,
): Promise<Licence> {
  return platform.datastore.transaction(async (trx, announce) => {
    const licence = await lockLicence(trx, id);
    if (!licence) throw new NotFoundError(`Licence ${id}`);
    const now = platform.clock.now();
    const { licence: changed, action, details = {} } = await change(trx, licence, now, announce);
    if (action === undefined) return changed;
    await appendEvent(trx, licence.id, { at: now, actor, action, details });
    await announceLicence(trx, announce, licence.id);
    return changed;
  });
}

async function createKey(
  platform: Platform,
  trx: Trx,
  licence: Licence,
  now: number,
): Promise<string> {
  const key = generateKey(licence.mode);
  await insertKey(trx, {
    licence_id: licence.id,
    key_hash: hashKey(platform, key),
    masked_key: maskKey(key),
    created_at: now,
  });
  return key;
}

/** @throws DomainError `not_possible` */
function refuseIf(condition: boolean, message: string): void {
  if (condition) throw new DomainError('conflict', 'not_possible', message);
}
