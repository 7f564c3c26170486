import { toCsvHead, toCsvRows } from '../../platform/csv.ts';
import type { Db } from '../../platform/db/index.ts';
import { ConsentRecordSchema, type ExportFormat, toConsentRecord } from './schemas.ts';
import { nextConsents, type RecordFilter } from './store.ts';

const AT_ONCE = 200;
const COLUMNS = Object.keys(ConsentRecordSchema.properties);

/**
 * The records that a filter leaves, oldest first, as one document in pieces: however many there are,
 * a few hundred are in memory. Those that are made meanwhile may be in it.
 * @param counted called with the number of records of each piece
 */
export async function* exportConsents(
  db: Db,
  filter: RecordFilter,
  format: ExportFormat,
  counted: (records: number) => void,
): AsyncGenerator<string> {
  yield format === 'csv' ? toCsvHead(COLUMNS) : '[';
  let last = 0;
  for (;;) {
    const records = await nextConsents(db, filter, last, AT_ONCE);
    const page = records.map(toConsentRecord);
    counted(page.length);
    if (format === 'csv') yield toCsvRows(COLUMNS, page.map(toCells));
    else if (page.length > 0)
      yield `${last > 0 ? ',' : ''}\n${page.map((record) => JSON.stringify(record)).join(',\n')}`;
    last = records.at(-1)?.id ?? last;
    if (records.length < AT_ONCE) break;
  }
  if (format === 'json') yield '\n]\n';
}

/** An empty cell would read as if nothing had been asked. */
const toCells = (record: ReturnType<typeof toConsentRecord>) => ({
  ...record,
  config_version: record.config_version ?? 'not stated',
});
