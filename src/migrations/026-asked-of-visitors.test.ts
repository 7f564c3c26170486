import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before versions knew vendors on %s', (engine) => {
  it('goes on with the choices that held', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '026-asked-of-visitors');
    const category = { id: 'functional', label: 'F', description: '', required: true };
    for (const config of [
      { title: 'A', position: 'top' },
      { title: 'A', position: 'bottom' },
      { title: 'B', position: 'bottom' },
      { title: 'B', position: 'bottom', translations: [{ language: 'de', title: 'C' }] },
      { title: 'B', position: 'bottom', categories: [{ ...category, label: 'G' }] },
      { title: 'A', position: 'top' },
    ]) {
      const whole = { message: 'M', privacy_url: 'P', categories: [category], ...config };
      await sql`insert into consent_configs (hash, config, created_at)
        values ('h', ${JSON.stringify(whole)}, 1)`.execute(db);
    }

    await upgrade();
    const rows = await db
      .selectFrom('consent_configs')
      .select(['version', 'asked', 'asked_since'])
      .orderBy('version')
      .execute();
    expect(rows.map(({ version, asked_since }) => asked_since ?? version)).toEqual([
      1, 1, 3, 3, 5, 6,
    ]);
    expect(rows.every(({ asked }) => asked === null)).toBe(true);
    await close();
  });
});
