import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { FindingWithVerdicts } from '../classify/finding.ts';
import type { ScanState } from '../observation.ts';
import type { ScanFindingTable } from '../tables.ts';
import type { Verdict } from '../verdicts/verdict.ts';
import { isBrokenPromise, loadsWithoutConsent } from '../verdicts/without-consent.ts';

const BATCH_SIZE = 100;

export interface SavedFinding extends Omit<FindingWithVerdicts, 'vendor'> {
  id: number;
  scanId: number;
  pageUrl: string;
  vendor: { id: number; slug: string; name: string } | null;
  /** Loaded without consent, before or against the visitor's choice, although it requires it. */
  needsConsent: boolean;
  firstSeen: number;
  /** States in which it was at work. */
  states: ScanState[];
  /** The first of the verdicts; null if there are none. */
  verdict: Verdict | null;
  /** At work despite rejection or after withdrawal. */
  brokenPromise: boolean;
}

interface PageFindings {
  scan: { id: number; siteUrl: string };
  pageId: number;
  findings: readonly FindingWithVerdicts[];
  now: number;
}

/** Saves the findings of a page, in place of its earlier ones. */
export async function replaceFindings(
  trx: Trx,
  { scan, pageId, findings, now }: PageFindings,
): Promise<SavedFinding[]> {
  const known = await readFirstSeen(
    trx,
    scan.siteUrl,
    findings.map(({ resourceKey }) => resourceKey),
  );
  await trx.deleteFrom('scan_findings').where('page_id', '=', pageId).execute();
  for (const part of chunks(findings)) {
    const rows = part.map((finding) => ({
      scan_id: scan.id,
      page_id: pageId,
      thing: finding.resourceKey,
      resource_type: finding.resourceType,
      url: finding.url,
      host: finding.host,
      third_party: toBit(finding.thirdParty),
      vendor_id: finding.vendor?.id ?? null,
      category: finding.category,
      name: finding.name,
      consent_state: finding.consentState,
      needs_consent: toBit(loadsWithoutConsent(finding)),
      blocked: toBit(finding.blocked),
      sources: JSON.stringify(finding.sources),
      details: JSON.stringify(finding.details),
      first_seen: known.get(finding.resourceKey) ?? now,
      states: JSON.stringify(finding.evidence.map(({ state }) => state)),
      verdicts: JSON.stringify(finding.verdicts),
      verdict: finding.verdicts[0] ?? null,
      broken_promise: toBit(isBrokenPromise(finding.verdicts)),
      evidence: JSON.stringify(finding.evidence),
    }));
    await trx.insertInto('scan_findings').values(rows).execute();
  }
  const rows = await selectFindings(trx).where('finding.page_id', '=', pageId).execute();
  return rows.map(toFinding);
}

/**
 * When scans of a site first found resources. A query for each key reads one row of the index, while `group by` would
 * read all findings.
 */
async function readFirstSeen(
  trx: Trx,
  siteUrl: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  for (const part of chunks(keys)) {
    const row = await trx
      .selectNoFrom((eb) =>
        part.map((key, at) =>
          eb
            .selectFrom('scan_findings as finding')
            .innerJoin('scans', 'scans.id', 'finding.scan_id')
            .where('finding.thing', '=', key)
            .where('scans.site_url', '=', siteUrl)
            .select('finding.first_seen')
            .orderBy('finding.first_seen')
            .limit(1)
            .as(`first${at}`),
        ),
      )
      .executeTakeFirstOrThrow();
    for (const [at, key] of part.entries()) {
      const first = row[`first${at}`];
      if (typeof first === 'number') known.set(key, first);
    }
  }
  return known;
}

/** Findings with their vendors, but for those that were deleted or whose extension was removed. */
export const joinVendors = (db: Db | Trx) =>
  db
    .selectFrom('scan_findings as finding')
    .leftJoin('vendors as vendor', (join) =>
      join.onRef('vendor.id', '=', 'finding.vendor_id').on('vendor.is_present', '=', 1),
    );

export const selectFindings = (db: Db | Trx) =>
  joinVendors(db)
    .innerJoin('scan_pages as page', 'page.id', 'finding.page_id')
    .selectAll('finding')
    .select(['page.url as page_url', 'vendor.slug as vendor_slug', 'vendor.name as vendor_name'])
    .orderBy('finding.id');

type FindingRow = Selectable<ScanFindingTable> & {
  page_url: string;
  vendor_slug: string | null;
  vendor_name: string | null;
};

export const toFinding = (row: FindingRow): SavedFinding => ({
  id: row.id,
  scanId: row.scan_id,
  resourceKey: row.thing,
  resourceType: row.resource_type,
  url: row.url,
  host: row.host,
  thirdParty: row.third_party === 1,
  vendor:
    row.vendor_id !== null && row.vendor_slug !== null && row.vendor_name !== null
      ? { id: row.vendor_id, slug: row.vendor_slug, name: row.vendor_name }
      : null,
  category: row.category,
  name: row.name,
  pageUrl: row.page_url,
  consentState: row.consent_state,
  needsConsent: row.needs_consent === 1,
  blocked: row.blocked === 1,
  sources: JSON.parse(row.sources),
  details: JSON.parse(row.details),
  firstSeen: row.first_seen,
  states: JSON.parse(row.states),
  verdicts: JSON.parse(row.verdicts),
  verdict: row.verdict,
  brokenPromise: row.broken_promise === 1,
  evidence: JSON.parse(row.evidence),
});

const toBit = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Batches that fit into the parameters of one statement. */
export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += BATCH_SIZE) yield items.slice(at, at + BATCH_SIZE);
}
