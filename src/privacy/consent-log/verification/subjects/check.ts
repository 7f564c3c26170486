import { type Db, databaseFault } from '../../../../platform/db/index.ts';
import type { AuditHead } from '../../audit-heads/store.ts';
import { ENTRY_KINDS } from '../../entries/kinds.ts';
import { Coverage } from '../coverage.ts';
import { readExplainedSpans } from '../explanations.ts';
import { listStatements, type Statement } from '../facts.ts';
import type { RowProblem, Tally } from '../result.ts';
import { isSameLog } from './audit-logs.ts';
import { hasPictures, isSameVersion } from './banner.ts';
import { findChangedPart, hasScan, type ScanFacts } from './scans.ts';
import { listBannerVersions } from './store.ts';

const { bannerVersion, bannerPictures, auditHeads, scan: completedScan } = ENTRY_KINDS;

/** What is wrong with something that a row of the log states facts about. */
type Difference = Pick<RowProblem, 'what' | 'name'> & {
  state?: 'missing';
  /** The id of a scan. It is no difference if a logged run or a user has deleted the scan. */
  scan?: number;
};

/**
 * Compares banner versions, their pictures, scans and audit logs with the facts that were logged about them.
 * @param problems of the rows with these facts; nothing is compared with those
 * @param isDeep whether picture files, audit logs and the contents of scans are read
 */
export async function checkSubjects(
  db: Db,
  problems: readonly RowProblem[],
  isDeep: boolean,
  tally: Tally,
): Promise<void> {
  // Read before the facts: a version that is saved meanwhile has its facts.
  const stored = await listBannerVersions(db);
  const versions = new Set<unknown>();
  const kinds = [bannerVersion, bannerPictures, auditHeads, completedScan];
  const differences: (Difference & { id: number })[] = [];
  for (const statement of await listStatements(db, kinds, problems)) {
    const { id, kind, facts } = statement;
    if (kind === bannerVersion) versions.add(facts?.version);
    for (const each of await compare(db, statement, isDeep)) differences.push({ ...each, id });
  }
  // Read afterwards: scans can be deleted meanwhile.
  const deleted = new Coverage((await readExplainedSpans(db, problems)).deletedScans);
  for (const { id, scan, ...difference } of differences) {
    if (scan !== undefined && deleted.has(scan)) continue;
    const row = { source: 2, first: id, last: id } as const;
    tally.problems.push({ state: 'altered', ...row, ...difference });
  }
  for (const version of stored) {
    if (versions.has(version)) continue;
    const problem = { source: 2, state: 'unlogged', what: 'no entry' } as const;
    tally.problems.push({
      ...problem,
      first: version,
      last: version,
      name: `Banner version ${version}`,
    });
  }
}

async function compare(
  db: Db,
  { id, kind, facts }: Statement,
  isDeep: boolean,
): Promise<Difference[]> {
  const notOurs = { what: 'facts', name: `Log record ${id}` } as const;
  // They are as they were logged, so they have the shape that Pavis writes, unless something else has written them.
  const stated = facts as never;
  if (!facts) return [notOurs];
  try {
    if (kind === bannerVersion) {
      const name = `Banner version ${facts.version}`;
      return (await isSameVersion(db, stated)) ? [] : [{ what: 'banner text', name }];
    }
    if (kind === bannerPictures) {
      const name = `A picture of banner version ${facts.version}`;
      return (await hasPictures(db, stated, isDeep)) ? [] : [{ what: 'banner picture', name }];
    }
    if (kind === completedScan) return await compareScan(db, stated, isDeep);
    return isDeep ? await compareLogs(db, stated) : [];
  } catch (error) {
    const fault = databaseFault(error);
    if (fault !== undefined && fault !== 'fault') throw error;
    return [notOurs];
  }
}

async function compareLogs(db: Db, { logs }: { logs: AuditHead[] }): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const head of logs) {
    if (await isSameLog(db, head)) continue;
    const name = `${head.log}, events ${head.first_id} to ${head.last_id}`;
    differences.push({ what: 'audit log', name });
  }
  return differences;
}

async function compareScan(db: Db, facts: ScanFacts, isDeep: boolean): Promise<Difference[]> {
  const { scan } = facts;
  if (!(await hasScan(db, facts))) {
    return [{ what: 'scan deleted', name: `Scan ${scan}`, state: 'missing', scan }];
  }
  const part = isDeep ? await findChangedPart(db, facts) : undefined;
  return part ? [{ what: 'scan', name: `Scan ${scan} (${part})`, scan }] : [];
}
