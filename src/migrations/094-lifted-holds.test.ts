import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before lifted holds were anonymised on %s', (engine) => {
  it('has afterwards no texts of holds whose entry is anonymised', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '094-lifted-holds');
    for (const statement of [
      `insert into record_holds (id, data_category, reason, placed_by, created_at, lifted_at, lifted_by, lifted_reason) values
        (1, 'a', 'why', 'ada', 1, 2, 'bob', 'done'), (2, 'a', 'why', 'ada', 1, 2, 'bob', 'done'), (3, 'a', 'why', 'ada', 1, null, null, null)`,
      `insert into retention_changes (at, actor, subject, subject_id, action, anonymised_at) values
        (2, 'anonymised', 'hold', 1, 'lifted', 3), (1, 'anonymised', 'hold', 2, 'placed', 3),
        (2, 'bob', 'hold', 2, 'lifted', null), (1, 'anonymised', 'hold', 3, 'placed', 3)`,
    ]) {
      await sql.raw(statement).execute(db);
    }
    await upgrade();
    const { rows } = await sql`
      select placed_by, reason, lifted_by, lifted_reason from record_holds order by id`.execute(db);
    const placed = { placed_by: 'ada', reason: 'why' };
    expect(rows).toEqual([
      {
        ...{ placed_by: 'anonymised', reason: 'anonymised' },
        ...{ lifted_by: 'anonymised', lifted_reason: null },
      },
      { ...placed, lifted_by: 'bob', lifted_reason: 'done' },
      { ...placed, lifted_by: null, lifted_reason: null },
    ]);
    await close();
  });
});
