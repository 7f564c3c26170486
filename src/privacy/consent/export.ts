import { toCsvHead, toCsvRows } from '../../platform/csv.ts';
import type { Db } from '../../platform/db/index.ts';
import type { ExportFormat } from '../../platform/rest/response.ts';
import { readPictureLinks } from './pictures/links.ts';
import { ConsentRecordSchema, toConsentRecord } from './schemas.ts';
import { nextConsents, type RecordFilter } from './store.ts';

const AT_ONCE = 200;
const COLUMNS = Object.keys(ConsentRecordSchema.properties);

/**
 * Streams the records of a filter, oldest first, with at most `AT_ONCE` in memory. Records that are added during the
 * export can be included.
 * @param restUrl the URL of a route of the API
 * @param counted called with the number of records of each chunk
 */
export async function* exportConsents(
  db: Db,
  filter: RecordFilter,
  format: ExportFormat,
  { restUrl, counted }: { restUrl: (path: string) => string; counted: (records: number) => void },
): AsyncGenerator<string> {
  yield format === 'csv' ? toCsvHead(COLUMNS) : '[';
  let last = 0;
  for (;;) {
    const rows = await nextConsents(db, filter, last, AT_ONCE);
    const linkPictures = await readPictureLinks(db, rows, restUrl);
    const records = rows.map((row) => toConsentRecord(row, linkPictures));
    counted(records.length);
    if (format === 'csv') yield toCsvRows(COLUMNS, records.map(toCells));
    else if (records.length > 0)
      yield `${last > 0 ? ',' : ''}\n${records.map((each) => JSON.stringify(each)).join(',\n')}`;
    last = records.at(-1)?.id ?? last;
    if (records.length < AT_ONCE) break;
  }
  if (format === 'json') yield '\n]\n';
}

/** An empty cell could be read as "no banner was shown". */
const toCells = (record: ReturnType<typeof toConsentRecord>) => ({
  ...record,
  config_version: record.config_version ?? 'not stated',
});
