import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { inSegments } from '../../platform/db/index.ts';
import { insertConsents, type NewConsent } from './recording/store.ts';
import { listConsents } from './store.ts';

const decision = (visitorId: string): NewConsent => ({
  visitorId,
  accepted: ['functional'],
  rejected: [],
  action: 'manage',
  day: '2026-11-21',
  createdAt: 0,
  configVersion: 0,
  expiresAt: 1,
  source: null,
  language: null,
  pageUrl: null,
  gpc: null,
});

describe.each(ENGINES)('A search of visitors on %s', (engine) => {
  const app = useTestApp(engine);

  it('finds them wherever their records lie between gaps, and looks at no others', async () => {
    const { db, transaction } = app.platform.datastore;
    const visitors = fc.sample(
      fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', 'é', '%') }),
      1_200,
    );
    await transaction.call(app.platform.datastore, (trx) =>
      insertConsents(trx, visitors.map(decision)),
    );
    // Records are far apart where retention has deleted those in between.
    await sql`update consent_records set id = id * 997 + 100000`.execute(db);
    for (const visitor of new Set(visitors.map((each) => each.slice(0, 3)))) {
      const { records, total } = await listConsents(db, { visitor }, { offset: 0, limit: 1_200 });
      const expected = visitors.filter((each) => each.startsWith(visitor)).reverse();
      expect(records.map(({ visitorId }) => visitorId)).toEqual(expected);
      expect(total).toBe(expected.length);
    }
  });

  it('goes by the index of visitors', async () => {
    const { db } = app.platform.datastore;
    const plan = await db.transaction().execute(async (trx) => {
      // With so few records PostgreSQL would read them all.
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(trx);
      const explain = engine === 'postgres' ? sql`explain` : sql`explain query plan`;
      return sql`${explain} select id from consent_records
        where visitor_id >= 'a' and visitor_id < 'b' and ${inSegments(trx, 'consent_records')}`.execute(
        trx,
      );
    });
    const text = JSON.stringify(plan.rows);
    expect(text).toContain('consent_records_visitor');
    expect(text).toMatch(
      engine === 'postgres' ? /Index Cond.*visitor_id/ : /<expr>=\? AND visitor_id>/,
    );
  });
});
