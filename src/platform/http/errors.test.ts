import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../../test/support/scopes.ts';
import { useTestApp } from '../../../test/support/test-app.ts';

describe.each(SCOPES)('$name while a statement takes too long on PostgreSQL', ({ prefix }) => {
  const app = useTestApp('postgres', {}, (server) => {
    server.get(`${prefix}/slow`, () =>
      app.platform.datastore.transaction(async (trx) => {
        await sql`set local statement_timeout = 50`.execute(trx);
        await sql`select pg_sleep(5)`.execute(trx);
      }),
    );
  });

  it('says so, and what to do', async () => {
    const { status, json, headers } = await app.http.get(`${prefix}/slow`);
    expect([status, json.message, headers.get('retry-after')]).toEqual([
      503,
      'The database cancelled a statement that took too long. It changed nothing. Ask for less, for example a shorter period, or try again later.',
      '5',
    ]);
  });
});
