import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from './database.ts';
import { selectSegments } from './random-keys.ts';
import { findNextMerge, LEVELS, MERGED_FROM, type SegmentMerge } from './segment-levels.ts';

/** An index of random keys on SQLite. */
interface RandomKey {
  table: string;
  column: string;
}

/** Undefined if no level has too many segments. */
export async function findSegmentMerge(db: Db, key: RandomKey): Promise<SegmentMerge | undefined> {
  const lowest = LEVELS.map(
    ({ first, last }) => sql`(
      select case when count(*) = ${MERGED_FROM} then min(number) end
      from (${selectSegments(toIndex(key), { from: first, to: last })} limit ${MERGED_FROM}))`,
  );
  const { rows } = await sql<{ lowest: string }>`
    select json_array(${sql.join(lowest)}) as lowest`.execute(db);
  return rows[0] && findNextMerge(JSON.parse(rows[0].lowest));
}

/**
 * Moves the next entries of a merge, in the order of the index. Each entry is in one segment at any time, so others may
 * read and write between the steps, and a merge that was interrupted is continued.
 * @param atOnce entries of each segment, at most
 */
export async function moveEntries(
  trx: Trx,
  key: RandomKey,
  { from, to, into }: SegmentMerge,
  atOnce: number,
): Promise<void> {
  const index = toIndex(key);
  const column = sql.ref(key.column);
  const between = selectSegments(index, { from, to });
  // The first entry that stays: no segment has more than `atOnce` before it.
  const nth = (wanted: RawBuilder<unknown>) => sql`(select ${wanted} from ${index} as each
    where each.segment = segments.number order by ${column}, id limit 1 offset ${atOnce})`;
  const { rows } = await sql<{ key: string; id: number }>`
    select * from (select ${nth(column)} as key, ${nth(sql`id`)} as id from (${between}) as segments)
    where key is not null order by key, id limit 1`.execute(trx);
  const [end] = rows;
  const moved = sql`segment in (${between})
    ${end ? sql`and (${column}, id) < (${end.key}, ${end.id})` : sql``}`;
  await sql`insert into ${index} (segment, ${column}, id)
    select ${into}, ${column}, id from ${index} where ${moved} order by ${column}, id`.execute(trx);
  await sql`delete from ${index} where ${moved}`.execute(trx);
}

const toIndex = ({ table, column }: RandomKey) => sql.table(`index_${table}_${column}`);
