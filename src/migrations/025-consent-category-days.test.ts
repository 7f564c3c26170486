import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createDatabase, ENGINES, run } from '../../test/support/engines.ts';
import { migrate, openDatastore } from '../platform/db/index.ts';
import { createLogger } from '../platform/log.ts';
import { migrations } from './index.ts';

const BEFORE = Object.fromEntries(
  Object.entries(migrations).filter(([name]) => name < '025-consent-category-days'),
);

describe.each(ENGINES)('A database of before counts of categories by day on %s', (engine) => {
  it('has them from its records, and the totals as they were', async () => {
    const database = await createDatabase(engine);
    if (engine === 'sqlite') rmSync(database.url.slice('sqlite:'.length));
    else await run(database.url, 'drop schema public cascade; create schema public');
    const datastore = await openDatastore(database.url, await createLogger('silent'));
    const { db } = datastore;
    await migrate(datastore, BEFORE);
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

    await migrate(datastore, migrations);
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
    await datastore.close();
    await database.drop();
  });
});
