import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Datastore, openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, spawnPavis } from '../support/process.ts';

const LICENCES = 2_000;
/** Beside other work an import takes long. */
const timeoutMs = 120_000;

describe.each(ENGINES)('an import of licences on %s', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let datastore: Datastore;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase(engine);
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url };
    datastore = await openDatastore(database.url, await createLogger('silent'));
  });
  afterAll(async () => {
    await datastore?.close();
    await database?.drop();
    folder.remove();
  });

  const count = async (table: 'licences' | 'licence_keys' | 'licence_imports' | 'activations') => {
    const { rows } = await datastore.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };

  it('leaves no licence half imported when it is killed, and is completed by the next', async () => {
    const file = join(folder.path, 'old.csv');
    const rows = Array.from(
      { length: LICENCES },
      (_, at) => `${at},old-key-${at},a${at}@example.org,pro,lifetime,https://s${at}.example.org`,
    );
    writeFileSync(file, `external_id,old_key,email,tier,expires_at,sites\n${rows.join('\n')}\n`);
    const command = ['licence', 'import', file];

    const killed = spawnPavis(command, env, { timeoutMs });
    await vi.waitFor(async () => expect(await count('licences')).toBeGreaterThan(100), {
      timeout: timeoutMs,
      interval: 5,
    });
    killed.process.kill('SIGKILL');
    expect((await killed.finished).code).toBeNull();
    const imported = await count('licences');
    expect(imported).toBeLessThan(LICENCES);
    for (const table of ['licence_keys', 'licence_imports', 'activations'] as const)
      expect(await count(table)).toBe(imported);

    expect(await pavisJson(command, env, { timeoutMs })).toMatchObject({
      created: LICENCES - imported,
      unchanged: imported,
      conflicts: 0,
      invalid: 0,
    });
    expect(await pavisJson(command, env, { timeoutMs })).toMatchObject({
      created: 0,
      unchanged: LICENCES,
    });
    for (const table of ['licences', 'licence_keys', 'licence_imports', 'activations'] as const)
      expect(await count(table)).toBe(LICENCES);
  }, 300_000);
});
