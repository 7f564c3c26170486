import { Type } from 'typebox';
import { toCsv } from '../../../platform/csv.ts';
import type { Platform } from '../../../platform/deps.ts';
import { OneOf } from '../../../platform/http/schemas.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../../settings/index.ts';
import { EntryRecord, toEntryRecord } from '../schemas.ts';
import { listAllEntries } from '../store.ts';
import { PRINTABLE_HEADERS, renderRecords } from './printable.ts';

// `missing` is advice to the owner and not part of the records.
const COLUMNS = Object.keys(EntryRecord.properties).filter((name) => name !== 'missing');

/** The records of processing activities: `/data-map/export`. */
export function exportRoutes(
  api: RestApi,
  { datastore, securityLog, clock }: Platform,
  {
    siteUrl,
    settings,
    toDay,
  }: {
    siteUrl: () => string;
    settings: SettingsCache;
    toDay: (milliseconds: number) => string;
  },
): void {
  api.add({
    method: 'GET',
    path: '/data-map/export',
    access: 'read_privacy',
    summary: 'Export the records of processing activities',
    args: Type.Object({ format: OneOf(['csv', 'json', 'html'], { default: 'csv' }) }),
    answers: { 200: Type.Array(EntryRecord) },
    texts: ['text/csv', 'text/html'],
    async handle({ args: { format }, user }) {
      const entries = await listAllEntries(datastore.db);
      await securityLog.recordExport({
        actor: user?.login ?? '',
        what: 'data_map',
        details: { format, records: entries.length },
      });
      if (format === 'html') {
        const { controller } = (await settings.read()).settings;
        const site = { siteUrl: siteUrl(), controller };
        const text = renderRecords(entries, { ...site, now: clock.now(), toDay });
        const raw = { contentType: 'text/html; charset=UTF-8', text };
        return { raw, headers: PRINTABLE_HEADERS };
      }
      const records = entries.map(toEntryRecord);
      const disposition = `attachment; filename="records-of-processing.${format}"`;
      const headers = { 'content-disposition': disposition };
      if (format === 'json') return { body: records, headers };
      const raw = { contentType: 'text/csv; charset=UTF-8', text: toCsv(COLUMNS, records) };
      return { raw, headers };
    },
  });
}
