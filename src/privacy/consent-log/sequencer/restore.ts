import { recordFact } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { SOURCE_TABLES } from '../entries/store.ts';
import { openLog } from '../log/open.ts';
import { getLastId } from '../log/rules.ts';
import type { LogRange, LogSource } from '../log/tables.ts';
import { findLaterLog } from '../lost-log/later-log.ts';
import { giveUpLog } from '../lost-log/service.ts';
import { toNotedFacts } from '../noted-head/rules.ts';
import { findLoss, NOTED_HEAD, readNotedHead } from '../noted-head/service.ts';
import { recordInLog } from '../records/store.ts';
import { continueIds, findLastGivenId } from './store.ts';

const SOURCES: readonly LogSource[] = [1, 2];
/** The table of the versions of the banner. Each has an entry of its own. */
const VERSIONS = 'consent_configs';

/**
 * Recognises an SQLite database that was replaced by an earlier one: the log has entries of ids that it never gave out.
 * Logs which rows are lost, and sees that neither their ids nor the numbers of lost banner versions are given out again.
 * If the earlier one is from before `restartLog`, it states the loss of that log again and notes the head of the present
 * one. Call it before anything else is written.
 * @returns the number of lost rows
 */
export async function recordRestore(
  platform: Pick<Platform, 'datastore' | 'clock' | 'secret'>,
  { dataDir }: { dataDir: string },
): Promise<number> {
  const { datastore, clock } = platform;
  // On PostgreSQL the log is part of what was restored.
  if (datastore.engine === 'postgres') return 0;
  const log = openLog(platform, { dataDir });
  try {
    const noted = await readNotedHead(datastore.db);
    const later =
      noted && (await findLaterLog(noted, log, () => platform.secret.key('consent log')));
    // The head of another log says nothing about this database.
    if (noted && !later && (await findLoss(noted, log)) !== undefined) return 0;
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
    if (lost.length === 0 && !later) return 0;
    const lastIdBefore = getLastId((await log.listRangesOf(1, 0)).findLast(isFromBefore));
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
      if (!noted || !later) return;
      await giveUpLog(trx, { lost: noted, origin: later.origin, lastIdBefore, at });
      await recordFact(trx, NOTED_HEAD, JSON.stringify(toNotedFacts(later)));
    });
    return lost.reduce((sum, { count }) => sum + count, 0);
  } finally {
    await log.close();
  }
}

const isFromBefore = ({ kind }: LogRange): boolean => kind === ENTRY_KINDS.earlierDecision;

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
