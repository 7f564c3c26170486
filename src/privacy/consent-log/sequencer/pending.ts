import type { Db } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { LogSource } from '../log/tables.ts';
import type { Gap, PendingEntry } from './rules.ts';
import { listRowsAfter, listRowsWithin, type SourceRow } from './store.ts';

/** Rows that are read at once: they are garbage as soon as their entries are computed. */
const PAGE = 512;
/** The banner version is logged before the decisions that name it. */
const SOURCES: readonly LogSource[] = [2, 1];

export interface PendingScope {
  /** The main database. */
  db: Db;
  columns: EntryColumns;
  toEntry: (source: LogSource, row: SourceRow) => PendingEntry;
}

/**
 * The entries of rows that the log does not have yet: those with ids that were passed over, then those with higher ids.
 * @param logged the last id of each source in the log, and the ids that were passed over
 */
export async function listPending(
  { db, columns, toEntry }: PendingScope,
  { lastIds, gaps }: { lastIds: Readonly<Record<LogSource, number>>; gaps: readonly Gap[] },
  limit: number,
): Promise<PendingEntry[]> {
  const pending: PendingEntry[] = [];
  for (const source of SOURCES) {
    const query = (most: number) => ({
      source,
      columns,
      limit: Math.min(most, limit - pending.length),
    });
    const passedOver = gaps.filter((gap) => gap.source === source);
    const late = passedOver.length > 0 ? await listRowsWithin(db, query(limit), passedOver) : [];
    for (const row of late) pending.push(toEntry(source, row));
    let rows: SourceRow[];
    let after = lastIds[source];
    do {
      rows = await listRowsAfter(db, query(PAGE), after);
      for (const row of rows) pending.push(toEntry(source, row));
      after = rows.at(-1)?.id ?? after;
    } while (rows.length === PAGE && pending.length < limit);
  }
  return pending;
}
