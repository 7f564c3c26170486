import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { addForeignFacts } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { logAuditHeads } from './service.ts';
import type { AuditHead } from './store.ts';

const LOGS = [
  { table: 'user_events', columns: ['action'] },
  { table: 'security_events', columns: ['event'] },
];

describe.each(ENGINES)('The daily heads of audit logs on %s', (engine) => {
  const app = useTestApp(engine);
  const db = () => app.platform.datastore.db;

  async function addEvents(actions: readonly string[]): Promise<void> {
    const at = app.clock.now();
    const values = actions.map((action) => ({
      user_id: 1,
      login: 'somebody',
      at,
      actor: 'somebody',
      actor_id: null,
      action,
      details: '{"address":"192.0.2.1"}',
    }));
    await db().insertInto('user_events').values(values).execute();
  }
  async function listHeads(): Promise<AuditHead[][]> {
    const rows = await db()
      .selectFrom('consent_log_records')
      .select('facts')
      .where('kind', '=', 6)
      .orderBy('id')
      .execute();
    return rows.map(({ facts }) => JSON.parse(facts).logs);
  }
  const run = () => logAuditHeads(app.platform, LOGS);
  /** The hash of the events with these ids, as an auditor computes it. */
  async function hashEvents({ first_id, last_id }: AuditHead): Promise<string> {
    const rows = await db()
      .selectFrom('user_events')
      .select(['action', 'at', 'id'])
      .where('id', '>=', first_id)
      .where('id', '<=', last_id)
      .orderBy('id')
      .execute();
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
    return createHash('sha256').update(lines.join('')).digest('hex');
  }

  it('commit to each event once, after an hour, and to nothing that retention removes', async () => {
    await addEvents(['created', 'changed']);
    await run();
    expect(await listHeads()).toEqual([]);

    app.clock.advance(2 * HOUR_MS);
    await addEvents(['later']);
    await run();
    await run();
    const [first, ...others] = await listHeads();
    expect(others).toEqual([]);
    expect(first).toMatchObject([
      { log: 'user_events', count: 2, columns: ['at', 'id', 'action'] },
      { log: 'security_events', count: 0 },
    ]);
    const [head] = first as [AuditHead];

    app.clock.advance(2 * HOUR_MS);
    await run();
    const [, second] = await listHeads();
    expect(second).toMatchObject([{ first_id: head.last_id + 1, count: 1 }, { count: 0 }]);

    await db()
      .updateTable('user_events')
      .set({ actor: 'x', login: 'x', details: '{}', anonymised_at: 1 })
      .execute();
    expect(await hashEvents(head)).toBe(head.sha256);
    await db()
      .updateTable('user_events')
      .set({ action: 'x' })
      .where('id', '=', head.last_id)
      .execute();
    expect(await hashEvents(head)).not.toBe(head.sha256);
  });

  it('go on although someone has added others', async () => {
    const listOwn = async () => (await listHeads()).at(-1)?.[0];
    await addEvents(['before']);
    app.clock.advance(2 * HOUR_MS);
    await run();
    const before = await listOwn();
    for (const facts of [
      'no JSON',
      'null',
      '{"logs":7}',
      '{"logs":[null]}',
      '{"logs":[{"log":1}]}',
    ])
      await addForeignFacts(app, 6, facts);
    await addEvents(['after']);
    app.clock.advance(2 * HOUR_MS);
    await run();
    await sql`delete from consent_log_records where facts in ('no JSON', 'null')`.execute(db());
    expect(await listOwn()).toMatchObject({ first_id: Number(before?.last_id) + 1, count: 1 });
  });

  it('leave out no event of a log that is longer than one read', async () => {
    await addEvents(Array.from({ length: 1_500 }, (_, at) => `action ${at}`));
    app.clock.advance(2 * HOUR_MS);
    await run();
    const [head] = (await listHeads()).at(-1) as [AuditHead];
    expect(head.count).toBeGreaterThanOrEqual(1_500);
    expect(await hashEvents(head)).toBe(head.sha256);
  });
});
