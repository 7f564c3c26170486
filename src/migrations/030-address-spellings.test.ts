import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database with addresses in several spellings on %s', (engine) => {
  it('has each address in one spelling afterwards, and no customer is lost', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '030-address-spellings');
    for (const [id, email] of [
      [1, 'a@bücher.example'],
      [2, 'b@xn--bcher-kva.example'],
      [3, 'b@bücher.example'],
      [4, 'zoe\u0308@example.com'],
    ] as const) {
      await sql`insert into customers (id, email, created_at) values (${id}, ${email}, 1)`.execute(
        db,
      );
    }
    await upgrade();
    const customers = await db.selectFrom('customers').select('email').orderBy('id').execute();
    expect(customers.map(({ email }) => email)).toEqual([
      'a@xn--bcher-kva.example',
      'b@xn--bcher-kva.example',
      'b@bücher.example',
      'zo\u00eb@example.com',
    ]);
    await close();
  });
});
