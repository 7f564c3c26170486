import { toCsvHead, toCsvRows } from '../../platform/csv.ts';
import type { Db } from '../../platform/db/index.ts';
import type { ExportFormat } from '../../platform/rest/response.ts';
import { SecurityEventRecord, toSecurityEventRecord } from './schemas.ts';
import { type EventFilter, listEventsAfter } from './store.ts';

const AT_ONCE = 1_000;
const COLUMNS = Object.keys(SecurityEventRecord.properties);

/**
 * Streams events, oldest first, as one document.
 * @param counted called with the number of records of each chunk
 */
export async function* exportEvents(
  db: Db,
  filter: EventFilter,
  format: ExportFormat,
  counted: (records: number) => void,
): AsyncGenerator<string> {
  yield format === 'csv' ? toCsvHead(COLUMNS) : '[';
  let last = 0;
  for (;;) {
    const events = await listEventsAfter(db, filter, last, AT_ONCE);
    const page = events.map(toSecurityEventRecord);
    counted(page.length);
    if (format === 'csv') yield toCsvRows(COLUMNS, page.map(toCells));
    else if (page.length > 0)
      yield `${last > 0 ? ',' : ''}\n${page.map((record) => JSON.stringify(record)).join(',\n')}`;
    last = events.at(-1)?.id ?? last;
    if (events.length < AT_ONCE) break;
  }
  if (format === 'json') yield '\n]\n';
}

const toCells = (record: ReturnType<typeof toSecurityEventRecord>) => ({
  ...record,
  details: JSON.stringify(record.details),
});
