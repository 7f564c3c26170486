import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createDatabase, ENGINES, run } from '../../test/support/engines.ts';
import { migrate, openDatastore } from '../platform/db/index.ts';
import { createLogger } from '../platform/log.ts';
import { migrations } from './index.ts';

const BEFORE = Object.fromEntries(
  Object.entries(migrations).filter(([name]) => name < '030-address-spellings'),
);

describe.each(ENGINES)('A database with addresses in several spellings on %s', (engine) => {
  it('has each address in one spelling afterwards, and no customer is lost', async () => {
    const database = await createDatabase(engine);
    if (engine === 'sqlite') rmSync(database.url.slice('sqlite:'.length));
    else await run(database.url, 'drop schema public cascade; create schema public');
    const datastore = await openDatastore(database.url, await createLogger('silent'));
    const { db } = datastore;
    await migrate(datastore, BEFORE);
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
    await migrate(datastore, migrations);
    const customers = await db.selectFrom('customers').select('email').orderBy('id').execute();
    expect(customers.map(({ email }) => email)).toEqual([
      'a@xn--bcher-kva.example',
      'b@xn--bcher-kva.example',
      'b@bücher.example',
      'zo\u00eb@example.com',
    ]);
    await datastore.close();
    await database.drop();
  });
});
