import { existsSync } from 'node:fs';
import { type Db, findFact, openThreadDatabase } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { createRecordEntries, toFactsEntry } from '../entries/entries.ts';
import { LAST_ID_BEFORE_LOG } from '../entries/kinds.ts';
import { LogDamagedError } from '../log/damage.ts';
import { type ConsentLog, createReader, toLogFile } from '../log/open.ts';
import { hasLogTables, openLogFile } from '../log/store.ts';
import type { LogDb, LogSource } from '../log/tables.ts';
import type { Replacements } from './anonymised.ts';
import { type ExplainedSpans, toExplanations } from './explanations.ts';
import { type RowProblem, type StateCounts, Tally } from './result.ts';
import { checkRows, type RowScope } from './rows.ts';
import { checkTree, type TreeCheck } from './tree.ts';

/** Where the database and the log are, and what entries commit to. */
export interface Installation {
  databaseUrl: string;
  dataDir: string;
  columns: EntryColumns;
  replacements: Replacements;
}

export interface Connections {
  db: Db;
  /** Undefined without a log, or if it cannot be read. */
  logDb: LogDb | undefined;
  log: ConsentLog;
  /** Why the log cannot be read; undefined if it can, or if there is none. */
  logFault: string | undefined;
  close: () => Promise<void>;
}

/** Opens the database and the log for reading, for a thread of its own. */
export async function connect({ databaseUrl, dataDir }: Installation): Promise<Connections> {
  const db = await openThreadDatabase(databaseUrl);
  const isSqlite = databaseUrl.startsWith('sqlite:');
  const { logDb, logFault } = isSqlite
    ? await openLogOf(dataDir)
    : { logDb: db as unknown as LogDb, logFault: undefined };
  return {
    db,
    logDb,
    log: createReader(async () => logDb),
    logFault,
    async close() {
      await db.destroy();
      if (isSqlite) await logDb?.destroy();
    },
  };
}

async function openLogOf(dataDir: string): Promise<Pick<Connections, 'logDb' | 'logFault'>> {
  const file = toLogFile(dataDir);
  if (!existsSync(file)) return { logDb: undefined, logFault: undefined };
  let logDb: LogDb | undefined;
  try {
    logDb = openLogFile(file, { readOnly: true });
    if (await hasLogTables(logDb)) return { logDb, logFault: undefined };
    await logDb.destroy();
    return { logDb: undefined, logFault: undefined };
  } catch (error) {
    await logDb?.destroy();
    return { logDb: undefined, logFault: `${file}: ${(error as Error).message}` };
  }
}

/** A part of a verification. */
export type Task =
  | { what: 'tree'; size: number; sizes: number[] }
  | ({ what: 'rows'; source: LogSource; first: number; last: number } & Pick<
      RowScope,
      'size' | 'isDeep' | 'pending'
    >);

export type TaskResult =
  | ({ what: 'tree'; fault: string | undefined } & Pick<TreeCheck, 'roots'>)
  | { what: 'rows'; counts: Record<LogSource, StateCounts>; problems: RowProblem[] };

export type RunTask = (task: Task, onProgress: (done: number) => void) => Promise<TaskResult>;

/**
 * Prepares what runs parts of a verification, one after the other.
 * @param spans what the logged runs and restores explain
 */
export async function createTaskRunner(
  connections: Omit<Connections, 'close' | 'logFault'>,
  { columns, replacements }: Pick<Installation, 'columns' | 'replacements'>,
  spans: ExplainedSpans,
): Promise<RunTask> {
  const toRecordEntry = await openRecordEntries(connections.db, columns);
  const scope = {
    ...connections,
    columns,
    replacements,
    explanations: toExplanations(spans),
    toEntry: (source: LogSource, row: Parameters<typeof toRecordEntry>[0]) =>
      (source === 1 ? toRecordEntry(row) : toFactsEntry(row)).entry,
  };
  return async (task, onProgress) => {
    const { what, size } = task;
    if (what === 'tree') {
      const { roots, error } = await checkTree(scope.log, size, task.sizes, onProgress);
      const fault = error instanceof LogDamagedError ? error.fault : error?.message;
      return { what, roots, fault };
    }
    const { source, first, last, isDeep, pending } = task;
    const tally = new Tally();
    const rowScope = { ...scope, size, isDeep, pending };
    await checkRows(rowScope, source, { first, last }, tally, onProgress);
    return { what, counts: tally.counts, problems: tally.problems };
  };
}

/** Computes the entries of consent records of an installation. */
export const openRecordEntries = async (db: Db, columns: EntryColumns) =>
  createRecordEntries(columns, Number(await findFact(db, LAST_ID_BEFORE_LOG)));
