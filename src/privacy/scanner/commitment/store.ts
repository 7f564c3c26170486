import { sql } from 'kysely';
import type { Trx } from '../../../platform/db/index.ts';
import { ENTRY_KINDS, RowDigest, recordInLog } from '../../consent-log/index.ts';
import type { Scan } from '../store.ts';

const ROWS_AT_ONCE = 200;

/** What is hashed of a scan: not what changes later, such as pictures, which have their hash. */
const EVIDENCE = {
  scan_pages: ['id', 'url', 'state', 'partial', 'error', 'http_status', 'banner', 'distance'],
  scan_findings: [
    'id',
    'page_id',
    'thing',
    'resource_type',
    'url',
    'host',
    'third_party',
    'vendor_id',
    'category',
    'name',
    'consent_state',
    'needs_consent',
    'blocked',
    'sources',
    'details',
    'first_seen',
    'states',
    'verdicts',
    'verdict',
    'broken_promise',
    'evidence',
  ],
  scan_visits: [
    'id',
    'page_id',
    'state',
    'outcome',
    'error',
    'clicks',
    'duration_ms',
    'visited_at',
    'recording',
    'signals',
    'banner',
    'picture_sha256',
  ],
} as const;

type Table = keyof typeof EVIDENCE;

/** Adds a completed scan to the consent log, with the hashes of its pages, findings and visits. */
export async function logScan(trx: Trx, scan: Scan, at: number): Promise<void> {
  const facts = {
    scan: scan.id,
    site_url: scan.siteUrl,
    started_at: new Date(scan.startedAt).toISOString(),
    pages: await hashRows(trx, 'scan_pages', scan.id),
    findings: await hashRows(trx, 'scan_findings', scan.id),
    visits: await hashRows(trx, 'scan_visits', scan.id),
  };
  await recordInLog(trx, { kind: ENTRY_KINDS.scan, facts, at });
}

async function hashRows(trx: Trx, table: Table, scanId: number) {
  const digest = new RowDigest();
  const names = sql.join(EVIDENCE[table].map((name) => sql.ref(name)));
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ id: number } & Record<string, string | number | null>>`
      select ${names} from ${sql.table(table)}
      where scan_id = ${scanId} and id > ${after} order by id limit ${ROWS_AT_ONCE}`.execute(trx);
    for (const row of rows) digest.add(row);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < ROWS_AT_ONCE) return { count: digest.count, sha256: digest.finish() };
  }
}
