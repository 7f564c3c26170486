import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
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
});
