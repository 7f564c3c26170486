import type { Trx } from '../../../platform/db/index.ts';
import { ENTRY_KINDS, hashRows, recordInLog } from '../../consent-log/index.ts';
import type { Scan } from '../store.ts';

/** What is hashed of a scan: not what changes later, such as pictures, which have their hash, and leases. */
const EVIDENCE = {
  scans: [
    'id',
    'status',
    'site_url',
    'depth',
    'engine',
    'started_at',
    'completed_at',
    'robots_excluded',
    'crawl_limit',
    'states',
    'started_by',
  ],
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

/** Adds a completed scan to the consent log, with the hashes of its row, pages, findings and visits. */
export async function logScan(
  trx: Trx,
  { id, siteUrl, startedAt }: Scan,
  at: number,
): Promise<void> {
  const hash = (table: keyof typeof EVIDENCE) =>
    hashRows(trx, {
      table,
      columns: EVIDENCE[table],
      where: [table === 'scans' ? 'id' : 'scan_id', id],
    });
  const facts = {
    scan: id,
    site_url: siteUrl,
    started_at: new Date(startedAt).toISOString(),
    record: { ...(await hash('scans')) },
    pages: { ...(await hash('scan_pages')) },
    findings: { ...(await hash('scan_findings')) },
    visits: { ...(await hash('scan_visits')) },
  };
  await recordInLog(trx, { kind: ENTRY_KINDS.scan, facts, at });
}
