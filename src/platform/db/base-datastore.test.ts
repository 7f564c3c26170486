import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmptyDatabase } from '../../../test/support/old-database.ts';

describe('Transactions on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>;

  beforeAll(async () => {
    database = await openEmptyDatabase('postgres');
  });
  afterAll(() => database.close());

  it.each(['40001', '40P01', '55P03'])('are repeated after error %s', async (code) => {
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
