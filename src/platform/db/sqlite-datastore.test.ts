import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { SqliteDatastore } from './sqlite-datastore.ts';
import { SqliteConnection, SqliteSyncError } from './sqlite-driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'pavis-datastore-'));
const datastore = new SqliteDatastore(join(folder, 'pavis.db'));
afterAll(async () => {
  await datastore.close();
  rmSync(folder, { recursive: true });
});

it('announces a change that the disk has not confirmed', async () => {
  const heard: (string | undefined)[] = [];
  for (const topic of ['topic', 'own:topic']) datastore.onChange(topic, (key) => heard.push(key));
  const { commit } = SqliteConnection.prototype;
  const spy = vi.spyOn(SqliteConnection.prototype, 'commit');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(async function (this: SqliteConnection) {
    await commit.call(this);
    throw new SqliteSyncError('The disk has not confirmed the change.');
  });
  const change = datastore.transaction(async (trx, announce) => {
    await sql`create table changes (key text)`.execute(trx);
    announce('topic', 'shared');
    announce('own:topic', 'confirmed changes only');
  });
  await expect(change).rejects.toThrow(SqliteSyncError);
  expect(heard).toEqual(['shared']);
});
