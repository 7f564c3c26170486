import type { Kysely } from 'kysely';
import { columnsFor } from '../../../platform/db/columns.ts';

/**
 * The tables of the log. On SQLite they are a file of their own, on PostgreSQL part of the main schema (migration 056).
 */
export interface LogDatabase {
  /** `BUNDLE_WIDTH` entries each; the last one may have fewer. */
  consent_log_bundles: { number: number; entries: Uint8Array };
  /** From level 1 on: level 0 is computed from the bundles. */
  consent_log_tiles: { level: number; number: number; hashes: Uint8Array };
  /** Which entries belong to which rows: `count` successive ids of one source and kind. */
  consent_log_ranges: LogRange;
  /** At most one row. */
  consent_log_head: LogHeadRow;
}

export type LogDb = Kysely<LogDatabase>;

export interface LogRange {
  /** Index of the first entry. */
  first_index: number;
  source: LogSource;
  kind: number;
  first_id: number;
  count: number;
}

/** The tables that entries come from: 1 is `consent_records`, 2 is `consent_log_records`. */
export type LogSource = 1 | 2;

export interface LogHeadRow {
  id: 1;
  /** Name of the log and of its key: the first line of every checkpoint. */
  origin: string;
  size: number;
  root: Uint8Array;
  /** Signed note. */
  checkpoint: string;
  signed_at: number;
}

/** Creates the tables in the file of an SQLite installation, unless they exist. */
export async function createLogTables(db: LogDb): Promise<void> {
  const { integer, text, bytes } = columnsFor(db);
  await db.schema
    .createTable('consent_log_bundles')
    .ifNotExists()
    .addColumn('number', integer, (c) => c.primaryKey())
    .addColumn('entries', bytes, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('consent_log_tiles')
    .ifNotExists()
    .addColumn('level', integer, (c) => c.notNull())
    .addColumn('number', integer, (c) => c.notNull())
    .addColumn('hashes', bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint('consent_log_tiles_key', ['level', 'number'])
    .execute();
  await db.schema
    .createTable('consent_log_ranges')
    .ifNotExists()
    .addColumn('first_index', integer, (c) => c.primaryKey())
    .addColumn('source', integer, (c) => c.notNull())
    .addColumn('kind', integer, (c) => c.notNull())
    .addColumn('first_id', integer, (c) => c.notNull())
    .addColumn('count', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('consent_log_ranges_of_rows')
    .ifNotExists()
    .unique()
    .on('consent_log_ranges')
    .columns(['source', 'first_id'])
    .execute();
  await db.schema
    .createTable('consent_log_head')
    .ifNotExists()
    .addColumn('id', integer, (c) => c.primaryKey())
    .addColumn('origin', text, (c) => c.notNull())
    .addColumn('size', integer, (c) => c.notNull())
    .addColumn('root', bytes, (c) => c.notNull())
    .addColumn('checkpoint', text, (c) => c.notNull())
    .addColumn('signed_at', integer, (c) => c.notNull())
    .execute();
}
