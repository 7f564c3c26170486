export {
  backupSqlite,
  copySqliteFile,
  type DatabaseFile,
  findSecretFingerprint,
  hasTable,
  isPavisDatabase,
  restoreSqlite,
} from './backup.ts';
export { countRows } from './count-rows.ts';
export type { Db, Trx } from './database.ts';
export {
  CANCELLED,
  databaseFault,
  isCancelled,
  isPoolExhausted,
  isReadOnlyServer,
  isUnconfirmed,
  UNCONFIRMED,
} from './database-fault.ts';
export {
  type Announce,
  type Bulkhead,
  type Datastore,
  joinTransaction,
  OWN_PROCESS,
} from './datastore.ts';
export {
  beforeBracket,
  type Condition,
  fromHex,
  impliedCondition,
  jsonMembers,
  listRows,
  lockedRows,
  lockFreeRows,
  lockName,
  lockRows,
  randomSalt,
  randomText,
  readIntegers,
  unindexed,
} from './dialect.ts';
export { readDurability } from './durability.ts';
export { assertFillable } from './empty-database.ts';
export { SIDE_FILES } from './exclusive-access.ts';
export { describeFileError, isUnreadable } from './file-error.ts';
export { createInsert } from './insert-rows.ts';
export {
  assertSameSecret,
  deleteFact,
  findFact,
  hasFact,
  hasFactWithValue,
  insertFact,
  isEmptyDatabase,
  recordFact,
  secretFingerprint,
} from './installation-facts.ts';
export { findSegmentMerge, moveEntries } from './merge-segments.ts';
export { type Migration, type MigrationStatus, migrate, migrationStatus } from './migrate.ts';
export { moveToPostgres } from './move.ts';
export { openDatastore } from './open-datastore.ts';
export { completePurgeRequest, findPurgeRequest, requestPurge } from './purge-request.ts';
export { findIdsByKey } from './random-keys.ts';
export { anyContains, startsWith } from './search.ts';
export { readServerClock } from './server-clock.ts';
export { purgeSqlite } from './sqlite-purge.ts';
export { openSqliteFile, openThreadDatabase, syncDatabase } from './thread-database.ts';
export {
  describeFaultyState,
  describeWriteFault,
  isDiskFull,
  toWriteFault,
  type WriteFault,
} from './write-fault.ts';
