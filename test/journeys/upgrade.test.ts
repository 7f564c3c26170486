import { randomUUID } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, ENGINES, run } from '../support/engines.ts';
import { FIXTURE_SECRET } from '../support/filled-installation.ts';
import { dataFolder, pavis, pavisJson, runShell, startServer } from '../support/process.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/schema-0.1.0/sqlite.sql');
const MAIN = join(import.meta.dirname, '../../bin/pavis.js');

describe('an embedded database of an earlier version', () => {
  let folder: ReturnType<typeof dataFolder>;
  let env: Record<string, string>;
  let backups: string;
  const database = () => join(folder.path, 'pavis.db');

  beforeEach(() => {
    folder = dataFolder();
    backups = join(folder.path, 'backups');
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_SECRET: FIXTURE_SECRET };
    const db = new DatabaseSync(database());
    const fixture = readFileSync(FIXTURE, 'utf8');
    db.exec(`begin; pragma defer_foreign_keys = on; ${fixture} commit`);
    db.close();
  });
  afterEach(() => folder.remove());

  const readMigrations = (file: string): string[] => {
    const db = new DatabaseSync(file, { readOnly: true });
    const rows = db.prepare('select name from pavis_migrations order by name').all();
    db.close();
    return rows.map(({ name }) => String(name));
  };

  it('is backed up before it is migrated, and once', async () => {
    const before = readMigrations(database());
    const { backup, pending } = await pavisJson(['migrate'], env);
    expect(pending).toEqual([]);
    expect(readMigrations(backup)).toEqual(before);
    expect(readMigrations(database()).length).toBeGreaterThan(before.length);
    expect((await pavisJson(['migrate'], env)).backup).toBe(null);
    expect(readdirSync(backups)).toHaveLength(1);
  });

  it('is backed up by a start of the server, which logs where, and can be restored', async () => {
    const before = readMigrations(database());
    const server = await startServer({ ...env, PAVIS_CHROMIUM: 'off' });
    await server.stop();
    const [name] = readdirSync(backups);
    const file = join(backups, String(name));
    expect(server.log()).toContain(JSON.stringify(file));
    expect(server.log()).toContain('database backed up before its migration');
    await pavisJson(['restore', file], env);
    expect(readMigrations(database()).slice(0, before.length)).toEqual(before);
  });

  it('is restored without another backup, which would contain persons whose erasure is repeated', async () => {
    const { backup } = await pavisJson(['migrate'], env);
    writeFileSync(join(folder.path, 'erasures.jsonl'), '');
    const { reapplied, aside } = await pavisJson(['restore', backup], env);
    expect(reapplied).toMatchObject({ erasures: 0 });
    expect(readMigrations(database())).toEqual(readMigrations(aside));
    expect(readdirSync(backups)).toEqual([basename(backup)]);
  });

  it('keeps the last three backups, and what else is in their folder', async () => {
    mkdirSync(backups);
    const automatic = ['010-a', '011-b', '012-c'].map(
      (migration, day) => `before-${migration}-2026010${day}T093000123Z.db`,
    );
    const mine = ['before-campaign.db', 'before-010-a-20260101.db', 'mine.db'];
    const old = [
      ...mine,
      ...automatic,
      `before-1-d.db.${randomUUID()}.part`,
      `before-1-d.db.${randomUUID()}.part-journal`,
    ];
    for (const [index, name] of old.entries()) {
      writeFileSync(join(backups, name), '');
      utimesSync(join(backups, name), index, index);
    }
    const { backup } = await pavisJson(['migrate'], env);
    const kept = [...mine, ...automatic.slice(1), basename(backup)].toSorted();
    expect(readdirSync(backups).toSorted()).toEqual(kept);
  });

  it('keeps the backups of earlier updates while a migration fails, and the last three of its own', async () => {
    mkdirSync(backups);
    const old = [1, 2, 3].map((n) => `before-010-a-2026010${n}T093000123Z.db`);
    for (const name of old) {
      writeFileSync(join(backups, name), '');
      utimesSync(join(backups, name), 0, 0);
    }
    const db = new DatabaseSync(database());
    db.exec('create table webhook_events (x)');
    db.close();
    for (let attempt = 0; attempt < 4; attempt++) {
      expect((await pavis(['migrate'], env)).code).toBe(1);
    }
    const names = readdirSync(backups);
    expect(names).toEqual(expect.arrayContaining(old));
    expect(names).toHaveLength(6);
  });

  it('leaves no incomplete copies of it in the data folder or beside it if backups or restores are killed', async () => {
    mkdirSync(backups);
    const other = dataFolder();
    const elsewhere = join(other.path, 'pavis.db');
    renameSync(database(), elsewhere);
    const drafts = [database(), join(backups, 'before-1-a.db'), elsewhere].flatMap((file) => [
      `${file}.${randomUUID()}.part`,
      `${file}.${randomUUID()}.part-journal`,
    ]);
    const inTheMaking = `${database()}.${randomUUID()}.part`;
    for (const file of [...drafts, inTheMaking]) writeFileSync(file, '');
    for (const file of drafts) utimesSync(file, 0, 0);
    const server = await startServer({
      ...env,
      PAVIS_DATABASE_URL: `sqlite:${elsewhere}`,
      PAVIS_CHROMIUM: 'off',
    });
    const listParts = () =>
      [folder, other].flatMap(({ path }) => globSync(join(path, '**/*.part*')));
    await expect.poll(listParts).toEqual([inTheMaking]);
    await server.stop();
    other.remove();
  });

  it('is not migrated if the backup cannot be written, unless you say that you have one', async () => {
    const before = readMigrations(database());
    // As on a disk with less space than the database needs.
    const limited = await runShell(`ulimit -f 200; exec node ${MAIN} migrate`, env);
    expect(limited.code).toBe(1);
    expect(limited.stderr).toMatch(
      /^pavis: the database was not migrated, because it could not be backed up to .*backups.*--no-backup".*\n$/,
    );
    expect(readMigrations(database())).toEqual(before);
    expect(readdirSync(backups)).toEqual([]);
    const { backup, pending } = await pavisJson(['migrate', '--no-backup'], env);
    expect([backup, pending]).toEqual([null, []]);
  });
});

describe.each(ENGINES)('a database of a later version on %s', (engine) => {
  it('is rejected by the server and by commands, and stays as it is', async () => {
    const { url, drop } = await createDatabase(engine);
    const folder = dataFolder();
    const newer = "insert into pavis_migrations values ('999-from-the-future', '2099-01-01')";
    if (engine === 'postgres') await run(url, newer);
    else new DatabaseSync(url.slice('sqlite:'.length)).exec(newer);
    const env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: url,
      PAVIS_SECRET: FIXTURE_SECRET,
      PAVIS_PORT: '0',
    };
    for (const args of [['serve'], ['migrate'], ['migrate', '--status'], ['licence', 'list']]) {
      const { code, stderr } = await pavis(args, env);
      expect([args, code]).toEqual([args, 1]);
      expect(stderr).toMatch(
        /pavis: the database was written by a newer version of Pavis \(it has the migration 999-from-the-future\): install that version, or restore a backup made before it\n$/,
      );
    }
    folder.remove();
    await drop();
  });
});
