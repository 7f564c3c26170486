import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';

describe.each(ENGINES)('A request on hold on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
  const get = async (id: number) => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
  const events = async (id: number) =>
    (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json;

  async function held(hold: object) {
    const made = await dsarClient.request({ request_type: 'objection' });
    await put(made.id, { status: 'in_progress' });
    await put(made.id, { status: 'on_hold', ...hold });
    await dsarClient.mails();
    return made;
  }

  it('resumes its deadline on a ground that does not pause it, and pauses it again', async () => {
    const start = app.clock.now();
    const { id } = await held({ ground: 'identity', reason: 'Who are you?' });
    expect(await get(id)).toMatchObject({ paused_since: '2026-11-21', paused_days: 0 });
    app.clock.advance(5 * DAY_MS);
    const { json } = await put(id, {
      status: 'on_hold',
      ground: 'legal_hold',
      reason: 'There is a lawsuit.',
    });
    expect(json).toMatchObject({
      ground: 'legal_hold',
      paused_since: null,
      paused_days: 5,
      deadline: '2026-12-26',
    });
    const [mail, ...others] = await dsarClient.mails();
    expect([mail?.kind, others]).toEqual(['dsar_paused', []]);
    expect(mail?.text).toContain('There is a lawsuit.');
    expect(mail?.text).toContain('You do not need to do anything');
    expect(mail?.text).toContain('The deadline does not change: it is 26 December 2026.');
    expect((await events(id)).at(-1)).toMatchObject({
      action: 'hold_changed',
      actor: expect.stringMatching(/^administrator-/),
      details: { from: 'identity', to: 'legal_hold', reason: 'There is a lawsuit.' },
    });
    app.clock.advance(2 * DAY_MS);
    // A ground without a status changes the current hold.
    expect((await put(id, { ground: 'identity' })).json).toMatchObject({
      ground: 'identity',
      paused_since: '2026-11-28',
      deadline: '2026-12-26',
    });
    app.clock.advance(3 * DAY_MS);
    expect((await put(id, { status: 'in_progress' })).json).toMatchObject({
      paused_days: 8,
      deadline: '2026-12-29',
    });
    app.clock.advance(start - app.clock.now());
  });

  it('is explained in the email about an extension while the deadline is paused', async () => {
    const { id } = await held({ ground: 'identity', reason: 'Who are you?' });
    await put(id, { extend: { reason: 'There are many.' } });
    expect((await dsarClient.mails())[0]?.text).toMatch(
      /We reply by: 21 February 2027\s+.*The deadline has been paused since 21 November 2026/,
    );
    const other = await held({ ground: 'clarification', reason: 'Which shop?' });
    await put(other.id, { extend: { reason: 'There are many.' } });
    expect((await dsarClient.mails())[0]?.text).not.toContain('paused');
  });

  it('never ends earlier for a pause, also if the clock was set back in it', async () => {
    app.clock.advance(DAY_MS);
    const { id } = await held({ ground: 'identity', reason: 'Who are you?' });
    const { deadline } = await get(id);
    app.clock.advance(-2 * DAY_MS);
    expect((await put(id, { status: 'in_progress' })).json).toMatchObject({
      paused_days: 0,
      deadline,
    });
    app.clock.advance(DAY_MS);
  });

  it.each([
    ['by a new hold', [{ status: 'on_hold', ground: 'identity' }]],
    [
      'by a new ground of a hold',
      [
        { status: 'on_hold', ground: 'legal_hold' },
        { status: 'on_hold', ground: 'identity' },
      ],
    ],
  ])('does not pause a deadline that has passed, %s (Art. 12(3))', async (_, holds) => {
    const start = app.clock.now();
    const { id } = await dsarClient.request({ request_type: 'objection' });
    await put(id, { status: 'in_progress' });
    const { deadline } = await get(id);
    app.clock.advance(31 * DAY_MS);
    await dsarClient.mails();
    for (const hold of holds) expect((await put(id, hold)).status).toBe(200);
    expect(await get(id)).toMatchObject({ paused_since: null, overdue: true, deadline });
    expect((await dsarClient.mails()).at(-1)?.text).toContain('The deadline has passed');
    app.clock.advance(5 * DAY_MS);
    expect((await put(id, { status: 'in_progress' })).json).toMatchObject({ deadline });
    app.clock.advance(start - app.clock.now());
  });

  it('does not resume a deadline that an earlier version paused after it had passed', async () => {
    const start = app.clock.now();
    const { id } = await held({ ground: 'identity', reason: 'Who are you?' });
    const { deadline } = await get(id);
    const { db } = app.platform.datastore;
    const late = { paused_on: '2027-01-10' };
    await db.updateTable('dsar_cases').set(late).where('id', '=', id).execute();
    app.clock.advance(60 * DAY_MS);
    const { json } = await put(id, { status: 'in_progress' });
    expect(json).toMatchObject({ paused_since: null, paused_days: 0, overdue: true, deadline });
    app.clock.advance(start - app.clock.now());
  });

  it('pauses a deadline on its last day', async () => {
    const start = app.clock.now();
    const { id } = await dsarClient.request({ request_type: 'objection' });
    const { deadline } = await get(id);
    app.clock.advance(30 * DAY_MS);
    expect((await put(id, { status: 'on_hold', ground: 'identity' })).json.paused_since).toBe(
      deadline,
    );
    app.clock.advance(start - app.clock.now());
  });

  it('emails a new question to the requester, and ignores the same update sent again', async () => {
    const { id } = await held({ ground: 'clarification', reason: 'Which shop?' });
    const before = (await events(id)).length;
    const question = { status: 'on_hold', reason: 'Which year?' };
    for (const body of [question, question, { status: 'on_hold' }]) {
      expect((await put(id, body)).status).toBe(200);
    }
    const mails = await dsarClient.mails();
    expect(mails.map(({ text }) => text.includes('Which year?'))).toEqual([true]);
    expect(await events(id)).toHaveLength(before + 1);
  });

  it('rejects a ground for refusals and a blank reason', async () => {
    const { id } = await held({ ground: 'identity' });
    const before = await get(id);
    for (const [body, field] of [
      [{ status: 'on_hold', ground: 'excessive' }, 'ground'],
      [{ status: 'on_hold', reason: ' \n\t ' }, 'reason'],
      [{ extend: { reason: '  ' } }, 'extend'],
    ] as const) {
      const { status, json } = await put(id, body);
      expect([body, status, json.code, Object.keys(json.data?.params ?? {})]).toEqual([
        body,
        400,
        'rest_invalid_param',
        [field],
      ]);
    }
    const note = await dsarClient.admin('POST', `/dsar/cases/${id}/events`, { note: ' \n ' });
    expect([note.status, note.json.code]).toEqual([400, 'rest_invalid_param']);
    expect(await get(id)).toEqual(before);
  });

  it('is the only status that accepts a new ground and reason: a refused request must be reopened', async () => {
    const { id } = await dsarClient.request({ request_type: 'objection' });
    const refusal = { status: 'rejected', ground: 'unfounded', reason: 'We send no adverts.' };
    expect((await put(id, refusal)).status).toBe(200);
    expect((await put(id, refusal)).status).toBe(200);
    for (const body of [{ ...refusal, ground: 'excessive' }, { reason: 'Something else.' }]) {
      const { status, json } = await put(id, body);
      expect([status, json.code]).toEqual([409, 'invalid_transition']);
    }
    expect(await get(id)).toMatchObject({ status: 'rejected', ground: 'unfounded' });
  });

  it.each([
    [
      'en',
      { ground: 'identity', reason: 'Your number?' },
      [/answer/i, /what we need/],
      'The deadline has been paused since 21 November 2026',
    ],
    [
      'en',
      { ground: 'identity' },
      [/answer/i, /what we need/],
      'The deadline has been paused since 21 November 2026',
    ],
    [
      'en',
      { ground: 'clarification', reason: 'Which shop?' },
      [/answer/i, /what we need/],
      'The deadline does not change: it is 21 December 2026',
    ],
    [
      'en',
      { reason: 'Which shop?' },
      [/answer/i, /what we need/],
      'The deadline does not change: it is 21 December 2026',
    ],
    [
      'en',
      { ground: 'legal_hold', reason: 'A lawsuit.' },
      [/do not need to do anything/],
      'The deadline does not change: it is 21 December 2026',
    ],
    [
      'en',
      {},
      [/do not need to do anything/],
      'The deadline does not change: it is 21 December 2026',
    ],
    [
      'de',
      { ground: 'identity' },
      [/antworten/i, /benötigen/],
      'Die Frist ruht seit dem 21. November 2026',
    ],
    [
      'de',
      { ground: 'other', reason: 'Umzug.' },
      [/brauchen nichts zu tun/],
      'Die Frist ändert sich nicht: Sie endet am 21. Dezember 2026',
    ],
  ] as [string, object, [RegExp, RegExp?], string][])(
    'shows the same text in the email and on the status page (%s, %o)',
    async (language, hold, [inEmail, onPage = inEmail], clock) => {
      const { id, reference, email } = await dsarClient.request({
        request_type: 'objection',
        language,
      });
      await put(id, { status: 'in_progress' });
      await dsarClient.mails();
      await put(id, { status: 'on_hold', ...hold });
      const [mail] = await dsarClient.mails();
      const page = await fetch(`${app.url}/privacy/status`, {
        method: 'POST',
        body: new URLSearchParams({ reference, email, lang: language }),
      });
      const shown = await page.text();
      for (const [text, asks] of [
        [mail?.text ?? '', inEmail],
        [shown, onPage],
      ] as const) {
        expect(text).toMatch(asks);
        expect(text).toContain(clock);
      }
      // No date is shown while the deadline is paused.
      const promise = language === 'de' ? 'Wir antworten bis' : 'We reply by';
      expect(mail?.text).not.toContain(promise);
      expect(shown.includes(promise)).toBe((await get(id)).paused_since === null);
    },
  );
});
