import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';

describe.each(ENGINES)('A database of before reminders were one email a day on %s', (engine) => {
  it('knows afterwards which requests administrators were reminded of, and when', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '093-deadline-reminders');
    await sql`insert into dsar_cases (id, reference, request_type, status, email, language, regime, received_at, received_on, deadline)
      values (7, 'DSR-1', 'access', 'received', 'a@example.com', 'en', 'gdpr', 1, '2026-11-01', '2026-12-01'),
        (8, 'DSR-2', 'access', 'received', 'b@example.com', 'en', 'gdpr', 1, '2026-11-01', '2026-12-01')`.execute(
      db,
    );
    for (const [at, key] of [
      [3, 'dsar:reminder:7:2026-12-01:14:1'],
      [5, 'dsar:reminder:7:2026-12-01:7:1'],
      [9, 'dsar:overdue:2026-12-02:1'],
    ]) {
      await sql`insert into outbox_mails (message_id, once_key, kind, recipient, subject, status, due_at, created_at, attempts)
        values (${`m${at}`}, ${key}, 'dsar_reminder', 'boss@example.com', 'S', 'sent', ${at}, ${at}, 1)`.execute(
        db,
      );
    }
    await upgrade();
    const { rows } = await sql`select id, reminded_at from dsar_cases order by id`.execute(db);
    expect(rows).toEqual([
      { id: 7, reminded_at: 5 },
      { id: 8, reminded_at: null },
    ]);
    await close();
  });
});
