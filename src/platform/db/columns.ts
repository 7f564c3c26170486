import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { engineOf } from './dialect.ts';

/** The column types that mean the same on both engines; migrations use these and no others. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows no schema but its own
export function columnsFor(db: Kysely<any>) {
  const postgres = engineOf(db) === 'postgres';
  return {
    /** The type of `id`: an integer that is never given twice, not even after a deletion. */
    idType: postgres ? ('bigint' as const) : ('integer' as const),
    id: (column: ColumnDefinitionBuilder) =>
      postgres
        ? column.primaryKey().generatedByDefaultAsIdentity()
        : column.primaryKey().autoIncrement(),
    /** Whole numbers: references, counts, moments in epoch milliseconds. */
    integer: postgres ? ('bigint' as const) : ('integer' as const),
    /**
     * How many ids a segment of an index has (`segments.ts`): on SQLite, which writes the pages of one
     * with every commit, few; PostgreSQL writes pages later, and looks into few segments sooner.
     * The index has them from migration 022: others need a new one.
     */
    segmentIds: postgres ? 65_536 : 4_096,
    /** Texts compare by byte on both engines. */
    text: postgres ? sql`text collate "C"` : ('text' as const),
  };
}
