import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The clock of the PostgreSQL server, in epoch milliseconds. */
export async function readServerClock(db: Db): Promise<number> {
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  return (rows as [{ now: number }])[0].now;
}
