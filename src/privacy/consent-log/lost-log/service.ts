import { existsSync, renameSync } from 'node:fs';
import { deleteFact, recordFact, SIDE_FILES, type Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { CliError } from '../../../platform/errors.ts';
import { ENTRY_KINDS, LAST_ID_BEFORE_LOG } from '../entries/kinds.ts';
import { type ConsentLog, openLog, toLogFile } from '../log/open.ts';
import { deleteLog } from '../log/store.ts';
import type { LogDb } from '../log/tables.ts';
import { type NotedHead, toNotedFacts } from '../noted-head/rules.ts';
import { findDamage, findLoss, NOTED_HEAD, readNotedHead } from '../noted-head/service.ts';
import { recordInLog } from '../records/store.ts';
import { nameNextLog } from './rules.ts';
import type { LogLoss } from './schemas.ts';
import { clearWitnessErrors, findLastRecordId } from './store.ts';

/** A log that was given up. */
export interface LostLog {
  /** What is known of it. */
  lost: NotedHead;
  /** The name of the log that is begun in its place. */
  origin: string;
  /** Where the file of the lost log was put, as far as there was one. */
  aside: string | undefined;
}

interface Place {
  dataDir: string;
}

/**
 * What to tell people about a log that is not the one that the database knows.
 * @param find `findDamage` to read all entries
 * @returns undefined if it is
 */
export async function describeLoss(
  noted: NotedHead | undefined,
  log: ConsentLog,
  { isSqlite, dataDir }: Place & { isSqlite: boolean },
  find: typeof findDamage = findLoss,
): Promise<LogLoss | undefined> {
  const loss = noted && (await find(noted, log));
  if (loss === undefined) return undefined;
  const putBack = isSqlite
    ? // SQLite would replay files beside it into the copy.
      `Delete the files whose names begin with ${toLogFile(dataDir)}, and put its newest copy there`
    : 'Put the newest copy of the tables consent_log_bundles, _tiles, _ranges and _head back';
  return {
    message: `The log does not agree with what the database has noted of it: ${loss}.`,
    advice: `Stop the server and keep a copy of what is there. ${putBack}. Then start the server. If no complete copy is left, "pavis log restart" starts a new log under another name.`,
  };
}

/** A loss in one line. */
export const formatLoss = ({ message, advice }: LogLoss): string => `${message} ${advice}`;

/** The log is not written: another history must not be signed under its name. */
export class LogLossError extends Error {
  readonly loss: LogLoss;

  constructor(loss: LogLoss) {
    super(formatLoss(loss));
    this.loss = loss;
  }
}

/**
 * Begins a new log in place of one that is lost, under another name, as checkpoints of the lost one must not be
 * contradicted. All rows get entries again; of consent records these state that they were there when the log began.
 * @throws CliError if the log is not lost, which all its entries are read for
 */
export async function restartLog(
  platform: Pick<Platform, 'datastore' | 'clock'>,
  { dataDir }: Place,
): Promise<LostLog> {
  const { datastore, clock } = platform;
  const noted = await readNotedHead(datastore.db);
  const log = openLog(platform, { dataDir });
  const loss = noted && (await findDamage(noted, log).finally(() => log.close()));
  if (!noted || loss === undefined) {
    throw new CliError(
      'the consent log is not lost: it has all entries that the database knows of, and goes on',
    );
  }
  const at = clock.now();
  const stamp = new Date(at).toISOString().replace(/\.\d+|[^\dTZ]/g, '');
  const origin = nameNextLog(noted.origin, stamp);
  // Before: if this process ends in between, the log is still lost.
  const aside = datastore.engine === 'sqlite' ? setAside(toLogFile(dataDir), stamp) : undefined;
  await datastore.transaction(async (trx) => {
    if (datastore.engine === 'postgres') await deleteLog(trx as unknown as LogDb);
    await giveUpLog(trx, { lost: noted, origin, lastIdBefore: await findLastRecordId(trx), at });
    await deleteFact(trx, NOTED_HEAD);
  });
  return { lost: noted, origin, aside };
}

/**
 * States that a log is lost, and the name of the one in its place.
 * @param given.lastIdBefore the highest id of the consent records from before that one; 0 if there is none
 */
export async function giveUpLog(
  trx: Trx,
  { lost, origin, lastIdBefore, at }: Omit<LostLog, 'aside'> & { lastIdBefore: number; at: number },
): Promise<void> {
  await recordFact(trx, LAST_ID_BEFORE_LOG, String(lastIdBefore));
  const facts = { lost: toNotedFacts(lost), origin };
  await recordInLog(trx, { kind: ENTRY_KINDS.lostLog, facts, at });
  await clearWitnessErrors(trx);
}

function setAside(file: string, stamp: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const aside = `${file}.replaced-${stamp}`;
  for (const suffix of ['', ...SIDE_FILES]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return aside;
}
