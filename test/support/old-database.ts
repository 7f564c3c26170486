import { migrations } from '../../src/migrations/index.ts';
import { migrate, openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createDatabase, type Engine } from './engines.ts';

/** A database in which there is nothing at all. */
export async function openEmptyDatabase(engine: Engine) {
  const { url, drop } = await createDatabase(engine, false);
  const datastore = await openDatastore(url, await createLogger('silent'));
  return {
    url,
    datastore,
    async close() {
      await datastore.close();
      await drop();
    },
  };
}

const listMigrationsBefore = (end: string) =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => name < end));

/**
 * A database with the schema from before a migration.
 * @param migration its name, or the beginning
 */
export async function openOldDatabase(engine: Engine, migration: string) {
  const { datastore, close } = await openEmptyDatabase(engine);
  await migrate(datastore, listMigrationsBefore(migration));
  return {
    db: datastore.db,
    /** Runs the other migrations. @param end the name, or its beginning, of the first that is left out */
    upgrade: (end?: string) =>
      migrate(datastore, end === undefined ? migrations : listMigrationsBefore(end)),
    close,
  };
}
