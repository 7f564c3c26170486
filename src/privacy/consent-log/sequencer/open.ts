import { type Db, findFact, openThreadDatabase, syncDatabase } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { createRecordEntries, toFactsEntry } from '../entries/entries.ts';
import { LAST_ID_BEFORE_LOG } from '../entries/kinds.ts';
import { createReader, openLogOfSqlite, toLogFile } from '../log/open.ts';
import { openLogFile } from '../log/store.ts';
import { createLogTables, type LogDb, type LogSource } from '../log/tables.ts';
import { describeLoss, formatLoss } from '../lost-log/service.ts';
import { findNewOrigin } from '../lost-log/store.ts';
import { readNotedHead } from '../noted-head/service.ts';
import { Appender } from './appender.ts';
import type { SourceRow } from './store.ts';

/** What an appender of its own connections needs; a worker thread receives it as a copy. */
export interface AppenderOrder {
  databaseUrl: string;
  dataDir: string;
  /** Name of a new log. */
  origin: string;
  /** Ed25519 seed, 32 bytes. */
  seed: Uint8Array;
  columns: EntryColumns;
}

/**
 * Opens the database for reading and the log for writing.
 * @throws Error if the log is not the one that the database knows: another history must not be signed under its name
 */
export async function openAppender({ databaseUrl, dataDir, columns, ...key }: AppenderOrder) {
  const db = await openThreadDatabase(databaseUrl);
  const isSqlite = databaseUrl.startsWith('sqlite:');
  await assertNotLost(db, { isSqlite, dataDir }).catch(async (error) => {
    await db.destroy();
    throw error;
  });
  const log = isSqlite ? openLogFile(toLogFile(dataDir)) : (db as unknown as LogDb);
  if (isSqlite) await createLogTables(log);
  const toRecordEntry = createRecordEntries(
    columns,
    Number((await findFact(db, LAST_ID_BEFORE_LOG)) ?? 0),
  );
  const toEntry = (source: LogSource, row: SourceRow) => ({
    source,
    id: row.id,
    ...(source === 1 ? toRecordEntry(row) : toFactsEntry(row)),
  });
  const origin = (await findNewOrigin(db)) ?? key.origin;
  const syncRows = () => syncDatabase(databaseUrl);
  const scope = { ...key, origin, db, log, syncRows, columns, toEntry, hasLateIds: !isSqlite };
  const appender = new Appender(scope);
  return {
    append: (now: number) => appender.append(now),
    async close() {
      await db.destroy();
      if (isSqlite) await log.destroy();
    },
  };
}

async function assertNotLost(db: Db, place: { isSqlite: boolean; dataDir: string }): Promise<void> {
  const log = place.isSqlite
    ? openLogOfSqlite(place.dataDir)
    : createReader(async () => db as unknown as LogDb);
  const loss = await describeLoss(await readNotedHead(db), log, place).finally(() => log.close());
  if (loss !== undefined) throw new Error(formatLoss(loss));
}
