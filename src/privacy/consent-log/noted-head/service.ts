import {
  type Datastore,
  type Db,
  findFact,
  recordFact,
  toWriteFault,
} from '../../../platform/db/index.ts';
import { computeRoot } from '../../../platform/transparency-log/index.ts';
import { LogDamagedError } from '../log/damage.ts';
import type { ConsentLog } from '../log/open.ts';
import { compareCheckpoint } from '../verification/checkpoints.ts';
import { checkTree } from '../verification/tree.ts';
import { type NotedHead, parseNotedHead, toNotedFacts } from './rules.ts';

/** Fact of the installation. */
export const NOTED_HEAD = 'consent log head';

type ReadLog = Pick<ConsentLog, 'readHead' | 'readTile'>;

/** The state of the log that was noted last; undefined if none was. */
export async function readNotedHead(db: Db): Promise<NotedHead | undefined> {
  const text = await findFact(db, NOTED_HEAD);
  return text === undefined ? undefined : parseNotedHead(text);
}

/** Why a log has no entries: a sentence for people, without its beginning. @param next what to do if it is new */
export const explainEmptyLog = async (db: Db, next: string): Promise<string> =>
  (await readNotedHead(db))
    ? 'is lost: the database has noted its entries, and they are not there. GET /consent/log and "pavis doctor" say what to do'
    : `has no entries yet. ${next}`;

/** Notes the state of the log, unless the log does not continue the one that was noted last. */
export async function noteHead(datastore: Datastore, log: ReadLog): Promise<void> {
  const noted = await readNotedHead(datastore.db);
  const head = await log.readHead();
  if (!head || head.size === noted?.size) return;
  if (noted && (await findLoss(noted, log)) !== undefined) return;
  const text = JSON.stringify(toNotedFacts(head));
  await datastore.transaction((trx) => recordFact(trx, NOTED_HEAD, text));
}

/** @returns why the log does not begin with the entries that were noted; undefined if it does */
export async function findLoss(noted: NotedHead, log: ReadLog): Promise<string | undefined> {
  const head = await log.readHead();
  const roots = new Map<number, Buffer>();
  if (head && head.size >= noted.size) {
    try {
      roots.set(noted.size, await computeRoot(log.readTile, noted.size));
    } catch (error) {
      if (!(error instanceof LogDamagedError)) throw error;
    }
  }
  return compareNotedHead(noted, head && { ...head, roots });
}

/**
 * As `findLoss`, but from all entries of the log: it also finds one that was changed. A million entries take about 1.3
 * seconds of processor time on SQLite.
 */
export async function findDamage(noted: NotedHead, log: ConsentLog): Promise<string | undefined> {
  const loss = await findLoss(noted, log);
  const head = await log.readHead();
  if (loss !== undefined || !head) return loss;
  const { roots, error } = await checkTree(log, head.size, [noted.size], () => {});
  if (error instanceof LogDamagedError) return error.fault;
  if (toWriteFault(error) === 'damaged file') return error?.message;
  // A database that is away says nothing about the log, which must not be given up for it.
  if (error) throw error;
  if (!roots.get(head.size)?.equals(head.root)) return 'its entries do not match its checkpoint';
  return compareNotedHead(noted, { ...head, roots });
}

/**
 * @param log undefined if there is none; `roots` has the root of the size that was noted, unless it cannot be computed
 * @returns why the log does not begin with the entries that were noted; undefined if it does
 */
export function compareNotedHead(
  noted: NotedHead,
  log: { origin: string; size: number; roots: ReadonlyMap<number, Uint8Array> } | undefined,
): string | undefined {
  if (!log) return `${noted.size} entries are noted, and there is no log`;
  if (log.origin !== noted.origin) {
    return `it is of the log ${noted.origin}, and this one is ${log.origin}`;
  }
  return compareCheckpoint(noted, log);
}
