export { backupSqlite, type DatabaseFile, restoreSqlite } from './backup.ts';
export type { Db, Trx } from './database.ts';
export {
  type Announce,
  type Bulkhead,
  type Datastore,
  joinTransaction,
  OWN_PROCESS,
  openDatastore,
} from './datastore.ts';
export {
  beforeBracket,
  type Condition,
  databaseFault,
  isPoolExhausted,
  jsonMembers,
  lockFreeRows,
  lockName,
  lockRows,
  randomText,
  rowsOf,
  unindexed,
} from './dialect.ts';
export {
  assertSameSecret,
  claim,
  findFact,
  hasFactWithValue,
  isClaimed,
  isEmptyDatabase,
  recordFact,
  secretFingerprint,
  unclaim,
} from './installation.ts';
export { type Migration, type MigrationStatus, migrate, migrationStatus } from './migrate.ts';
export { moveToPostgres } from './move.ts';
export { findPurgeRequest, requestPurge, settlePurgeRequest } from './purge-request.ts';
export { idsByKey } from './random-keys.ts';
export { anyContains, startsWith } from './search.ts';
export { purgeSqlite } from './sqlite-purge.ts';
export { describeWriteFault, toWriteFault, type WriteFault } from './write-fault.ts';
