import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';
import { NEVER } from '../licensing/products/index.ts';

describe.each(ENGINES)(
  'A database of before purchases named their customer at Stripe on %s',
  (engine) => {
    it('has a customer for subscriptions, and for lifetime licences that follow one', async () => {
      const { db, upgrade, close } = await openOldDatabase(engine, '103-purchase-terms');
      const purchases: [licence: number, customer: number, expiresAt: number][] = [
        [1, 1, 2],
        [1, 1, NEVER],
        [1, 2, NEVER],
        [2, 1, NEVER],
      ];
      for (const statement of [
        `insert into customers (id, email, created_at) values (1, 'a@example.com', 1), (2, 'b@example.com', 1)`,
        ...[1, 2].map(
          (id) =>
            `insert into licences (id, public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at) values (${id}, 'lic_${id}', 1, 'live', 'pro', 3, 0, 0, 1, 2)`,
        ),
        ...purchases.map(
          ([licence, customer, end], at) =>
            `insert into purchases (session_id, licence_id, customer_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews) values ('cs_${at}', ${licence}, ${customer}, 'pro', ${end}, 0, 0, 0, 0)`,
        ),
      ]) {
        await sql.raw(statement).execute(db);
      }
      await upgrade();
      const rows = await db.selectFrom('purchases').select('has_customer').orderBy('id').execute();
      expect(rows.map(({ has_customer }) => has_customer)).toEqual([1, 1, 0, 0]);
      await close();
    });
  },
);
