import { sql } from 'kysely';
import type { Datastore } from './datastore.ts';

/** What decides whether an acknowledged write survives the loss of the server. */
interface Durability {
  /** Whether the server only follows another one. */
  isStandby: boolean;
  /** Number of standbys that follow the server. Standbys of a managed database may not show. */
  standbys: number;
  /** Whether commits wait for a standby. */
  isSynchronous: boolean;
  /** The setting for connections of this user: `off` does not wait for the disk, `local` does not wait for a standby. */
  synchronousCommit: string;
}

/** Undefined on SQLite. */
export async function readDurability({
  db,
  engine,
}: Pick<Datastore, 'db' | 'engine'>): Promise<Durability | undefined> {
  if (engine !== 'postgres') return undefined;
  const { rows } = await sql<{
    is_standby: boolean;
    standbys: number;
    names: string;
    synchronous_commit: string;
  }>`select pg_is_in_recovery() as is_standby,
      (select count(*) from pg_stat_replication) as standbys,
      current_setting('synchronous_standby_names') as names,
      current_setting('synchronous_commit') as synchronous_commit`.execute(db);
  const [row] = rows;
  return (
    row && {
      isStandby: row.is_standby,
      standbys: row.standbys,
      isSynchronous: row.names !== '',
      synchronousCommit: row.synchronous_commit,
    }
  );
}
