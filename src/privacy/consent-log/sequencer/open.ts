import { statSync } from 'node:fs';
import { type Db, findFact, openThreadDatabase, syncDatabase } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { createRecordEntries, toFactsEntry } from '../entries/entries.ts';
import { LAST_ID_BEFORE_LOG } from '../entries/kinds.ts';
import { createReader, openLogOfSqlite, toLogFile } from '../log/open.ts';
import { openLogFile } from '../log/store.ts';
import { createLogTables, type LogDb, type LogSource } from '../log/tables.ts';
import { describeLoss, LogLossError } from '../lost-log/service.ts';
import { findNewOrigin } from '../lost-log/store.ts';
import { findDamage, findLoss, readNotedHead } from '../noted-head/service.ts';
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
  /** Whether all entries are read first, to find changed ones. */
  checksEntries?: boolean;
}

/**
 * Opens the database for reading and the log for writing.
 * @throws LogLossError if the log is not the one that the database knows
 */
export async function openAppender({
  databaseUrl,
  dataDir,
  columns,
  checksEntries = false,
  ...key
}: AppenderOrder) {
  const db = await openThreadDatabase(databaseUrl);
  const isSqlite = databaseUrl.startsWith('sqlite:');
  const find = checksEntries ? findDamage : findLoss;
  await assertNotLost(db, { isSqlite, dataDir }, find).catch(async (error) => {
    await db.destroy();
    throw error;
  });
  const log = isSqlite ? openLogFile(toLogFile(dataDir)) : (db as unknown as LogDb);
  if (isSqlite) await createLogTables(log);
  const inode = isSqlite ? findInode(dataDir) : undefined;
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
    async append(now: number) {
      // `restartLog` puts the file aside, and an open connection would still write to it.
      if (inode !== undefined && findInode(dataDir) !== inode)
        throw new Error('The file of the consent log was replaced.');
      return appender.append(now);
    },
    async close() {
      await db.destroy();
      if (isSqlite) await log.destroy();
    },
  };
}

const findInode = (dataDir: string): number | undefined =>
  statSync(toLogFile(dataDir), { throwIfNoEntry: false })?.ino;

async function assertNotLost(
  db: Db,
  place: { isSqlite: boolean; dataDir: string },
  find: typeof findDamage,
): Promise<void> {
  const log = place.isSqlite
    ? openLogOfSqlite(place.dataDir)
    : createReader(async () => db as unknown as LogDb);
  const noted = await readNotedHead(db);
  const loss = await describeLoss(noted, log, place, find).finally(() => log.close());
  if (loss !== undefined) throw new LogLossError(loss);
}
