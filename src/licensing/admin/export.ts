import { toCsvHead, toCsvRows } from '../../platform/csv.ts';
import type { Platform } from '../../platform/deps.ts';
import type { ExportFormat } from '../../platform/rest/response.ts';
import { listLicencesAfter } from '../licences/index.ts';
import { LicenceRecord } from './schemas.ts';
import { describeLicences, toStoreFilter } from './service.ts';

const BATCH = 1_000;
const COLUMNS = Object.keys(LicenceRecord.properties);

/**
 * Streams the licences that match a filter, oldest first, as one document.
 * @param counted called with the number of licences in each chunk
 */
export async function* exportLicences(
  platform: Platform,
  filter: Parameters<typeof toStoreFilter>[1],
  format: ExportFormat,
  counted: (licences: number) => void,
): AsyncGenerator<string> {
  const { datastore, clock } = platform;
  const now = clock.now();
  const wanted = await toStoreFilter(platform, filter);
  yield format === 'csv' ? toCsvHead(COLUMNS) : '[';
  for (let after = 0; ; ) {
    const page = { now, after, limit: BATCH };
    const licences = await listLicencesAfter(datastore.reader, wanted, page);
    const records = await describeLicences(platform, licences);
    counted(records.length);
    if (format === 'csv') yield toCsvRows(COLUMNS, records);
    else if (records.length > 0)
      yield `${after > 0 ? ',' : ''}\n${records.map((record) => JSON.stringify(record)).join(',\n')}`;
    after = licences.at(-1)?.id ?? after;
    if (licences.length < BATCH) break;
  }
  if (format === 'json') yield '\n]\n';
}
