import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
import { invalidParam, notFound } from '../../platform/rest/errors.ts';
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

/** What a caller says of an entry; the days follow from the period. */
export type EntryInput = Omit<EntryFields, 'retentionDays'>;

type NewEntry = Partial<EntryInput> & Pick<EntryInput, 'vendorId' | 'purpose' | 'legalBasis'>;

const BLANK = {
  dataCategories: [],
  retentionPeriod: '',
  status: 'active',
  article30: {},
} satisfies Partial<EntryInput>;

/** What a change of the data map needs. */
export interface DataMapScope {
  platform: Platform;
  settings: Pick<SettingsCache, 'renewVersion'>;
}

/** Tells extensions of a changed entry, once it is committed. */
type NoteChange = (id: number, change: 'created' | 'updated' | 'deleted') => void;

/**
 * Changes the data map in one transaction. If visitors are asked about other vendors or purposes
 * after it, that is a new version of what they are asked.
 */
export async function changeDataMap<T>(
  { platform, settings }: DataMapScope,
  work: (trx: Trx, note: NoteChange) => Promise<T>,
): Promise<T> {
  return platform.datastore.transaction(async (trx, announce) => {
    const result = await work(trx, (id, change) =>
      publishAction(announce, 'svc_data_map_changed', { id, change }),
    );
    await settings.renewVersion(trx, announce);
    return result;
  });
}

/**
 * Adds an entry.
 * @throws RestError 400 `rest_invalid_param` if there is no such vendor
 */
export async function createEntry(scope: DataMapScope, input: NewEntry): Promise<Entry> {
  return changeDataMap(scope, async (trx, note) => {
    await assertVendor(trx, input.vendorId);
    const id = await addEntry(trx, input, scope.platform.clock.now());
    note(id, 'created');
    return readBack(trx, id);
  });
}

/** Writes an entry whose vendor is known to be there. */
export async function addEntry(trx: Trx, input: NewEntry, now: number): Promise<number> {
  return insertEntry(
    trx,
    { ...BLANK, ...input, retentionDays: null, ...toRetentionDays(input) },
    now,
  );
}

/**
 * Changes the fields that are given.
 * @throws RestError 404; 400 `rest_invalid_param` if there is no such vendor
 */
export async function changeEntry(
  scope: DataMapScope,
  id: number,
  input: Partial<EntryInput>,
): Promise<Entry> {
  return changeDataMap(scope, async (trx, note) => {
    const entry = await findEntry(trx, id);
    if (!entry) throw notFound('The data map entry');
    const { vendorId = entry.vendorId } = input;
    if (vendorId !== entry.vendorId) await assertVendor(trx, vendorId);
    await updateEntry(trx, id, { ...input, ...toRetentionDays(input) }, scope.platform.clock.now());
    note(id, 'updated');
    return readBack(trx, id);
  });
}

/**
 * Deletes an entry.
 * @returns what it was
 * @throws RestError 404
 */
export async function removeEntry(scope: DataMapScope, id: number): Promise<Entry> {
  return changeDataMap(scope, async (trx, note) => {
    const entry = await findEntry(trx, id);
    if (!entry || !(await deleteEntry(trx, id))) throw notFound('The data map entry');
    note(id, 'deleted');
    return entry;
  });
}

/** Where the data map uses a vendor, in words; undefined if it does not. */
export async function describeVendorUse(trx: Trx, vendorId: number): Promise<string | undefined> {
  const count = await countEntriesOfVendor(trx, vendorId);
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? 'entry' : 'entries'} of the data map`;
}

const toRetentionDays = ({ retentionPeriod }: Partial<EntryInput>): Partial<EntryFields> =>
  retentionPeriod === undefined ? {} : { retentionDays: parseRetentionDays(retentionPeriod) };

/** The vendor stays until the transaction has ended. */
async function assertVendor(trx: Trx, id: number): Promise<void> {
  if (!(await lockVendor(trx, id))) {
    throw invalidParam('vendor_id', `There is no vendor with the id ${id}.`);
  }
}

async function readBack(trx: Trx, id: number): Promise<Entry> {
  const entry = await findEntry(trx, id);
  if (!entry) throw notFound('The data map entry');
  return entry;
}
