import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { getEngine } from './dialect.ts';

/** The column types that mean the same on both engines; migrations use these and no others. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows no schema but its own
export function columnsFor(db: Kysely<any>) {
  const isPostgres = getEngine(db) === 'postgres';
  return {
    isPostgres,
    /** The type of `id`: an integer that is never given twice, not even after a deletion. */
    idType: isPostgres ? ('bigint' as const) : ('integer' as const),
    id: (column: ColumnDefinitionBuilder) =>
      isPostgres
        ? column.primaryKey().generatedByDefaultAsIdentity()
        : column.primaryKey().autoIncrement(),
    /** Whole numbers: references, counts, moments in epoch milliseconds. */
    integer: isPostgres ? ('bigint' as const) : ('integer' as const),
    /**
     * How many ids a segment of an index of random keys has (`random-keys.ts`). The indexes have them
     * from migration 022: others need new ones.
     */
    segmentIds: isPostgres ? 65_536 : 16_384,
    /** Texts compare by byte on both engines. */
    text: isPostgres ? sql`text collate "C"` : ('text' as const),
  };
}
