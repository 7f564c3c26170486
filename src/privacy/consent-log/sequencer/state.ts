import type { Datastore } from '../../../platform/db/index.ts';
import type { ConsentLog } from '../log/open.ts';
import { countRowsAfter } from './store.ts';

/** Rows without an entry. */
export interface NotLogged {
  count: number;
  /** Time of the oldest, in epoch milliseconds; null if there is none. */
  since: number | null;
}

/** Counts the rows that are not logged, without those that PostgreSQL committed late. */
export async function countNotLogged(
  { datastore }: { datastore: Datastore },
  log: ConsentLog,
): Promise<NotLogged> {
  const logged = await log.readLastIds();
  const one = await countRowsAfter(datastore.reader, 1, logged[1]);
  const two = await countRowsAfter(datastore.reader, 2, logged[2]);
  const times = [one.since, two.since].filter((time) => time !== null);
  return { count: one.count + two.count, since: times.length > 0 ? Math.min(...times) : null };
}
