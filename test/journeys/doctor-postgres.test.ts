import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, run, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavis, pavisJson, spawnPavis, startedLater } from '../support/process.ts';

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

  it('fails where the clock is not that of the database, which leases of several nodes need', async () => {
    expect(await diagnose()).toMatch(
      /ok {4}clock: 0\.\d s (?:ahead of|behind) the clock of the database\n/,
    );
    const late = spawnPavis(['doctor'], { ...env, ...startedLater(40_000) });
    expect((await late.finished).stdout).toMatch(
      /FAIL {2}clock: (?:39|40)\.\d s ahead of the clock of the database\. Synchronise/,
    );
  });

  it('says what to do about a database that is not there', async () => {
    const url = new URL(database.url);
    url.pathname = '/pavis_none';
    const none = { PAVIS_DATABASE_URL: url.href };
    expect(await diagnose(none)).toMatch(
      /^FAIL {2}database: .*"pavis_none" does not exist\. Create it with "createdb [^"]+", or check PAVIS_DATABASE_URL$/m,
    );
  });

  it('fails where a crash could lose acknowledged writes', async () => {
    await run(database.url, `alter database ${name()} set synchronous_commit = off`);
    expect(await diagnose()).toMatch(/FAIL {2}standbys: synchronous_commit is off, .*set it to on/);
    await run(database.url, `alter database ${name()} reset synchronous_commit`);
  });

  it('fails where the user may not create tables or read those of another user', async () => {
    const other = await createDatabase('postgres', false);
    const url = new URL(other.url);
    url.username = 'pavis_without_rights';
    const limited = {
      ...env,
      PAVIS_DATA_DIR: join(folder.path, 'limited'),
      PAVIS_DATABASE_URL: url.href,
    };
    await run(other.url, 'drop role if exists pavis_without_rights');
    await run(other.url, 'create role pavis_without_rights login');
    await run(other.url, 'revoke create on schema public from public');
    const reason = 'the user pavis_without_rights may not create tables in the database';
    expect(await diagnose(limited)).toContain(`FAIL  schema: ${reason}`);
    expect(await pavis(['migrate'], limited)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(reason),
    });
    await pavisJson(['user', 'list'], { ...limited, PAVIS_DATABASE_URL: other.url });
    expect(await pavis(['user', 'list'], limited)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/permission denied.* Make the user of the URL the owner/),
    });
    await other.drop();
    await run(database.url, 'drop role pavis_without_rights');
  });

  it('fails on a database that cannot hold all texts, or that another program uses', async () => {
    const url = new URL(database.url);
    url.pathname = `${url.pathname}_latin1`;
    const latin = { PAVIS_DATABASE_URL: url.href, PAVIS_DATA_DIR: join(folder.path, 'latin1') };
    const named = url.pathname.slice(1);
    await run(
      database.url,
      `create database ${named} encoding 'LATIN1' locale 'C' template template0`,
    );
    expect(await diagnose(latin)).toMatch(/FAIL {2}schema: .*encoding LATIN1.* --encoding=UTF8/);
    await run(database.url, `drop database ${named}`);
    const used = await createDatabase('postgres', false);
    await run(used.url, 'create table installation (place text)');
    const beside = { PAVIS_DATABASE_URL: used.url, PAVIS_DATA_DIR: join(folder.path, 'used') };
    expect(await diagnose(beside)).toMatch(/FAIL {2}schema: .*"installation" of another program/);
    await used.drop();
  });

  it('fails where the direct URL does not lead to the same database', async () => {
    const other = new URL(database.url);
    other.pathname = '/postgres';
    expect(await diagnose({ PAVIS_DATABASE_DIRECT_URL: other.href })).toMatch(
      /FAIL {2}notifications between nodes: .*PAVIS_DATABASE_DIRECT_URL must lead to the same/,
    );
  });
});
