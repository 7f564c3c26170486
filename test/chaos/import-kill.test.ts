import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Datastore, openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavis, pavisJson, runShell, spawnPavis } from '../support/process.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
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

describe('an import of licences without old keys', () => {
  const folder = dataFolder();
  afterAll(folder.remove);
  const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'off' };
  const file = join(folder.path, 'new.csv');
  const report = join(folder.path, 'report.csv');
  const countKeys = (text: string) => new Set(text.match(/pv_live_[A-Za-z0-9]{32}/g)).size;

  it('prints the keys of what it has imported when the disk is full, and is completed by the next', async () => {
    const rows = Array.from({ length: 600 }, (_, at) => `${at},a${at}@example.org,pro,lifetime`);
    writeFileSync(file, `external_id,email,tier,expires_at\n${rows.join('\n')}\n`);
    await pavisJson(['licence', 'list'], env);
    const limited = `ulimit -f 2800; exec node ${MAIN} licence import ${file} --report ${report}`;
    const { code, stdout, stderr } = await runShell(limited, env);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^pavis: cannot use the database [^\n]+ then try again\.\n$/),
    ]);
    expect(stdout).toContain('The import was interrupted.');
    const created = Number(/^(\d+) created/m.exec(stdout)?.[1]);
    expect(created).toBeGreaterThan(50);
    expect(countKeys(stdout)).toBe(created);
    expect(countKeys(readFileSync(report, 'utf8'))).toBe(created);

    const again = await pavis(['licence', 'import', file], env);
    expect(again.stdout).toContain(`${600 - created} created, 0 updated, ${created} unchanged`);
    expect(countKeys(again.stdout)).toBe(600 - created);
  });

  it('does not begin if the report cannot be written', async () => {
    const missing = join(folder.path, 'none/report.csv');
    const { code, stderr } = await pavis(['licence', 'import', file, '--report', missing], env);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^pavis: cannot write .*ENOENT.*\. Nothing was imported\n$/),
    ]);
  });
});
