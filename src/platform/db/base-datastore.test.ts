import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openEmptyDatabase } from '../../../test/support/old-database.ts';

describe('Transactions on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>;

  beforeAll(async () => {
    database = await openEmptyDatabase('postgres');
  });
  afterAll(() => database.close());

  it('are not repeated after they have waited for a lock', async () => {
    const { datastore } = database;
    const lock = sql`select pg_advisory_xact_lock(7)`;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
    const holder = datastore.db.transaction().execute(async (trx) => {
      await lock.execute(trx);
      hasLocked();
      await released;
    });
    onTestFinished(async () => {
      release();
      await holder;
    });
    await locked;
    let attempts = 0;
    const waiting = datastore.transaction(async (trx) => {
      attempts++;
      await sql`set local lock_timeout = 200`.execute(trx);
      await lock.execute(trx);
    });
    await expect(waiting).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('busy'),
    });
    expect(attempts).toBe(1);
  });

  it.each(['40001', '40P01'])('are repeated after error %s', async (code) => {
    let attempts = 0;
    const value = await database.datastore.transaction(async (trx) => {
      if (++attempts > 2) return 'done';
      return sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(
        trx,
      );
    });
    expect([value, attempts]).toEqual(['done', 3]);
  });
});
