import { toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { normaliseEmail } from '../../platform/email-address.ts';
import { DomainError, NotFoundError } from '../../platform/errors.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
import { ensureCustomer } from '../customers/index.ts';
import { appendEvent } from './audit-log/service.ts';
import { findLatestAction } from './audit-log/store.ts';
import { listKeyHashes } from './keys/store.ts';
import type { Licence } from './rules.ts';
import { lockLicence, recordTransfer, updateLicence } from './store.ts';

/** Topic of changes to a licence. The key of the announcement is the hash of a licence key. */
export const LICENCE_CHANGED = 'licence';

/** Invalidates the licence in the caches of all nodes, and notifies extensions of its latest action. */
export async function announceLicence(
  trx: Trx,
  announce: Announce,
  licenceId: number,
): Promise<void> {
  for (const keyHash of await listKeyHashes(trx, licenceId)) announce(LICENCE_CHANGED, keyHash);
  const latest = await findLatestAction(trx, licenceId);
  if (latest) publishAction(announce, 'svc_licence_changed', latest);
}

/** Sets the expiry to an earlier or later moment. */
export function extendLicence(
  platform: Platform,
  id: string,
  expiresAt: number,
  actor: string,
): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence) => {
    if (expiresAt === licence.expiresAt) return { licence, action: undefined };
    return {
      licence: await updateLicence(trx, licence.id, { expires_at: expiresAt }),
      action: 'extended',
      details: { from: toIsoMoment(licence.expiresAt), to: toIsoMoment(expiresAt) },
    };
  });
}

/**
 * Transfers a licence to another customer, who is created if new. The key and the active sites stay. The new
 * customer sees these sites because they use slots, but no site that was deactivated before.
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
    assertPossible(
      customer.id !== licence.customerId,
      `Licence ${id} already belongs to this customer.`,
    );
    const transferred = await updateLicence(trx, licence.id, {
      customer_id: customer.id,
      transferred_at: now,
      // Notes may be about the former customer.
      notes: '',
    });
    await recordTransfer(trx, licence.customerId, now);
    return {
      licence: transferred,
      action: 'transferred',
      // The log must not keep email addresses of deleted customers.
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
  /** In the audit log; undefined if nothing was changed. */
  action: string | undefined;
  details?: Record<string, unknown>;
}

/** Changes a licence under its lock, logs the action and announces the change. */
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
    await appendEvent(trx, announce, licence.id, { at: now, actor, action, details });
    await announceLicence(trx, announce, licence.id);
    return changed;
  });
}

/** @throws DomainError `not_possible` */
export function assertPossible(condition: boolean, message: string): void {
  if (!condition) throw new DomainError('conflict', 'not_possible', message);
}
