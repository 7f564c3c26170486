import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrations } from '../../src/migrations/index.ts';
import { PERSONAL_DATA } from '../../src/modules/personal-data.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { migrate, openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { seedOwnProcessing } from '../../src/privacy/data-map/index.ts';
import { seedPolicies } from '../../src/privacy/retention/index.ts';
import { seedLibrary } from '../../src/privacy/vendors/index.ts';
import { buildChangedFrontEnds } from '../../web/build-changed.ts';
import { provideBrowser } from './browser.ts';
import { startPostgres } from './postgres.ts';
import { createTemporaryFolders, type TemporaryFolders } from './temporary-folders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated, empty database of each engine; test files work on copies. */
    templates: { sqlite: string; postgres: string };
    temporary: TemporaryFolders;
    /** The unpacked browser for scans. */
    browser: string | undefined;
  }
}

/** Makes the two templates once for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { folders, remove } = createTemporaryFolders();
  project.provide('temporary', folders);
  // Of this process and of those it starts.
  process.env.TMPDIR = folders.memory;
  const folder = join(folders.memory, 'templates');
  mkdirSync(folder);
  const postgres = await startPostgres();
  const server = new pg.Client({ connectionString: postgres.url('postgres') });
  await server.connect();
  await server.query('create database pavis_template');
  await server.end();

  const templates = {
    sqlite: join(folder, 'template.db'),
    postgres: postgres.url('pavis_template'),
  };
  const log = await createLogger('silent');
  await buildChangedFrontEnds();
  for (const url of [`sqlite:${templates.sqlite}`, templates.postgres]) {
    const datastore = await openDatastore(url, log);
    await migrate(datastore, migrations);
    await seedLibrary({ datastore, clock: systemClock });
    await seedOwnProcessing({ datastore, clock: systemClock });
    await seedPolicies({ datastore, clock: systemClock }, PERSONAL_DATA);
    await datastore.close();
  }
  project.provide('templates', templates);
  project.provide('browser', await provideBrowser(folder));
  return async () => {
    await postgres.stop();
    remove();
  };
}
