import type { Selection } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import { countRows, type Db, type Trx } from '../../../platform/db/index.ts';
import { toSnakeCase } from '../../../platform/key-case.ts';
import { chunks, type SavedFinding, selectFindings, toFinding } from '../findings/store.ts';
import { isSameSiteUrl } from '../site.ts';
import { DECISIONS, type Decision, type DecisionKind } from './open-reasons.ts';

export type LoggedDecision = Selection<Database, 'finding_decisions', (typeof LOG_COLUMNS)[number]>;

const LOG_COLUMNS = [
  'id',
  'decided_at as decidedAt',
  'actor',
  'site_url as siteUrl',
  'thing as resourceKey',
  'resource_type as resourceType',
  'name',
  'url',
  'decision',
  'reason',
] as const;

export async function insertDecisions(
  trx: Trx,
  decisions: readonly Omit<LoggedDecision, 'id'>[],
): Promise<void> {
  const rows = decisions.map(({ resourceKey: thing, ...each }) => ({
    ...toSnakeCase(each),
    thing,
  }));
  for (const part of chunks(rows)) {
    await trx.insertInto('finding_decisions').values(part).execute();
  }
}

/** The latest decision about each resource of a site, by resource key. They stay when it moves to TLS or `www.`. */
export async function readDecisions(
  db: Db | Trx,
  siteUrl: string,
): Promise<ReadonlyMap<string, Decision>> {
  const known = await db.selectFrom('finding_decisions').select('site_url').distinct().execute();
  const siteUrls = known
    .map(({ site_url }) => site_url)
    .filter((url) => isSameSiteUrl(url, siteUrl));
  if (siteUrls.length === 0) return new Map();
  const rows = await db
    .selectFrom('finding_decisions as decision')
    .where('decision.site_url', 'in', siteUrls)
    .where('decision.decision', 'in', DECISIONS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('finding_decisions as later')
            .select('later.id')
            .where('later.site_url', 'in', siteUrls)
            .whereRef('later.thing', '=', 'decision.thing')
            .whereRef('later.id', '>', 'decision.id'),
        ),
      ),
    )
    .select(['thing', 'decision', 'reason', 'decided_at as decidedAt'])
    .$narrowType<{ decision: DecisionKind }>()
    .execute();
  return new Map(rows.map(({ thing, ...decision }) => [thing, decision]));
}

/** Newest first. */
export async function listDecisions(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ decisions: LoggedDecision[]; total: number }> {
  const total = await countRows(db.selectFrom('finding_decisions'));
  const decisions = await db
    .selectFrom('finding_decisions')
    .select(LOG_COLUMNS)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { decisions, total };
}

/** The findings of a scan that loaded without consent and need it. */
export async function listEarlyFindings(db: Db | Trx, scanId: number): Promise<SavedFinding[]> {
  const rows = await selectFindings(db)
    .where('finding.scan_id', '=', scanId)
    .where('finding.needs_consent', '=', 1)
    .execute();
  return rows.map(toFinding);
}
