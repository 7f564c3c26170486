import { mailRecords } from '../../../mail/index.ts';
import {
  erasePerson,
  KEEPING_GROUNDS,
  type KeepingGround,
  type PersonalDataDeclaration,
  previewRecordErasure,
} from '../../../personal-data/index.ts';
import { type Announce, requestPurge, type Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { normaliseEmail } from '../../../platform/email-address.ts';
import { DomainError } from '../../../platform/errors.ts';
import { toLocalDay } from '../../../platform/local-time.ts';
import { webhookEvents } from '../../../webhooks/index.ts';
import { activationHistory } from '../../activations/index.ts';
import { checkoutOrders, purchaseRecords } from '../../checkout/index.ts';
import { customerRecords, findCustomerByEmail } from '../../customers/index.ts';
import {
  announceLicence,
  appendEvent,
  auditLog,
  type LicenceWithCustomer,
  licenceRecords,
  listLicences,
  listLicencesKeeping,
} from '../../licences/index.ts';
import { signInLinks } from '../../magic-links/index.ts';

/** The kinds of record that refer to a customer, and last the customer itself. */
const RECORDS: readonly PersonalDataDeclaration[] = [
  licenceRecords,
  activationHistory,
  purchaseRecords,
  checkoutOrders,
  signInLinks,
  auditLog,
  mailRecords,
  webhookEvents,
  customerRecords,
];

/** The effect of the deletion on one kind of record. */
export interface CustomerErasure {
  category: string;
  label: string;
  erased: number;
  anonymised: number;
  kept: { count: number; ground: KeepingGround; reason: string }[];
}

/** Why a customer cannot be deleted yet. */
export interface Remaining {
  ground: KeepingGround;
  reason: string;
  /** Those that are neither revoked nor expired, also transferred ones with an active site of the customer, and those that they pay. */
  licences: LicenceWithCustomer[];
}

/**
 * Records an erasure outside the database, so that it can be applied again after a backup is restored. `insert` is
 * part of the erasing transaction; `withdraw` removes the record of a transaction that was not committed.
 */
export type RecordErasure = (
  email: string,
  categories: readonly string[],
) => Promise<{ insert(trx: Trx): Promise<void>; withdraw(): Promise<void> }>;

/**
 * Lists why a customer cannot be deleted; empty if they can.
 * @throws DomainError `not_found`
 */
export async function listRemaining(
  { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  email: string,
  trx: Trx | Platform['datastore']['db'] = datastore.db,
): Promise<Remaining[]> {
  const address = normaliseEmail(email);
  const customer = await findCustomerByEmail(trx, address);
  if (!customer)
    throw new DomainError('not_found', 'not_found', `No customer has the email address ${email}.`);
  const now = clock.now();
  const { kept } = await previewRecordErasure(trx, customerRecords, 'email', address, now);
  const keeping = await listLicencesKeeping(trx, customer.id, now);
  return kept.map(({ ground }) => ({
    ground,
    reason: KEEPING_GROUNDS[ground].reason,
    licences: ground === 'contract' ? keeping : [],
  }));
}

/**
 * Deletes a customer by the rules for erasure: email address, sites and sign-in links are deleted; evidence and
 * records under a statutory retention period stay. One transaction.
 * @returns the effect on each kind of record
 * @throws DomainError `not_found`; `customer_in_use` while they cannot be deleted
 */
export async function deleteCustomer(
  platform: Platform,
  email: string,
  actor: string,
  recordErasure: RecordErasure,
): Promise<CustomerErasure[]> {
  const address = normaliseEmail(email);
  // Checked again in the transaction.
  await assertUnused(platform, address);
  const recorded = await recordErasure(
    address,
    RECORDS.map(({ category }) => category),
  );
  try {
    return await eraseCustomer(platform, address, actor, recorded.insert);
  } catch (error) {
    await recorded.withdraw();
    throw error;
  }
}

function eraseCustomer(
  platform: Platform,
  address: string,
  actor: string,
  insertErasures: (trx: Trx) => Promise<void>,
): Promise<CustomerErasure[]> {
  return platform.datastore.transaction(async (trx, announce) => {
    await assertUnused(platform, address, trx);
    const at = platform.clock.now();
    await logCustomerDeletion(trx, announce, { email: address, actor, at });
    await insertErasures(trx);
    const moment = { at, day: toLocalDay('UTC')(at) };
    const done: CustomerErasure[] = [];
    for (const type of RECORDS) {
      const { kept, ...counts } = await erasePerson(trx, type, 'email', address, moment);
      const stays = kept.map(({ count, ground }) => ({
        count,
        ground,
        reason: KEEPING_GROUNDS[ground].reason,
      }));
      done.push({ category: type.category, label: type.label, ...counts, kept: stays });
    }
    await requestPurge(trx);
    return done;
  });
}

/** @throws DomainError `not_found`; `customer_in_use` while they cannot be deleted */
async function assertUnused(platform: Platform, address: string, trx?: Trx): Promise<void> {
  const remaining = await listRemaining(platform, address, trx);
  if (remaining.length > 0)
    throw new DomainError('conflict', 'customer_in_use', describe(address, remaining));
}

/** Logs who deleted the customer in the history of each of their licences. */
async function logCustomerDeletion(
  trx: Trx,
  announce: Announce,
  { email, actor, at }: { email: string; actor: string; at: number },
): Promise<void> {
  for (const { id } of await listLicences(trx, { email, limit: Number.MAX_SAFE_INTEGER })) {
    await appendEvent(trx, announce, id, { at, actor, action: 'customer_deleted', details: {} });
    await announceLicence(trx, announce, id);
  }
}

function describe(email: string, remaining: readonly Remaining[]): string {
  const reasons = remaining.map(({ reason, licences }) =>
    licences.length > 0
      ? `${reason} (${licences.map((licence) => describeLicence(licence, email)).join(', ')})`
      : reason,
  );
  return `${email} cannot be deleted yet: ${reasons.join('; ')}.`;
}

const describeLicence = ({ publicId, email }: LicenceWithCustomer, deleted: string): string =>
  email === deleted
    ? publicId
    : `${publicId}, transferred to ${email} with a site that is still active or a subscription of theirs that still runs`;
