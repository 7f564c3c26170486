import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
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
  updateEntry,
} from './store.ts';

/** Without the days, which are read from the retention period. Undefined: unchanged. */
export type EntryChanges = Omit<EntryFields, 'retentionDays'>;

type NewEntry = EntryChanges & Pick<Entry, 'vendorId' | 'purpose' | 'legalBasis'>;

export interface DataMapScope {
  platform: Platform;
  settings: Pick<SettingsCache, 'renewVersion'>;
}

/** Publishes a changed entry to extensions after the commit. */
type PublishChange = (id: number, change: 'created' | 'updated' | 'deleted') => void;

/**
 * Changes the data map in one transaction. If this changes the vendors or purposes that need consent, a new banner
 * version is created.
 */
export async function changeDataMap<T>(
  { platform, settings }: DataMapScope,
  work: (trx: Trx, publish: PublishChange) => Promise<T>,
): Promise<T> {
  return platform.datastore.transaction(async (trx, announce) => {
    const result = await work(trx, (id, change) =>
      publishAction(announce, 'svc_data_map_changed', { id, change }),
    );
    await settings.renewVersion(trx, announce);
    return result;
  });
}

/** @throws InvalidFieldError if there is no such vendor */
export async function createEntry(scope: DataMapScope, input: NewEntry): Promise<Entry> {
  return changeDataMap(scope, async (trx, publish) => {
    await assertVendor(trx, input.vendorId);
    const id = await addEntry(trx, input, scope.platform.clock.now());
    publish(id, 'created');
    return getEntry(trx, id);
  });
}

/** Adds an entry of a vendor that the transaction has locked. */
export async function addEntry(trx: Trx, input: NewEntry, now: number): Promise<number> {
  const { dataCategories = [], retentionPeriod = '', status = 'active' } = input;
  const retentionDays = parseRetentionDays(retentionPeriod);
  const fields = { ...input, dataCategories, retentionPeriod, status, retentionDays };
  return insertEntry(trx, fields, now);
}

/** @throws NotFoundError; InvalidFieldError if there is no such vendor */
export async function changeEntry(
  scope: DataMapScope,
  id: number,
  changes: EntryChanges,
): Promise<Entry> {
  return changeDataMap(scope, async (trx, publish) => {
    const { vendorId } = await getEntry(trx, id);
    const { vendorId: next = vendorId, retentionPeriod } = changes;
    if (next !== vendorId) await assertVendor(trx, next);
    const retentionDays =
      retentionPeriod === undefined ? undefined : parseRetentionDays(retentionPeriod);
    await updateEntry(trx, id, { ...changes, retentionDays }, scope.platform.clock.now());
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
