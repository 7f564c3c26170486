import type { Platform } from '../../../platform/deps.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { SOURCE_TABLES } from '../entries/store.ts';
import { openLog } from '../log/open.ts';
import { getLastId } from '../log/rules.ts';
import type { LogRange, LogSource } from '../log/tables.ts';
import { findLoss, readNotedHead } from '../noted-head/service.ts';
import { recordInLog } from '../records/store.ts';
import { continueIds, findLastGivenId } from './store.ts';

const SOURCES: readonly LogSource[] = [1, 2];
/** The table of the versions of the banner. Each has an entry of its own. */
const VERSIONS = 'consent_configs';

/**
 * Recognises an SQLite database that was replaced by an earlier one: the log has entries of ids that it never gave out.
 * Logs which rows are lost, and sees that neither their ids nor the numbers of lost banner versions are given out again.
 * Call it before anything else is written.
 * @returns the number of lost rows
 */
export async function recordRestore(
  platform: Pick<Platform, 'datastore' | 'clock'>,
  { dataDir }: { dataDir: string },
): Promise<number> {
  const { datastore, clock } = platform;
  // On PostgreSQL the log is part of what was restored.
  if (datastore.engine === 'postgres') return 0;
  const log = openLog(platform, { dataDir });
  try {
    const noted = await readNotedHead(datastore.db);
    // The head of another log says nothing about this database.
    if (noted && (await findLoss(noted, log)) !== undefined) return 0;
    const logged = await log.readLastIds();
    const lost: { source: LogSource; ids: [number, number][]; count: number }[] = [];
    let versions = 0;
    for (const source of SOURCES) {
      const given = await findLastGivenId(datastore.db, SOURCE_TABLES[source]);
      if (given >= logged[source]) continue;
      const ranges = await log.listRangesOf(source, given);
      const ids = listIdsAfter(ranges, given);
      lost.push({ source, ids, count: countIds(ids) });
      const ofVersions = ranges.filter(({ kind }) => kind === ENTRY_KINDS.bannerVersion);
      versions += countIds(listIdsAfter(ofVersions, given));
    }
    if (lost.length === 0) return 0;
    // One time, by which the statements of a restore are recognised.
    const at = clock.now();
    await datastore.transaction(async (trx) => {
      for (const { source } of lost) await continueIds(trx, SOURCE_TABLES[source], logged[source]);
      // Visitors who saw a lost version have not consented to the next one that is saved.
      if (versions > 0)
        await continueIds(trx, VERSIONS, (await findLastGivenId(trx, VERSIONS)) + versions);
      for (const { source, ids, count } of lost) {
        const facts = { table: SOURCE_TABLES[source], ids, count };
        await recordInLog(trx, { kind: ENTRY_KINDS.restore, facts, at });
      }
    });
    return lost.reduce((sum, { count }) => sum + count, 0);
  } finally {
    await log.close();
  }
}

const countIds = (ids: readonly [first: number, last: number][]): number =>
  ids.reduce((sum, [from, to]) => sum + to - from + 1, 0);

/** The ids of ranges that are higher than one, as first and last of each series. */
function listIdsAfter(ranges: readonly LogRange[], id: number): [first: number, last: number][] {
  const ids: [number, number][] = [];
  for (const range of ranges) {
    const first = Math.max(range.first_id, id + 1);
    const before = ids.at(-1);
    if (before && first === before[1] + 1) before[1] = getLastId(range);
    else ids.push([first, getLastId(range)]);
  }
  return ids;
}
