import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, ENGINES, run } from '../../../test/support/engines.ts';
import { dataFolder } from '../../../test/support/process.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { createLogger } from '../log.ts';
import { type Datastore, openDatastore } from './index.ts';
import { purgeSqlite } from './sqlite-purge.ts';

/** Deterministic, so that pages are split as often in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('The embedded database', () => {
  let folder: ReturnType<typeof dataFolder>;
  let path: string;
  let datastore: Datastore;
  beforeEach(async () => {
    folder = dataFolder();
    path = `${folder.path}/pavis.db`;
    datastore = await openDatastore(`sqlite:${path}`, await createLogger('silent'));
  });
  afterEach(async () => {
    await datastore.close();
    folder.remove();
  });

  const marker = (n: number) => `person-${n}-${Math.imul(n, 0x9e3779b1) >>> 0}@example.com`;
  /** Which of the people can be found in the files. */
  function found(people: readonly number[]): number[] {
    const files = ['', '-wal'].map((suffix) => readFileSync(path + suffix).toString('latin1'));
    return people.filter((n) => files.some((bytes) => bytes.includes(marker(n))));
  }

  /** Rows that grow, shrink and go, so that pages are split, emptied and used again. */
  async function churn(rows: number): Promise<number[]> {
    const { db } = datastore;
    const next = numbersFrom(1);
    await sql`create table people (id integer primary key autoincrement, email text, body text)`.execute(
      db,
    );
    await sql`create index people_email on people (email)`.execute(db);
    const text = (n: number, most: number) => `${marker(n)} `.repeat(1 + next() * most);
    await datastore.transaction(async (trx) => {
      for (let n = 1; n <= rows; n++) {
        await sql`insert into people (email, body) values (${marker(n)}, ${text(n, 200)})`.execute(
          trx,
        );
      }
      for (let n = 1; n <= rows; n++) {
        const id = 1 + Math.floor(next() * rows);
        await sql`update people set body = ${text(id, 300)} where id = ${id}`.execute(trx);
      }
    });
    const gone = Array.from({ length: rows }, (_, at) => at + 1).filter((n) => n % 3 > 0);
    for (const id of gone) {
      if (id % 2 > 0) await sql`delete from people where id = ${id}`.execute(db);
      else {
        await sql`update people set email = null, body = ${'x'.repeat(next() * 9_000)} where id = ${id}`.execute(
          db,
        );
      }
    }
    return gone;
  }

  it('holds no byte of what was deleted or replaced, after a purge', async () => {
    const gone = await churn(1_500);
    expect(found(gone)).not.toEqual([]);
    await datastore.purge(['people']);
    expect(found(gone)).toEqual([]);
    expect(found([3, 6])).toEqual([3, 6]);
    expect(statSync(`${path}-wal`).size).toBe(0);
  });

  it('is purged while others read and write, and none of them is refused', async () => {
    const gone = await churn(500);
    let going = true;
    let written = 0;
    const others = [0, 1].map(async () => {
      while (going) {
        await datastore.transaction((trx) =>
          sql`insert into people (email) values ('somebody@example.com')`.execute(trx),
        );
        await sql`select count(*) from people`.execute(datastore.reader);
        written++;
        await new Promise(setImmediate);
      }
    });
    await datastore.purge(['people']);
    going = false;
    await Promise.all(others);
    expect(written).toBeGreaterThan(0);
    await datastore.purge(['people']);
    expect(found(gone)).toEqual([]);
  });

  it('waits for a reader before it empties the log', async () => {
    await churn(300);
    // A log that was copied to the file is written from its beginning again, and would not grow for long.
    const emptyLog = () => sql`pragma wal_checkpoint(truncate)`.execute(datastore.db);
    await expect.poll(async () => (await emptyLog()).rows).toMatchObject([{ busy: 0 }]);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from people').get();
    await sql`delete from people`.execute(datastore.db);
    const order: string[] = [];
    const purging = datastore.purge(['people']).then(() => order.push('purged'));
    const before = statSync(`${path}-wal`).size;
    while (statSync(`${path}-wal`).size <= before) await new Promise(setImmediate);
    order.push('reader left');
    reader.exec('commit');
    reader.close();
    await purging;
    expect(order).toEqual(['reader left', 'purged']);
    expect(statSync(`${path}-wal`).size).toBe(0);
  });

  it('gives the space of deleted rows back, also where it is too large to be written anew', async () => {
    await churn(2_000);
    await sql`delete from people`.execute(datastore.db);
    await purgeSqlite(path, { rewriteUpToBytes: 0 });
    const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(
      datastore.db,
    );
    expect(rows[0]?.freelist_count).toBe(0);
    expect(statSync(path).size).toBeLessThan(200_000);
    expect(found(Array.from({ length: 2_000 }, (_, at) => at + 1))).toEqual([]);
  });

  it('gets a map of its pages by its first purge, if an earlier version has made it', async () => {
    const old = `${folder.path}/old.db`;
    const made = new DatabaseSync(old);
    made.exec('pragma journal_mode = wal; create table people (email text)');
    made.close();
    await purgeSqlite(old);
    const since = new DatabaseSync(old);
    expect(since.prepare('pragma auto_vacuum').get()?.auto_vacuum).toBe(2);
    since.close();
  });

  it('does not come back empty once its file is gone', async () => {
    await expect(purgeSqlite(`${folder.path}/gone.db`)).rejects.toThrow();
    expect(() => statSync(`${folder.path}/gone.db`)).toThrow('ENOENT');
  });
});

describe('A PostgreSQL database', () => {
  it('is purged also if that takes longer than a query may', { timeout: 60_000 }, async () => {
    const database = await createDatabase('postgres', false);
    const name = new URL(database.url).pathname.slice(1);
    // A few pages take as long as a table of some gigabytes.
    await run(database.url, `alter database ${name} set vacuum_cost_delay = 100`);
    await run(database.url, `alter database ${name} set vacuum_cost_limit = 1`);
    const datastore = await openDatastore(database.url, await createLogger('silent'));
    const { db } = datastore;
    await sql`create table people as
      select n, repeat('x', 100) as body from generate_series(1, 1_200) as n`.execute(db);
    await sql`delete from people where n % 2 = 0`.execute(db);
    const startedAt = performance.now();
    await datastore.purge(['people']);
    expect(performance.now() - startedAt).toBeGreaterThan(8_000);
    await datastore.close();
    await database.drop();
  });
});

describe.each(ENGINES)('A purge on %s', (engine) => {
  const app = useTestApp(engine);

  it('takes the tables of the schema, and leaves what is in them', async () => {
    const { datastore } = app.platform;
    const vendors = await datastore.db.selectFrom('vendors').selectAll().execute();
    await datastore.purge(['vendors', 'consent_records']);
    expect(await datastore.db.selectFrom('vendors').selectAll().execute()).toEqual(vendors);
  });
});
