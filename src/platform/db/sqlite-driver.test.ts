import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
