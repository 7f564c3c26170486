import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../../test/support/engines.ts';
import { useTestApp } from '../../../../../test/support/test-app.ts';
import { toIsoMoment } from '../../../../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../platform/durations.ts';
import { sendConfirmationReminders } from '../../cases/reminders.ts';
import { sendDueAcknowledgements } from './service.ts';

describe.each(ENGINES)('Forged requests in the name of an address on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_TRUSTED_PROXIES: '127.0.0.1' });
  const dsarClient = createDsarClient(app);
  const send = (email: string, from: string, more: object = {}) =>
    dsarClient.intake({ request_type: 'access', email, ...more }, { 'x-forwarded-for': from });
  const mailsTo = async (email: string) => {
    await sendDueAcknowledgements(dsarClient.dsar());
    return (await dsarClient.mails()).filter(({ to }) => to === email);
  };
  /** The tokens in an email, by the reference that each confirms. */
  const tokensIn = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/Confirm (DSR-[\w-]+):\n\S+token=([\w-]+)/g)].map(
        ([, reference = '', token = '']) => [reference, token],
      ),
    );

  it('do not delay the confirmation of a person at another source', async () => {
    const email = 'victim@example.com';
    for (let n = 0; n < 50; n++) {
      const { status, json } = await send(email, '203.0.113.5');
      expect([status, json.message]).toEqual([201, expect.stringContaining('email follows')]);
    }
    expect(await mailsTo(email)).toHaveLength(1);
    const own = (await send(email, '198.51.100.7')).json;
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.text).toContain(own.reference);
    const { status, json } = await dsarClient.verify(tokenIn(mail ?? { text: '' }));
    expect([status, json.reference]).toEqual([200, own.reference]);
  });

  it('do not delay it behind the same address for another type or name', async () => {
    const email = 'office@example.com';
    for (let n = 0; n < 50; n++) await send(email, '203.0.113.9');
    expect(await mailsTo(email)).toHaveLength(1);
    for (const more of [{ request_type: 'deletion' }, { first_name: 'Ada', last_name: 'Byron' }]) {
      const own = (await send(email, '203.0.113.9', more)).json;
      const [mail, ...others] = await mailsTo(email);
      expect(others).toEqual([]);
      expect(mail?.text).toContain(own.reference);
      expect((await dsarClient.verify(tokenIn(mail ?? { text: '' }))).json.reference).toBe(
        own.reference,
      );
    }
  });

  it('delay it behind the same address by at most an hour', async () => {
    const email = 'neighbour@example.com';
    const forged: string[] = [];
    for (let n = 0; n < 50; n++) forged.push((await send(email, '203.0.113.6')).json.reference);
    const own = (await send(email, '203.0.113.6')).json;
    expect(await mailsTo(email)).toHaveLength(1);
    app.clock.advance(HOUR_MS - 1);
    expect(await mailsTo(email)).toEqual([]);
    app.clock.advance(1);
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('We have received 50 requests');
    const tokens = tokensIn(mail?.text ?? '');
    expect(Object.keys(tokens)).toEqual([...forged.slice(1), own.reference]);
    const { json } = await dsarClient.verify(tokens[own.reference] ?? '');
    expect([json.reference, json.status]).toEqual([own.reference, 'in_progress']);
    expect((await dsarClient.status(forged[9] ?? '', email)).json.status).toBe('received');
    const events = (await dsarClient.admin('GET', `/dsar/cases/${own.id}/events`)).json;
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'acknowledged_together', details: { requests: 50 } }),
    );
  });

  it('delay it by at most an hour also if the clock is set back', async () => {
    const email = 'set-back@example.com';
    for (let n = 0; n < 2; n++) await send(email, '203.0.113.8');
    expect(await mailsTo(email)).toHaveLength(1);
    app.clock.set(toIsoMoment(app.clock.now() - 6 * HOUR_MS));
    expect(await mailsTo(email)).toHaveLength(1);
    await send(email, '203.0.113.8');
    expect(await mailsTo(email)).toEqual([]);
    app.clock.advance(HOUR_MS);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('cause at most one email an hour', async () => {
    const email = 'flooded@example.com';
    let mails = 0;
    for (let n = 0; n < 24 * 6; n++) {
      expect((await send(email, '203.0.113.7')).status).toBe(201);
      mails += (await mailsTo(email)).length;
      app.clock.advance(10 * MINUTE_MS);
    }
    expect(mails).toBeLessThanOrEqual(24);
    expect(mails).toBeGreaterThanOrEqual(20);
  });

  it('are combined in one reminder', async () => {
    app.clock.advance(40 * DAY_MS);
    await sendConfirmationReminders(dsarClient.dsar());
    app.clock.advance(HOUR_MS);
    await sendDueAcknowledgements(dsarClient.dsar());
    await dsarClient.mails();
    const email = 'reminded@example.com';
    for (let n = 0; n < 20; n++) await send(email, '203.0.113.8', { language: 'de' });
    app.clock.advance(HOUR_MS);
    expect(await mailsTo(email)).toHaveLength(2);
    app.clock.advance(DAY_MS);
    await sendConfirmationReminders(dsarClient.dsar());
    const first = await mailsTo(email);
    app.clock.advance(HOUR_MS);
    const all = [...first, ...(await mailsTo(email))];
    expect(all.map(({ kind }) => kind)).toEqual(['dsar_unconfirmed', 'dsar_unconfirmed_requests']);
    expect(all[1]?.subject).toBe('Bitte bestätigen Sie Ihre Anträge (19)');
    app.clock.advance(HOUR_MS);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('do not stop the emails to other addresses, however many are waiting', async () => {
    const { db } = app.platform.datastore;
    await mailsTo('nobody@example.com');
    const flooded = 'waiting@example.com';
    const { id } = (await send(flooded, '203.0.113.20')).json;
    expect(await mailsTo(flooded)).toHaveLength(1);
    const now = app.clock.now();
    const MOST_BOUND = { sqlite: 33_200, postgres: 66_000 };
    await sql`
      with recursive series (n) as (select 1 union all select n + 1 from series where n < ${sql.lit(MOST_BOUND[engine])})
      insert into dsar_acknowledgements (case_id, kind, source, requested_at, due_at)
      select ${sql.lit(id)}, 'acknowledgement', 'forger', ${sql.lit(now)}, ${sql.lit(now + HOUR_MS)} from series`.execute(
      db,
    );
    // Beyond ten, requests of other sources are not answered at once.
    for (let n = 1; n < 10; n++) await send(flooded, `198.51.100.${n}`);
    const own = (await send(flooded, '198.51.100.21')).json;
    expect(await mailsTo(flooded)).toHaveLength(9);
    const other = 'other@example.com';
    for (let n = 0; n < 2; n++) await send(other, '203.0.113.22');
    expect(await mailsTo(other)).toHaveLength(1);
    app.clock.advance(HOUR_MS);
    await sendDueAcknowledgements(dsarClient.dsar());
    const mails = await dsarClient.mails();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([other, flooded]);
    expect(mails.find(({ to }) => to === flooded)?.text).toContain(own.reference);
    const waiting = () =>
      db
        .selectFrom('dsar_acknowledgements')
        .select(['due_at', ({ fn }) => fn.countAll().as('count')])
        .where('mailed_at', 'is', null)
        .groupBy('due_at')
        .execute();
    const [rest, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(rest?.due_at).toBe(app.clock.now() + HOUR_MS);
    expect(Number(rest?.count)).toBe(MOST_BOUND[engine] + 1 - 200);
    await db.deleteFrom('dsar_acknowledgements').where('case_id', '=', id).execute();
  });

  it('do not stop the emails to other addresses if one fails', async () => {
    const { db } = app.platform.datastore;
    const [broken, other] = ['broken@example.com', 'zoe@example.com'];
    const ids: number[] = [];
    for (const email of [broken, other]) {
      for (let n = 0; n < 2; n++) ids.push((await send(email, '203.0.113.23')).json.id);
      expect(await mailsTo(email)).toHaveLength(1);
    }
    const brokenCases = db.updateTable('dsar_cases').where('email', '=', broken);
    await brokenCases.set({ deadline: 'never' }).execute();
    app.clock.advance(DAY_MS);
    expect(await mailsTo(other)).toHaveLength(1);
    const left = await db.selectFrom('dsar_acknowledgements').select('case_id').execute();
    // Those of the first requests were sent a day ago, and are deleted.
    expect(left.map((each) => each.case_id).toSorted()).toEqual([ids[1], ids[3]]);
    await brokenCases.set({ deadline: '2027-01-31' }).execute();
    expect(await mailsTo(broken)).toHaveLength(1);
  });

  it('leave no address or name in the rate limits', async () => {
    const { db } = app.platform.datastore;
    const rows = await db.selectFrom('dsar_acknowledgements').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/203\.0|198\.51|@/);
    app.clock.advance(DAY_MS + HOUR_MS);
    await sendDueAcknowledgements(dsarClient.dsar());
    app.clock.advance(DAY_MS + 1);
    await sendDueAcknowledgements(dsarClient.dsar());
    expect(await db.selectFrom('dsar_acknowledgements').selectAll().execute()).toEqual([]);
  });
});
