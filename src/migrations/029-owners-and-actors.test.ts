import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

const DAY = 86_400_000;
const NEW_YEAR = Date.parse('2025-01-01T00:00:00Z');

describe.each(ENGINES)('A database of before records had owners on %s', (engine) => {
  it('knows whose they are, who did it, and when customers and purchases ended', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '029');
    for (const statement of [
      `insert into users (id, login, login_key, email, role, password_hash, created_at) values (7, 'ada', 'ada', 'ada@example.com', 'administrator', '', 1)`,
      `insert into customers (id, email, created_at) values (1, 'a@example.com', 1), (2, 'b@example.com', 1), (3, 'c@example.com', 5)`,
      `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at, revoked_at) values (1, 'lic_1', 2, 'live', 'pro', 3, 2, 0, ${NEW_YEAR - DAY}, ${NEW_YEAR}, null), (2, 'lic_2', 1, 'live', 'pro', 3, 0, 0, 1, ${NEW_YEAR}, 900)`,
      `insert into licence_events (licence_id, at, actor, action, details) values (1, 10, 'console (ada)', 'issued', '{}'), (1, 100, 'console (ada)', 'transferred', '{"from_customer":1,"to_customer":2}'), (1, 200, 'licence key', 'activated', '{}')`,
      `insert into activations (id, licence_id, site_key, site_url, takes_slot, activated_at) values (1, 1, 'old', 'https://old.example', 1, 50), (2, 1, 'new', 'https://new.example', 1, 150)`,
      `insert into purchases (session_id, licence_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews) values ('cs_1', 1, 'pro', 2, 0, 0, 0, 1)`,
    ]) {
      await sql.raw(statement).execute(db);
    }

    await upgrade('030');
    const column = async (table: string, name: string) => {
      const { rows } = await sql<{ value: number | null }>`
        select ${sql.ref(name)} as value from ${sql.table(table)} order by id`.execute(db);
      return rows.map(({ value }) => value);
    };
    expect(await column('activations', 'customer_id')).toEqual([1, 2]);
    expect(await column('licence_events', 'customer_id')).toEqual([1, 2, 2]);
    expect(await column('licence_events', 'actor_id')).toEqual([7, 7, null]);
    expect(await column('customers', 'active_until')).toEqual([900, NEW_YEAR + 2 * DAY, 5]);
    expect(await column('purchases', 'year_ends_at')).toEqual([NEW_YEAR]);
    await close();
  });
});
