import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before counts of categories by day on %s', (engine) => {
  it('has them from its records, and the totals as they were', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '025-consent-category-days');
    const record = (day: string, accepted: string[], rejected: string[]) =>
      sql.raw(`insert into consent_records (visitor_id, categories_accepted, categories_rejected,
        consent_action, day, created_at, config_version, expires_at)
        values ('v', '${JSON.stringify(accepted)}', '${JSON.stringify(rejected)}', 'manage',
        '${day}', 1, 1, 2)`);
    for (const statement of [
      record('2026-01-01', ['functional', 'analytics'], ['marketing']),
      record('2026-01-01', ['functional'], ['analytics']),
      record('2026-01-02', ['functional', 'analytics'], []),
      // Five more were recorded that retention has deleted; nobody has decided on the last one since.
      sql.raw(`insert into consent_categories (category, accepted, rejected) values
        ('functional', 8, 0), ('analytics', 4, 4), ('marketing', 0, 1), ('maps', 2, 1)`),
    ]) {
      await statement.execute(db);
    }

    await upgrade();
    const rows = await db
      .selectFrom('consent_category_daily')
      .select(['day', 'category', 'accepted', 'rejected'])
      .orderBy('day')
      .orderBy('category')
      .execute();
    expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
      ' analytics 4 4',
      ' functional 8 0',
      ' maps 2 1',
      ' marketing 0 1',
      '2026-01-01 analytics 1 1',
      '2026-01-01 functional 2 0',
      '2026-01-01 marketing 0 1',
      '2026-01-02 analytics 1 0',
      '2026-01-02 functional 1 0',
    ]);
    await close();
  });
});
