import { sql } from 'kysely';
import { countRows, type Db, type Trx } from '../../../platform/db/index.ts';
import type { ResourceType } from '../classify/finding.ts';
import { joinVendors, type SavedFinding, selectFindings, toFinding } from '../findings/store.ts';
import { findScan } from '../store.ts';
import { VERDICTS, type Verdict } from '../verdicts/verdict.ts';
import { type HostTally, mergeCookieHosts, type ResourceTally } from './rules.ts';

export async function listFindings(
  db: Db,
  scanId: number,
  {
    resourceType,
    offset = 0,
    limit = Number.MAX_SAFE_INTEGER,
  }: { resourceType?: ResourceType; offset?: number; limit?: number },
): Promise<{ findings: SavedFinding[]; total: number }> {
  let counted = db.selectFrom('scan_findings').where('scan_id', '=', scanId);
  let query = selectFindings(db).where('finding.scan_id', '=', scanId);
  if (resourceType !== undefined) {
    counted = counted.where('resource_type', '=', resourceType);
    query = query.where('finding.resource_type', '=', resourceType);
  }
  const rows = await query.offset(offset).limit(limit).execute();
  return { findings: rows.map(toFinding), total: await countRows(counted) };
}

/** The pages of a scan in the order of its plan. */
export async function listPages(db: Db, scanId: number) {
  const rows = await db
    .selectFrom('scan_pages as page')
    .leftJoin('scan_findings as finding', 'finding.page_id', 'page.id')
    .where('page.scan_id', '=', scanId)
    .groupBy('page.id')
    .select((eb) => [
      'page.url',
      'page.state',
      'page.partial',
      'page.error',
      'page.http_status as httpStatus',
      'page.banner',
      eb.fn.count<number>('finding.id').as('findings'),
    ])
    .orderBy('page.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    partial: row.partial === 1,
    findings: Number(row.findings),
  }));
}

/** The vendors of a scan, those with most findings first. */
export async function tallyVendors(db: Db | Trx, scanId: number) {
  const rows = await joinVendors(db)
    .where('finding.scan_id', '=', scanId)
    .where('vendor.id', 'is not', null)
    .groupBy(['vendor.id', 'finding.resource_type', 'finding.page_id'])
    .select((eb) => [
      eb.ref('vendor.id').$notNull().as('vendorId'),
      'finding.resource_type as resourceType',
      'finding.page_id as pageId',
    ])
    .select(FINDING_COUNTS)
    .execute();
  const resources = await tallyVendorResources(db, scanId);
  return [...Map.groupBy(rows.map(withNumbers), ({ vendorId }) => vendorId)]
    .map(([vendorId, of]) => ({
      vendorId,
      count: of.reduce((sum, { count }) => sum + count, 0),
      beforeConsent: of.reduce((sum, { beforeConsent }) => sum + beforeConsent, 0),
      pages: new Set(of.map(({ pageId }) => pageId)).size,
      resourceTypes: [...new Set(of.map(({ resourceType }) => resourceType))].sort(),
      resources: resources.get(vendorId) ?? { total: 0, beforeConsent: 0 },
    }))
    .sort((a, b) => b.count - a.count || a.vendorId - b.vendorId);
}

async function tallyVendorResources(
  db: Db | Trx,
  scanId: number,
): Promise<Map<number, ResourceTally>> {
  const rows = await db
    .selectFrom('scan_findings as finding')
    .where('finding.scan_id', '=', scanId)
    .where('finding.vendor_id', 'is not', null)
    .groupBy('finding.vendor_id')
    .select('finding.vendor_id as vendorId')
    .select(RESOURCE_COUNTS)
    .execute();
  return new Map(rows.map((row) => [Number(row.vendorId), toResourceTally(row)]));
}

const FINDING_COUNTS = [
  sql<number>`count(*)`.as('count'),
  sql<number>`count(case when finding.needs_consent = 1 and finding.consent_state = 'before' then 1 end)`.as(
    'beforeConsent',
  ),
];

/** Counts of resources. The same resource is a finding on each page that loads it. */
const RESOURCE_COUNTS = [
  sql<number>`count(distinct finding.thing)`.as('resources'),
  sql<number>`count(distinct case when finding.needs_consent = 1 and finding.consent_state = 'before'
    then finding.thing end)`.as('resourcesBeforeConsent'),
];

/** PostgreSQL returns counts as texts. */
const toResourceTally = (row: {
  resources: number;
  resourcesBeforeConsent: number;
}): ResourceTally => ({
  total: Number(row.resources),
  beforeConsent: Number(row.resourcesBeforeConsent),
});

