import { mailRecords } from '../../mail/index.ts';
import {
  erasePerson,
  KEEPING_GROUNDS,
  type KeepingGround,
  type PersonalDataDeclaration,
  previewErasure,
} from '../../personal-data/index.ts';
import { type Announce, requestPurge, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { normaliseEmail } from '../../platform/email-address.ts';
import { CliError } from '../../platform/errors.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import { activationHistory } from '../activations/index.ts';
import { checkoutOrders, purchaseRecords } from '../checkout/index.ts';
import { customerRecords, findCustomerByEmail } from '../customers/index.ts';
import {
  announceLicence,
  appendEvent,
  auditLog,
  getLicenceStatus,
  type Licence,
  licenceRecords,
  listLicences,
} from '../licences/index.ts';
import { signInLinks } from '../magic-links/index.ts';

/** The kinds of record that lead to a customer, and last what they lead to. */
const RECORDS: readonly PersonalDataDeclaration[] = [
  licenceRecords,
  activationHistory,
  purchaseRecords,
  checkoutOrders,
  signInLinks,
  auditLog,
  mailRecords,
  customerRecords,
];

/** What became, or would become, of the records of one kind. */
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
  /** The licences that still run. */
  licences: string[];
}

/**
 * Lists an erasure beside the database, for a restored backup to lose it again. `insert` is part of the
 * transaction that erases, `withdraw` is for one that was refused.
 */
export type NoteErasure = (
  email: string,
  categories: readonly string[],
) => Promise<{ insert(trx: Trx): Promise<void>; withdraw(): Promise<void> }>;

/** A customer who cannot be deleted, as something remains that needs them. */
export class CustomerInUse extends CliError {}

/** No customer has the address. */
class NoSuchCustomer extends CliError {}

/**
 * What a customer is still needed for: nothing, if they can be deleted.
 * @throws NoSuchCustomer
 */
export async function listRemaining(
  { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  email: string,
  trx: Trx | Platform['datastore']['db'] = datastore.db,
): Promise<Remaining[]> {
  const address = normaliseEmail(email);
  if (!(await findCustomerByEmail(trx, address)))
    throw new NoSuchCustomer(`no customer has the address ${email}`);
  const now = clock.now();
  const { kept } = await previewErasure(trx, customerRecords, 'email', address, now);
  const running = (await listLicences(trx, { email: address })).filter((licence) =>
    isRunning(licence, now),
  );
  return kept.map(({ ground }) => ({
    ground,
    reason: KEEPING_GROUNDS[ground].reason,
    licences: ground === 'contract' ? running.map(({ publicId }) => publicId) : [],
  }));
}

/** One that is suspended may be reinstated. */
const isRunning = (licence: Licence, now: number): boolean =>
  getLicenceStatus({ ...licence, suspendedAt: null }, now) === 'active';

/**
 * Deletes a customer by the rule that an erasure goes by: the address, the sites and the sign-in links
 * go, proof of what was done and what the law requires stays. All of it, or nothing.
 * @returns what became of each kind of record
 * @throws NoSuchCustomer; CustomerInUse while something remains that needs them
 */
export async function deleteCustomer(
  platform: Platform,
  email: string,
  actor: string,
  noteErasure: NoteErasure,
): Promise<CustomerErasure[]> {
  const address = normaliseEmail(email);
  // Before anything is listed; and again under the locks.
  await assertUnused(platform, address);
  const noted = await noteErasure(
    address,
    RECORDS.map(({ category }) => category),
  );
  try {
    return await eraseCustomer(platform, address, actor, noted.insert);
  } catch (error) {
    if (error instanceof CliError) await noted.withdraw();
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
    await noteDeletion(trx, announce, { email: address, actor, at });
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

/** @throws NoSuchCustomer; CustomerInUse while something remains that needs them */
async function assertUnused(platform: Platform, address: string, trx?: Trx): Promise<void> {
  const remaining = await listRemaining(platform, address, trx);
  if (remaining.length > 0) throw new CustomerInUse(inWords(address, remaining));
}

/** In the history of each of their licences: who deleted the customer stays on record. */
async function noteDeletion(
  trx: Trx,
  announce: Announce,
  { email, actor, at }: { email: string; actor: string; at: number },
): Promise<void> {
  for (const { id } of await listLicences(trx, { email, limit: Number.MAX_SAFE_INTEGER })) {
    await appendEvent(trx, id, { at, actor, action: 'customer_deleted', details: {} });
    await announceLicence(trx, announce, id);
  }
}

function inWords(email: string, remaining: readonly Remaining[]): string {
  const reasons = remaining.map(({ reason, licences }) =>
    licences.length > 0 ? `${reason} (${licences.join(', ')})` : reason,
  );
  return `${email} cannot be deleted yet: ${reasons.join('; ')}`;
}
