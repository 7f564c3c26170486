import type { Logger } from '../log.ts';
import type { Datastore } from './datastore.ts';
import { SqliteDatastore } from './sqlite-datastore.ts';

/**
 * Opens the database that a URL names: `sqlite:/path/to/file.db` or `postgres://…`.
 * @param directUrl of the same database without the pooler that `url` goes through
 */
export async function openDatastore(
  url: string,
  log: Logger,
  directUrl?: string,
): Promise<Datastore> {
  if (url.startsWith('sqlite:')) return new SqliteDatastore(url.slice('sqlite:'.length));
  // Loaded where it is used: `pg` slows the start down.
  const { PostgresDatastore } = await import('./postgres-datastore.ts');
  return PostgresDatastore.open(url, log, directUrl);
}
