import { toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { ActivationLimitError, takeSlot, wasEverActivated } from '../activations/index.ts';
import { mailKey } from '../checkout/index.ts';
import {
  addRestriction,
  announceLicence,
  appendEvent,
  findLicenceWithCustomer,
  getGraceEnd,
  issueLicenceWithin,
  type Licence,
  liftRestrictions,
  lockLicence,
  updateLicence,
} from '../licences/index.ts';
import { type Catalogue, getPlan, getProduct } from '../products/index.ts';
import { deriveNewKey, hashEmail, hashIdentity, hashOldKey, toFields } from './hashes.ts';
import type { ImportedLicence, ImportStatus } from './read-entry.ts';
import { type CurrentFields, type ImportedFields, isSame, mergeImport } from './rules.ts';
import { insertImport, type KnownImport, updateBase } from './store.ts';

export interface ImportContext {
  platform: Platform;
  trx: Trx;
  announce: Announce;
  catalogue: Catalogue;
  source: string;
  /** Until when old keys can be exchanged, in epoch milliseconds. */
  exchangeUntil: number;
  /** Whether customers of new licences get their key by email. */
  notify: boolean;
  /** For the audit log. */
  actor: string;
}

/** The effect of an import on one licence. */
export interface Outcome {
  action: 'created' | 'updated' | 'unchanged' | 'conflict';
  /** The public identifier of the licence. */
  id: string;
  reason: string | null;
  /** The key in clear, if there is no old key to exchange and it was not emailed. */
  key: string | null;
}

/** Creates a licence that was not imported before. */
export async function createImported(
  context: ImportContext,
  imported: ImportedLicence,
): Promise<Outcome> {
  const { platform, trx, announce, actor, notify, source } = context;
  const { oldKey, externalId } = imported;
  const now = platform.clock.now();
  const issued = await issueLicenceWithin(
    platform,
    trx,
    announce,
    {
      email: imported.email,
      product: imported.product,
      tier: imported.tier,
      isArchivedAllowed: true,
      sitesAllowed: imported.sitesAllowed,
      expiresAt: imported.expiresAt,
      mode: imported.mode,
      notes: imported.notes,
      ...(oldKey && { toKey: (licence: Licence) => deriveNewKey(platform, licence, oldKey) }),
      imported: {
        // The source may write the time of its zone, which can be ahead of UTC.
        issuedAt: imported.issuedAt && Math.min(imported.issuedAt, now),
        details: {
          source,
          ...(externalId && { external_id: externalId }),
          ...(imported.status !== 'active' && { status: imported.status }),
        },
      },
    },
    actor,
  );
  const { licence } = issued;
  await insertImport(trx, {
    licence_id: licence.id,
    product_id: licence.productId,
    identity_hash: hashIdentity(platform, source, imported),
    old_key_hash: oldKey ? hashOldKey(platform, oldKey) : null,
    base: toFields(platform, imported, licence.sitesAllowed),
    imported_at: now,
    exchange_until: context.exchangeUntil,
  });
  await setStatus(context, licence, imported.status);
  const reason = await activateSites(context, licence, imported);
  // Nobody needs a key that does not work.
  const isActive = imported.status === 'active' && now < getGraceEnd(licence);
  const isMailed = notify && isActive;
  if (isMailed) await mailKey(platform, trx, announce, issued);
  const key = oldKey || isMailed ? null : issued.key;
  return { action: 'created', id: licence.publicId, reason, key };
}

/** Applies to a licence what changed in the source since it was last imported. */
export async function updateImported(
  context: ImportContext,
  known: KnownImport,
  imported: ImportedLicence,
): Promise<Outcome> {
  const { platform, trx } = context;
  const id = known.licenceId;
  const refuse = (reason: string): Outcome => ({ action: 'conflict', id, reason, key: null });
  const { base } = known;
  if (!base) return refuse('The customer of this licence was deleted here.');
  const toSource = (sitesAllowed: number) => toFields(platform, imported, sitesAllowed);
  const oldKeyHash = imported.oldKey ? hashOldKey(platform, imported.oldKey) : null;
  if (oldKeyHash !== known.oldKeyHash)
    return refuse('The licence was imported with another old key.');
  if (isSame(base, toSource(base.sites_allowed)))
    return { action: 'unchanged', id, reason: null, key: null };

  const licence = await lockLicence(trx, id);
  const found = await findLicenceWithCustomer(trx, id);
  if (!licence || !found) throw new Error(`the imported licence ${id} is missing`);
  const current = toCurrent(context, licence, found.email);
  // Of the new plan, unless the source names a number or it was changed here.
  const isPlanned = imported.tier !== base.tier && current.sites_allowed === base.sites_allowed;
  const source = toSource(
    isPlanned
      ? getPlan(getProduct(context.catalogue, imported.productId), imported.tier).sitesAllowed
      : base.sites_allowed,
  );
  const { changes, conflicts } = mergeImport(base, source, current);
  if (conflicts.length > 0) return refuse(describeConflicts(conflicts, current, source));
  const reason = await applyChanges(context, licence, { changes, imported });
  await updateBase(trx, known.id, source);
  return { action: 'updated', id, reason, key: null };
}

async function applyChanges(
  context: ImportContext,
  licence: Licence,
  {
    changes: { status, ...columns },
    imported,
  }: { changes: ReturnType<typeof mergeImport>['changes']; imported: ImportedLicence },
): Promise<string | null> {
  const { platform, trx, announce, actor, source } = context;
  if (Object.keys(columns).length > 0) await updateLicence(trx, licence.id, columns);
  if (status) await setStatus(context, licence, status);
  const before = {
    tier: licence.tier,
    sites_allowed: licence.sitesAllowed,
    expires_at: toIsoMoment(licence.expiresAt),
    status: getStatus(licence),
  };
  const changed = {
    ...columns,
    ...(columns.expires_at !== undefined && { expires_at: toIsoMoment(columns.expires_at) }),
    ...(status && { status }),
  };
  const details = {
    source,
    ...changed,
    before: Object.fromEntries(Object.entries(before).filter(([name]) => name in changed)),
  };
  if (Object.keys(changed).length > 0) {
    const at = platform.clock.now();
    const event = { at, actor, action: 'imported', details };
    await appendEvent(trx, announce, licence.id, event, licence);
    await announceLicence(trx, announce, licence.id);
  }
  const sitesAllowed = columns.sites_allowed ?? licence.sitesAllowed;
  return activateSites(context, { ...licence, sitesAllowed }, imported);
}

const getStatus = ({ revokedAt, suspendedAt }: Licence): ImportStatus =>
  revokedAt !== null ? 'revoked' : suspendedAt !== null ? 'suspended' : 'active';

const toCurrent = (
  { platform, catalogue }: ImportContext,
  licence: Licence,
  email: string,
): CurrentFields => ({
  email: hashEmail(platform, email),
  product: getProduct(catalogue, licence.productId).slug,
  mode: licence.mode,
  tier: licence.tier,
  sites_allowed: licence.sitesAllowed,
  expires_at: licence.expiresAt,
  status: getStatus(licence),
});

function describeConflicts(
  conflicts: readonly (keyof CurrentFields)[],
  current: CurrentFields,
  source: ImportedFields,
): string {
  if (conflicts.includes('email'))
    return 'The customer changed in the source. Transfer the licence here.';
  const fixed = conflicts.filter((name) => name === 'product' || name === 'mode');
  if (fixed.length > 0)
    return `${fixed.join(' and ')} changed in the source and cannot change here.`;
  if (conflicts.includes('status') && current.status === 'revoked')
    return `The licence is permanently revoked here, but ${source.status} in the source.`;
  return `Changed here and in the source: ${conflicts.join(', ')}. Edit the licence here.`;
}

/** Suspends, reinstates or revokes a licence. */
async function setStatus(
  { trx, platform, actor }: ImportContext,
  { id }: Licence,
  status: ImportStatus,
): Promise<void> {
  if (status !== 'revoked') await liftRestrictions(trx, id, { effect: 'suspended' });
  if (status === 'active') return;
  await addRestriction(trx, id, {
    effect: status,
    cause: 'manual',
    purchaseId: null,
    since: platform.clock.now(),
    actor,
  });
}

/**
 * Activates the sites of the source while slots are free, except those that were active here before.
 * @returns what was not activated; null if nothing was left out
 */
async function activateSites(
  { trx, announce, platform, actor }: ImportContext,
  licence: Licence,
  { sites, unreadableSites }: ImportedLicence,
): Promise<string | null> {
  let full = 0;
  for (const each of sites) {
    if (await wasEverActivated(trx, licence.id, each.site)) continue;
    try {
      await takeSlot(trx, announce, licence, { ...each, now: platform.clock.now(), actor });
    } catch (error) {
      if (!(error instanceof ActivationLimitError)) throw error;
      full++;
    }
  }
  const left = [
    ...(full > 0 ? [`${full} of ${sites.length} sites not activated: no free slot.`] : []),
    ...(unreadableSites.length > 0
      ? [`Not the URL of a site: ${unreadableSites.join(', ').slice(0, 200)}.`]
      : []),
  ];
  return left.length > 0 ? left.join(' ') : null;
}
