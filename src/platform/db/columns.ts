import { type ColumnDefinitionBuilder, sql } from 'kysely';
import type { AnyDb } from './database.ts';
import { getEngine } from './dialect.ts';

/** The column types that mean the same on both engines; migrations use no others. */
export function columnsFor(db: AnyDb) {
  const isPostgres = getEngine(db) === 'postgres';
  return {
    isPostgres,
    /** The type of `id`: an integer that is never given twice, not even after a deletion. */
    idType: isPostgres ? ('bigint' as const) : ('integer' as const),
    id: (column: ColumnDefinitionBuilder) =>
      isPostgres
        ? column.primaryKey().generatedByDefaultAsIdentity()
        : column.primaryKey().autoIncrement(),
    /** References, counts, moments in epoch milliseconds. */
    integer: isPostgres ? ('bigint' as const) : ('integer' as const),
    /** Ids per segment of an index of random keys (`random-keys.ts`). Indexes have it since migration 022: a change needs new ones. */
    segmentIds: isPostgres ? 65_536 : 16_384,
    /** Texts compare by byte on both engines. */
    text: isPostgres ? sql`text collate "C"` : ('text' as const),
    bytes: isPostgres ? ('bytea' as const) : ('blob' as const),
  };
}
