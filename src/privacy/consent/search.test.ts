import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { findIdsByKey } from '../../platform/db/index.ts';
import { insertConsents, type NewConsent } from './recording/store.ts';
import { listConsents } from './store.ts';

const choice = (visitor_id: string): NewConsent => ({
  visitor_id,
  categories_accepted: ['functional'],
  categories_rejected: [],
  vendors_accepted: null,
  vendors_rejected: null,
  consent_action: 'manage',
  day: '2026-11-21',
  created_at: 0,
  config_version: 0,
  expires_at: 1,
  source: null,
  language: null,
  page_url: null,
  gpc: null,
});

describe.each(ENGINES)('Search by visitor id on %s', (engine) => {
  const app = useTestApp(engine);

  const add = (visitors: readonly string[]) => {
    const { datastore } = app.platform;
    return datastore.transaction((trx) => insertConsents(trx, visitors.map(choice)));
  };
  const visitorId = fc.string({
    minLength: 1,
    maxLength: 8,
    unit: fc.constantFrom('a', 'b', 'é', '%'),
  });

  it('finds records of all ages after changes and deletions', async () => {
    const { db } = app.platform.datastore;
    for (const visitors of fc.sample(fc.array(visitorId, { minLength: 300, maxLength: 900 }), 8)) {
      await add(visitors);
      await sql`update consent_records set visitor_id = 'b' || visitor_id where id % 5 = 0`.execute(
        db,
      );
      await sql`delete from consent_records where id % 7 = 0`.execute(db);
      await assertFound(['a', 'ab', 'b', 'ba', 'bb', 'é', '%', '%%a', 'nobody']);
    }
  });

  it('finds records between gaps in the ids', async () => {
    const { db } = app.platform.datastore;
    await add(fc.sample(visitorId, 1_200));
    // Retention leaves gaps.
    await sql`update consent_records set id = id * 997 + 100000`.execute(db);
    await sql`insert into consent_records (id, visitor_id, categories_accepted, categories_rejected,
      consent_action, day, created_at, config_version, expires_at)
      select id - 90000, 'ab', '[]', '[]', consent_action, day, 0, 0, 0
      from consent_records order by id limit 3`.execute(db);
    await assertFound(['a', 'ab', 'b', 'é', '%', 'nobody']);
  });

  async function assertFound(starts: readonly string[]): Promise<void> {
    const { db } = app.platform.datastore;
    const all = await db.selectFrom('consent_records').select(['id', 'visitor_id']).execute();
    expect(all.length).toBeGreaterThan(0);
    for (const search of starts) {
      const { rows, total } = await listConsents(db, { search }, { offset: 0, limit: 9_000 });
      const ids = all.filter((each) => each.visitor_id.startsWith(search)).map(({ id }) => id);
      expect(rows.map(({ id }) => id)).toEqual(ids.sort((a, b) => b - a));
      expect(total).toBe(ids.length);
      const { total: managed } = await listConsents(
        db,
        { search, consent_action: 'manage', date_to: '2026-11-21' },
        { offset: 0, limit: 1 },
      );
      expect(managed).toBe(ids.length);
    }
  }

  it('returns pages of matches, the newest first', async () => {
    const { db, reader } = app.platform.datastore;
    const search = 'page-';
    const add = (days: readonly string[]) =>
      app.platform.datastore.transaction((trx) =>
        insertConsents(
          trx,
          days.map((day) => ({ ...choice('page-'), day })),
        ),
      );
    const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'];
    await add(days.flatMap((day) => Array.from({ length: 6 }, () => day)));
    async function assertPages(filter: { date_from?: string }): Promise<void> {
      const all = await db
        .selectFrom('consent_records')
        .select('id')
        .where('visitor_id', '=', search)
        .where('day', '>=', filter.date_from ?? '')
        .orderBy('day', 'desc')
        .orderBy('id', 'desc')
        .execute();
      const ids: number[] = [];
      for (let offset = 0; offset <= all.length; offset += 7) {
        const { rows, total } = await listConsents(
          reader,
          { search, ...filter },
          { offset, limit: 7 },
        );
        expect(total).toBe(all.length);
        ids.push(...rows.map(({ id }) => id));
      }
      expect(ids).toEqual(all.map(({ id }) => id));
    }
    await assertPages({});
    await assertPages({ date_from: '2026-11-19' });
    // More than are sorted by themselves.
    await add(Array.from({ length: 200 }, () => '2026-11-22'));
    await assertPages({});
  });

  it('finds ids in one case by the same text in the other', async () => {
    const { db } = app.platform.datastore;
    await add(['c0ffee-1', 'C0FFEE-2', 'c0FFee-3', ...Array.from({ length: 300 }, () => 'dec0de')]);
    const find = async (search: string) => {
      const { rows, total } = await listConsents(db, { search }, { offset: 0, limit: 9 });
      return [total, ...new Set(rows.map(({ visitor_id }) => visitor_id))];
    };
    expect(await find('c0ffee')).toEqual([2, 'C0FFEE-2', 'c0ffee-1']);
    expect(await find('C0FFEE')).toEqual([2, 'C0FFEE-2', 'c0ffee-1']);
    expect(await find('c0FFee')).toEqual([3, 'c0FFee-3', 'C0FFEE-2', 'c0ffee-1']);
    expect(await find('DEC0DE')).toEqual([300, 'dec0de']);
  });

  it('uses the index of visitor ids', async () => {
    const { db } = app.platform.datastore;
    const plan = await db.transaction().execute(async (trx) => {
      // With so few records PostgreSQL would scan the table.
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(trx);
      const explain = engine === 'postgres' ? sql`explain` : sql`explain query plan`;
      const found = findIdsByKey(
        trx,
        'consent_records',
        'visitor_id',
        (key) => sql`${key} >= 'a' and ${key} < 'b'`,
      );
      return sql`${explain} ${found}`.execute(trx);
    });
    const text = JSON.stringify(plan.rows);
    if (engine === 'postgres') {
      expect(text).toContain('consent_records_visitor');
      expect(text).toMatch(/Index Cond.*visitor_id/);
    } else {
      expect(text).toMatch(/index_consent_records_visitor_id .*segment=\? AND visitor_id>/);
      expect(text).toMatch(/SEARCH consent_records USING INTEGER PRIMARY KEY \(rowid>/);
    }
  });
});
