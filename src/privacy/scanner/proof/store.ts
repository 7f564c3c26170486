import type { Db, Trx } from '../../../platform/db/index.ts';
import { chunks, type SavedFinding, selectFindings, toFinding } from '../findings/store.ts';
import type { Scan } from '../store.ts';
import { hasEndedEarly } from '../visits/rules.ts';
import { hasResult, type ProofPage, type ProofPages } from './rules.ts';

/**
 * The pages of proof scans of a site that are newer than a scan, by URL. A proof scan runs
 * before scans that were queued earlier, and is older than what these see.
 */
export async function listProofPages(
  db: Db | Trx,
  { id, siteUrl }: Pick<Scan, 'id' | 'siteUrl'>,
): Promise<ReadonlyMap<string, ProofPages>> {
  const rows = await db
    .selectFrom('scans as scan')
    .innerJoin('scan_pages as page', 'page.scan_id', 'scan.id')
    .leftJoin('scan_visits as visit', (join) =>
      join
        .onRef('visit.page_id', '=', 'page.id')
        .on('visit.state', '=', 'before')
        .on('visit.outcome', '!=', 'failed'),
    )
    .where('scan.site_url', '=', siteUrl)
    .where('scan.started_by', '=', 'proof')
    .where('scan.id', '>', id)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('visit.id', 'is', null),
        eb.not(
          eb.exists(
            selectFrom('scan_visits as own')
              .select('own.id')
              .where('own.scan_id', '=', id)
              .whereRef('own.id', '>', 'visit.id'),
          ),
        ),
      ]),
    )
    .select([
      'page.id',
      'page.url',
      'page.state',
      'page.partial',
      'visit.id as visitId',
      'scan.id as scanId',
      'scan.status',
      'scan.engine',
      'scan.started_at as startedAt',
      'scan.completed_at as completedAt',
    ])
    .orderBy('scan.id')
    .execute();
  const visits = await listVisitEnds(db, rows);
  const pages = new Map<string, ProofPages>();
  for (const { id, url, state, partial, visitId, scanId, ...scan } of rows) {
    const isPartial = partial === 1 || hasEndedEarly(visits.get(id) ?? []);
    const isVisited = visitId !== null;
    const latest = { id, url, state, isVisited, isPartial, scan: { id: scanId, ...scan } };
    const visited = hasResult(latest) ? latest : pages.get(url)?.visited;
    pages.set(url, { latest, visited });
  }
  return pages;
}

async function listVisitEnds(db: Db | Trx, pages: readonly { id: number }[]) {
  const visits = [];
  for (const part of chunks(pages.map(({ id }) => id))) {
    const query = db.selectFrom('scan_visits').where('page_id', 'in', part);
    visits.push(...(await query.select(['page_id', 'state', 'outcome', 'error']).execute()));
  }
  return Map.groupBy(visits, ({ page_id }) => page_id);
}

/** The findings of some pages that are at work without consent. */
export async function listFindingsAtWork(
  db: Db | Trx,
  pages: Iterable<ProofPage>,
): Promise<SavedFinding[]> {
  const found: SavedFinding[] = [];
  for (const part of chunks([...pages].map(({ id }) => id))) {
    const rows = await selectFindings(db)
      .where('finding.page_id', 'in', part)
      .where('finding.needs_consent', '=', 1)
      .execute();
    found.push(...rows.map(toFinding));
  }
  return found;
}
