import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, run, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavis } from '../support/process.ts';

describe('doctor on PostgreSQL', () => {
  const folder = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  const name = () => new URL(database.url).pathname.slice(1);

  beforeAll(async () => {
    database = await createDatabase('postgres');
    env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_SERVICES: 'licence',
    };
  });
  afterAll(async () => {
    await database?.drop();
    folder.remove();
  });

  const diagnose = async (more: Record<string, string> = {}) =>
    (await pavis(['doctor'], { ...env, ...more })).stdout;

  it('says whether there are standbys and whether changes reach other nodes', async () => {
    const lines = await diagnose();
    expect(lines).toContain('ok    standbys: none visible\n');
    expect(lines).toContain('ok    notifications between nodes: delivered\n');
  });

  it('fails where a crash could lose acknowledged writes', async () => {
    await run(database.url, `alter database ${name()} set synchronous_commit = off`);
    expect(await diagnose()).toMatch(/FAIL {2}standbys: synchronous_commit is off, .*set it to on/);
    await run(database.url, `alter database ${name()} reset synchronous_commit`);
  });

  it('fails where the direct URL does not lead to the same database', async () => {
    const other = new URL(database.url);
    other.pathname = '/postgres';
    expect(await diagnose({ PAVIS_DATABASE_DIRECT_URL: other.href })).toMatch(
      /FAIL {2}notifications between nodes: .*PAVIS_DATABASE_DIRECT_URL must lead to the same/,
    );
  });
});
