import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
import type { AssertUnchanged } from '../../platform/rest/items.ts';
import type { SettingsCache } from '../settings/index.ts';
import { lockVendor } from '../vendors/index.ts';
import { parseRetentionDays } from './rules.ts';
import {
  countEntriesOfVendor,
  deleteEntry,
  type Entry,
  type EntryFields,
  findEntry,
  insertEntry,
  lockEntry,
  updateEntry,
} from './store.ts';

/** Without the days, which are parsed from the retention period. */
export type EntryChanges = Omit<EntryFields, 'retention_days'>;

type NewEntry = EntryChanges & Pick<Entry, 'vendor_id' | 'purpose' | 'legal_basis'>;

export interface DataMapScope {
  platform: Platform;
  settings: Pick<SettingsCache, 'renewVersion'>;
}

type Change = 'created' | 'updated' | 'deleted';
type PublishChange = (id: number, change: Change) => void;

/** Publishes a changed entry to extensions after the commit. */
export const publishChange = (announce: Announce, id: number, change: Change): void =>
  publishAction(announce, 'svc_data_map_changed', { id, change });

/**
 * Changes the data map in one transaction. If this changes the vendors or purposes that need consent, a new banner
 * version is created.
 */
export async function changeDataMap<T>(
  { platform, settings }: DataMapScope,
  work: (trx: Trx, publish: PublishChange) => Promise<T>,
): Promise<T> {
  return platform.datastore.transaction(async (trx, announce) => {
    const result = await work(trx, (id, change) => publishChange(announce, id, change));
    await settings.renewVersion(trx, announce);
    return result;
  });
}

/** @throws InvalidFieldError if there is no such vendor */
export async function createEntry(scope: DataMapScope, input: NewEntry): Promise<Entry> {
  return changeDataMap(scope, async (trx, publish) => {
    await assertVendor(trx, input.vendor_id);
    const id = await addEntry(trx, input, scope.platform.clock.now());
    publish(id, 'created');
    return getEntry(trx, id);
  });
}

/** Adds an entry of a vendor that the transaction has locked. */
export async function addEntry(trx: Trx, input: NewEntry, now: number): Promise<number> {
  const { data_categories = [], retention_period = '', status = 'active' } = input;
  const retention_days = parseRetentionDays(retention_period);
  const fields = { ...input, data_categories, retention_period, status, retention_days };
  return insertEntry(trx, fields, now);
}

/** @throws NotFoundError; InvalidFieldError if there is no such vendor */
export async function changeEntry(
  scope: DataMapScope,
  id: number,
  changes: EntryChanges,
  assertUnchanged: AssertUnchanged<Entry>,
): Promise<Entry> {
  return changeDataMap(scope, async (trx, publish) => {
    await lockEntry(trx, id);
    const entry = await getEntry(trx, id);
    assertUnchanged(entry);
    const { vendor_id = entry.vendor_id, retention_period: period } = changes;
    if (vendor_id !== entry.vendor_id) await assertVendor(trx, vendor_id);
    const retention_days = period === undefined ? undefined : parseRetentionDays(period);
    await updateEntry(trx, id, { ...changes, retention_days }, scope.platform.clock.now());
    publish(id, 'updated');
    return getEntry(trx, id);
  });
}

/**
 * @returns the deleted entry
 * @throws NotFoundError
 */
export async function removeEntry(scope: DataMapScope, id: number): Promise<Entry> {
  return changeDataMap(scope, async (trx, publish) => {
    const entry = await getEntry(trx, id);
    // Another request can have deleted it since.
    if (!(await deleteEntry(trx, id))) throw new NotFoundError('The data map entry');
    publish(id, 'deleted');
    return entry;
  });
}

/** Describes where the data map uses a vendor, for errors; undefined if it does not. */
export async function describeVendorUse(trx: Trx, vendorId: number): Promise<string | undefined> {
  const count = await countEntriesOfVendor(trx, vendorId);
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? 'entry' : 'entries'} of the data map`;
}

/** Locks the vendor, so that it cannot be deleted before the transaction ends. */
async function assertVendor(trx: Trx, id: number): Promise<void> {
  if (!(await lockVendor(trx, id)))
    throw new InvalidFieldError('vendor_id', `There is no vendor with the id ${id}.`);
}

async function getEntry(trx: Trx, id: number): Promise<Entry> {
  const entry = await findEntry(trx, id);
  if (!entry) throw new NotFoundError('The data map entry');
  return entry;
}
