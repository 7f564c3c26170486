import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../durations.ts';
import { SqliteDatastore } from './sqlite-datastore.ts';
import { openSqliteFile } from './thread-database.ts';

describe('a statement outside a transaction', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-driver-'));
  const db = openSqliteFile(join(folder, 'pavis.db'));
  const other = new DatabaseSync(join(folder, 'pavis.db'));
  beforeAll(() => sql`create table counts (n integer)`.execute(db));
  afterAll(async () => {
    other.close();
    await db.destroy();
    rmSync(folder, { recursive: true });
  });
  const insert = () => sql`insert into counts values (1)`.execute(db);

  it('waits for the lock of another connection while timers of this thread run', async () => {
    other.exec('begin immediate');
    // The lock ends in this thread: were it blocked, the statement would fail.
    setTimeout(() => other.exec('commit'), 20);
    expect((await insert()).numAffectedRows).toBe(1n);
  });

  it('fails as busy when the lock stays', async () => {
    other.exec('begin immediate');
    await expect(insert()).rejects.toMatchObject({ errcode: 5 });
    other.exec('rollback');
    expect((await insert()).numAffectedRows).toBe(1n);
  });
});

describe('a transaction', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-driver-'));
  const datastore = new SqliteDatastore(join(folder, 'pavis.db'));
  const other = new DatabaseSync(join(folder, 'pavis.db'));
  afterAll(async () => {
    vi.useRealTimers();
    other.close();
    await datastore.close();
    rmSync(folder, { recursive: true });
  });

  it('waits for the lock of another connection while the clock is set forward', async () => {
    other.exec('create table counts (n integer); begin immediate');
    const inserted = datastore.transaction((trx) =>
      sql`insert into counts values (1)`.execute(trx),
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
    setTimeout(() => other.exec('commit'), 200);
    expect((await inserted).numAffectedRows).toBe(1n);
  });
});

describe('a file that a crash has left in the middle of a transaction', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-driver-'));
  const file = join(folder, 'crashed.db');
  beforeAll(() => {
    const before = join(folder, 'before.db');
    const writer = new DatabaseSync(before);
    // The small cache has SQLite write to the file before the commit.
    writer.exec(`pragma cache_size = 1;
      create table texts (state text, filler text);
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100)
        insert into texts select 'committed', hex(randomblob(2000)) from numbers;
      begin; update texts set state = 'cut short'`);
    for (const suffix of ['', '-journal']) copyFileSync(before + suffix, file + suffix);
    writer.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read as it was before that transaction', async () => {
    const db = openSqliteFile(file, { readOnly: true });
    const { rows } = await sql`select distinct state from texts`.execute(db);
    await db.destroy();
    expect(rows).toEqual([{ state: 'committed' }]);
  });
});