/** The findings of third-party hosts without a known vendor. */
export const selectUnknownHosts = (db: Db, scanId: number) =>
  joinVendors(db)
    .where('finding.scan_id', '=', scanId)
    .where('finding.third_party', '=', 1)
    .where('vendor.id', 'is', null);

/** Third-party hosts without a known vendor, those with most findings first. */
export async function tallyUnknownHosts(db: Db, scanId: number): Promise<HostTally[]> {
  const rows = await selectUnknownHosts(db, scanId)
    .groupBy('finding.host')
    .select('finding.host')
    .select([...FINDING_COUNTS, ...RESOURCE_COUNTS])
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('finding.host')
    .execute();
  return mergeCookieHosts(rows.map(({ host, ...row }) => ({ host, ...toTally(row) })));
}

/** How many findings and resources of each type a scan has. */
export async function tallyTypes(db: Db, scanId: number) {
  const rows = await db
    .selectFrom('scan_findings as finding')
    .where('scan_id', '=', scanId)
    .groupBy('resource_type')
    .select('resource_type as resourceType')
    .select([...FINDING_COUNTS, ...RESOURCE_COUNTS])
    .orderBy('resource_type')
    .execute();
  return rows.map(({ resourceType, ...row }) => ({ resourceType, ...toTally(row) }));
}

/** How many findings and resources of a scan have each verdict, in the order of `VERDICTS`; those with several count in each. */
export async function tallyVerdicts(db: Db, scanId: number) {
  const rows = await db
    .selectFrom('scan_findings')
    .where('scan_id', '=', scanId)
    .where('verdict', 'is not', null)
    .groupBy(['thing', 'verdicts'])
    .select((eb) => ['thing', 'verdicts', eb.fn.countAll<number>().as('count')])
    .execute();
  const lists = rows.map(({ thing, verdicts, count }) => ({
    thing,
    verdicts: JSON.parse(verdicts) as Verdict[],
    count: Number(count),
  }));
  return VERDICTS.map((verdict) => {
    const having = lists.filter(({ verdicts }) => verdicts.includes(verdict));
    return {
      verdict,
      count: having.reduce((sum, { count }) => sum + count, 0),
      resources: new Set(having.map(({ thing }) => thing)).size,
    };
  }).filter(({ count }) => count > 0);
}

/** PostgreSQL returns counts and sums as texts. */
const withNumbers = <T extends { count: number; beforeConsent: number }>(row: T): T => ({
  ...row,
  count: Number(row.count),
  beforeConsent: Number(row.beforeConsent),
});

const toTally = ({
  count,
  beforeConsent,
  ...row
}: Parameters<typeof toResourceTally>[0] & { count: number; beforeConsent: number }) => ({
  ...withNumbers({ count, beforeConsent }),
  resources: toResourceTally(row),
});

/** The first verdict of each resource of a scan, on any page. */
async function readFirstVerdicts(db: Db, scanId: number): Promise<Map<string, Verdict>> {
  const rows = await db
    .selectFrom('scan_findings')
    .where('scan_id', '=', scanId)
    .select(['thing', 'verdict'])
    .distinct()
    .execute();
  const first = new Map<string, Verdict>();
  for (const verdict of VERDICTS.toReversed()) {
    for (const row of rows) if (row.verdict === verdict) first.set(row.thing, verdict);
  }
  return first;
}

/** The resources of a scan, with the number of pages that have each. */
export async function listResources(db: Db, scanId: number) {
  const verdicts = await readFirstVerdicts(db, scanId);
  const rows = await db
    .selectFrom('scan_findings')
    .where('scan_id', '=', scanId)
    .groupBy(['thing', 'resource_type'])
    .select((eb) => [
      'thing as resourceKey',
      'resource_type as resourceType',
      eb.fn.min('url').as('url'),
      eb.fn.min('host').as('host'),
      eb.fn.min('name').as('name'),
      eb.fn.countAll<number>().as('pages'),
    ])
    .orderBy('resource_type')
    .orderBy('url')
    .orderBy('thing')
    .execute();
  return rows.map((row) => ({
    ...row,
    pages: Number(row.pages),
    verdict: verdicts.get(row.resourceKey) ?? null,
  }));
}

/** The ids of the vendors that a scan found; undefined if there is no such scan. */
export async function listScanVendorIds(
  db: Db | Trx,
  scanId: number,
): Promise<ReadonlySet<number> | undefined> {
  if (!(await findScan(db, scanId))) return undefined;
  return new Set((await tallyVendors(db, scanId)).map(({ vendorId }) => vendorId));
}
