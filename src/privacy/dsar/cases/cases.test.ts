import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { makeUser } from '../../../../test/support/users.ts';
import { formatDay } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { CASE_STATUSES, type CaseStatus, listTransitions } from '../rules.ts';
import { sendReminders } from './reminders.ts';

describe.each(ENGINES)('Privacy requests on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
  const get = async (id: number) => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
  const events = async (id: number) =>
    (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json;
  const list = async (query: string) =>
    (await dsarClient.admin('GET', `/dsar/cases?${query}`)).json;
  const ids = (cases: { id: number }[]) => cases.map(({ id }) => id);

  /** A request with this status. */
  async function caseIn(status: CaseStatus) {
    const made = await dsarClient.request({ request_type: 'rectification' });
    const path: Record<CaseStatus, object[]> = {
      received: [],
      in_progress: [{ status: 'in_progress' }],
      on_hold: [{ status: 'on_hold' }],
      completed: [{ status: 'in_progress' }, { status: 'completed', reason: 'done by phone' }],
      rejected: [{ status: 'rejected', reason: 'no', ground: 'unfounded' }],
      withdrawn: [{ status: 'withdrawn' }],
    };
    for (const step of path[status]) {
      const answer = await put(made.id, step);
      if (answer.status !== 200) throw new Error(answer.text);
    }
    return made;
  }

  it('refuse changes with the messages that the API reference quotes', async () => {
    const { text: document } = await app.http.get('/wp-json/svc/v1/openapi.json');
    const { id } = await dsarClient.request({ request_type: 'rectification' });
    const link = { purpose: 'download' };
    const answers = [await put(id, { status: 'completed' })];
    await put(id, { status: 'in_progress' });
    answers.push(await put(id, { status: 'completed' }));
    await put(id, { status: 'completed', reason: 'Done by phone.' });
    answers.push(await dsarClient.admin('POST', `/dsar/cases/${id}/links`, link));
    for (const { status, json } of answers) {
      expect(status).toBe(409);
      // The names of the tasks are an example.
      const message = json.message.replace(/^Open tasks: .*\)\. /, '');
      expect([message, document.includes(message)]).toEqual([message, true]);
    }
  });

  it('returns every field of a request', async () => {
    const { id, reference, email } = await dsarClient.request({
      request_type: 'objection',
      first_name: 'Ada',
      last_name: 'Lovelace',
      additional_info: 'Please\nstop.',
    });
    expect(await get(id)).toEqual({
      id,
      reference,
      request_type: 'objection',
      status: 'received',
      status_label: 'Received',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email,
      additional_info: 'Please\nstop.',
      visitor_id: null,
      visitor_claim: null,
      language: 'en',
      channel: 'web',
      received_on: '2026-11-21',
      postal_address: null,
      phone: null,
      representative: null,
      identity_proof: null,
      regime: 'gdpr',
      deadline: '2026-12-21',
      submitted: '2026-11-21 09:30:00',
      completed: null,
      days_left: 30,
      verified_at: null,
      assignee: null,
      ground: null,
      extended: false,
      overdue: false,
      paused_since: null,
      paused_days: 0,
      duplicate_of: null,
    });
    for (const path of ['', '/events', '/tasks', '/package']) {
      const { status, json } = await dsarClient.admin('GET', `/dsar/cases/999999${path}`);
      expect([path, status, json.code]).toEqual([path, 404, 'not_found']);
    }
  });

  it.each(CASE_STATUSES)(
    'allows only the defined status changes of a request that is %s',
    async (from) => {
      for (const to of CASE_STATUSES.filter((each) => each !== from)) {
        const { id } = await caseIn(from);
        const before = await get(id);
        const { status, json } = await put(id, {
          status: to,
          reason: 'because',
          ...(to === 'rejected' && { ground: 'unfounded' }),
        });
        if (listTransitions(from).includes(to)) {
          expect([from, to, status, json.status]).toEqual([from, to, 200, to]);
          expect(json.completed === null).toBe(
            !['completed', 'rejected', 'withdrawn'].includes(to),
          );
          expect((await events(id)).map(({ action }: { action: string }) => action)).toContain(
            'status_changed',
          );
        } else {
          expect([from, to, status, json.code]).toEqual([from, to, 409, 'invalid_transition']);
          expect(await get(id)).toEqual(before);
        }
      }
    },
  );

  it('requires a reason to refuse and to reopen, and emails the requester about each change', async () => {
    const { id, email } = await dsarClient.request({ request_type: 'rectification' });
    await dsarClient.mails();
    const refused = await put(id, { status: 'rejected' });
    expect([refused.status, Object.keys(refused.json.data.params)]).toEqual([400, ['reason']]);
    for (const body of [
      { status: 'in_progress' },
      { status: 'on_hold', reason: 'Which address do you mean?' },
      { status: 'in_progress' },
      { extend: { reason: 'There is much to read.' } },
      { status: 'rejected', reason: 'It is right as it is.', ground: 'unfounded' },
      { status: 'in_progress', reason: 'We were wrong.' },
      { status: 'withdrawn', reason: 'You called us.' },
    ]) {
      const { status, text } = await put(id, body);
      expect([status, text.length > 0]).toEqual([200, true]);
    }
    const mails = await dsarClient.mails();
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual(
      ['started', 'paused', 'resumed', 'extended', 'rejected', 'reopened', 'withdrawn'].map(
        (kind) => [email, `dsar_${kind}`],
      ),
    );
    const { json: listed } = await dsarClient.admin('GET', `/mail?about=dsar/cases/${id}`);
    expect(listed.map(({ kind }: { kind: string }) => kind).reverse()).toEqual([
      'dsar_acknowledgement',
      ...mails.map(({ kind }) => kind),
    ]);
    expect(mails[1]?.text).toContain('Which address do you mean?');
    expect(mails[2]?.text).toContain('no longer on hold');
    expect(mails[2]?.text).not.toContain('started');
    expect(mails[3]?.text).toContain('There is much to read.');
    expect(mails[4]?.text).toContain('It is right as it is.');
    expect(mails[4]?.text).toContain('data protection supervisory authority');
    expect(mails[5]?.text).toContain('We have reopened your request');
    expect(mails[5]?.text).toContain('We were wrong.');
    expect(mails[5]?.text).not.toContain('Links to download');
    expect(mails[6]?.text).toContain('You called us.');
    const happened = await events(id);
    expect(happened.map(({ action }: { action: string }) => action)).toEqual([
      'received',
      ...Array(3).fill('status_changed'),
      'extended',
      ...Array(3).fill('status_changed'),
    ]);
    expect(happened[5]).toMatchObject({
      actor: expect.stringMatching(/^administrator-/),
      details: { from: 'in_progress', to: 'rejected', ground: 'unfounded' },
    });
  });

  it('rejects a blank reason', async () => {
    const { id } = await caseIn('in_progress');
    const { status, json } = await put(id, { status: 'rejected', reason: ' \n ' });
    expect([status, json.data.params]).toEqual([
      400,
      { reason: 'A reason is required to refuse the request, for the email.' },
    ]);
  });

  it('keeps a ground until the hold or refusal ends', async () => {
    const { id } = await caseIn('in_progress');
    const groundAfter = async (body: object) => (await put(id, body)).json.ground;
    expect(await groundAfter({ status: 'on_hold', ground: 'identity' })).toBe('identity');
    expect(await groundAfter({ status: 'in_progress' })).toBeNull();
    expect(await groundAfter({ status: 'rejected', reason: 'no', ground: 'excessive' })).toBe(
      'excessive',
    );
    expect(await groundAfter({ status: 'in_progress', reason: 'yes' })).toBeNull();
  });

  it.each([
    [
      'en',
      'Please send us your answer with the request form',
      'You do not need to do anything',
      'We reply by',
    ],
    [
      'de',
      'Bitte senden Sie uns Ihre Antwort mit dem Formular',
      'Sie brauchen nichts zu tun',
      'Wir antworten bis',
    ],
  ])(
    'asks the requester only on grounds that need an answer (%s)',
    async (language, asks, waits, promise) => {
      const { id } = await dsarClient.request({ request_type: 'objection', language });
      await dsarClient.mails();
      const mailOf = async (body: object) => {
        await put(id, body);
        return (await dsarClient.mails()).at(-1)?.text;
      };
      const question = { status: 'on_hold', ground: 'clarification', reason: 'Which shop?' };
      const hold = { status: 'on_hold', ground: 'legal_hold', reason: 'There is a lawsuit.' };
      expect(await mailOf(question)).toContain(asks);
      await put(id, { status: 'in_progress' });
      const held = await mailOf(hold);
      expect(held).toContain(waits);
      expect(held).toContain('There is a lawsuit.');
      expect(held).not.toContain(asks);
      await put(id, { status: 'in_progress' });
      expect(await mailOf({ status: 'on_hold' })).toContain(waits);
      expect(await mailOf({ status: 'in_progress' })).toContain(promise);
      expect(await mailOf({ status: 'rejected', reason: 'no', ground: 'unfounded' })).not.toContain(
        promise,
      );
      await put(id, { status: 'in_progress', reason: 'yes' });
      expect(await mailOf({ status: 'withdrawn' })).not.toContain(promise);
    },
  );

  it.each([
    ['en', 'Deadline passed on', '21 December 2026', 'The deadline has passed: it was', 'We reply'],
    ['de', 'Frist abgelaufen am', '21. Dezember 2026', 'Die Frist ist abgelaufen', 'antworten bis'],
  ])(
    'says in emails and on the status page that a deadline has passed (%s)',
    async (language, label, day, paused, promise) => {
      const start = app.clock.now();
      const { id, reference, email } = await dsarClient.request({ language });
      const put = (body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
      await put({ status: 'withdrawn' });
      await dsarClient.mails();
      app.clock.advance(60 * DAY_MS);
      await put({ status: 'in_progress', reason: 'A mistake.' });
      const [reopened] = await dsarClient.mails();
      expect(reopened?.kind).toBe('dsar_reopened');
      expect(reopened?.text).toContain(`${label}: ${day}`);
      expect(reopened?.text).not.toContain(promise);
      const typed = new URLSearchParams({ reference, email, lang: language }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const page = await app.http.post('/privacy/status', { headers, body: typed });
      expect(page.text).toContain(`<dt>${label}</dt><dd><time datetime="2026-12-21">${day}`);
      expect(page.text).not.toContain(promise);
      await put({ status: 'on_hold', ground: 'legal_hold' });
      expect((await dsarClient.mails())[0]?.text).toContain(paused);
      app.clock.advance(start - app.clock.now());
    },
  );

  it('sets completed when a request is closed and clears it when it is reopened', async () => {
    const { id, reference, email } = await caseIn('received');
    await put(id, { status: 'withdrawn' });
    const closed = (await dsarClient.status(reference, email)).json;
    expect(closed).toMatchObject({ status: 'withdrawn', completed: '2026-11-21 09:30:00' });
    await put(id, { status: 'in_progress', reason: 'a mistake' });
    expect((await dsarClient.status(reference, email)).json.completed).toBeNull();
  });

  it('extends the deadline once, to three months after receipt, before it has passed and with a reason', async () => {
    const { id } = await dsarClient.request();
    expect((await put(id, { extend: {} })).status).toBe(400);
    const { json } = await put(id, { extend: { reason: 'complex' } });
    expect([json.deadline, json.extended]).toEqual(['2027-02-21', true]);
    expect((await put(id, { extend: { reason: 'again' } })).json.code).toBe('rest_invalid_param');
    const late = await dsarClient.request();
    app.clock.advance(31 * DAY_MS);
    const refused = await put(late.id, { extend: { reason: 'late' } });
    expect([refused.status, refused.json.code]).toEqual([400, 'rest_invalid_param']);
    app.clock.advance(-31 * DAY_MS);
  });

  it('pauses the deadline on the ground identity only', async () => {
    const doubted = await dsarClient.request();
    const asked = await dsarClient.request();
    await put(doubted.id, { status: 'on_hold', ground: 'identity', reason: 'Who are you?' });
    await put(asked.id, { status: 'on_hold', ground: 'clarification', reason: 'What?' });
    app.clock.advance(40 * DAY_MS);
    expect(await get(doubted.id)).toMatchObject({ overdue: false, paused_since: '2026-11-21' });
    expect(await get(asked.id)).toMatchObject({ overdue: true, paused_since: null });
    await put(doubted.id, { status: 'in_progress' });
    expect(await get(doubted.id)).toMatchObject({
      deadline: '2027-01-30',
      paused_days: 40,
      paused_since: null,
      overdue: false,
    });
    app.clock.advance(-40 * DAY_MS);
  });

  it('assigns requests only to users who may handle them', async () => {
    const { id } = await dsarClient.request();
    const [ada, viewer] = [await makeUser(app.platform), await makeUser(app.platform, 'viewer')];
    for (const assignee of ['nobody-here', viewer.login, ada.email, '']) {
      const { status, json } = await dsarClient.admin('PUT', `/dsar/cases/${id}`, { assignee });
      expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    }
    expect((await get(id)).assignee).toBeNull();
    await put(id, { assignee: ada.login.toUpperCase() });
    expect((await get(id)).assignee).toBe(ada.login);
    await put(id, { assignee: null });
    expect((await get(id)).assignee).toBeNull();
  });

  it('keeps the login of a deleted assignee in the request and its activity', async () => {
    const { id } = await dsarClient.request();
    const ada = await makeUser(app.platform);
    await put(id, { assignee: ada.login });
    const [user] = (await dsarClient.admin('GET', `/users?search=${ada.login}`)).json;
    expect((await dsarClient.admin('DELETE', `/users/${user.id}`)).status).toBe(200);
    expect((await get(id)).assignee).toBe(ada.login);
    expect((await events(id)).at(-1).details).toEqual({ from: null, to: ada.login });
    expect((await put(id, { assignee: ada.login })).status).toBe(400);
  });

  it('lists open requests by deadline before closed ones, with filters and pagination', async () => {
    const mark = `Mark${engine}%_`;
    const body = { last_name: mark };
    const late = await dsarClient.request(body);
    app.clock.advance(20 * DAY_MS);
    const [closed, open, other] = [
      await dsarClient.request(body),
      await dsarClient.request({ ...body, request_type: 'deletion' }),
      await dsarClient.request(body),
    ];
    await put(closed.id, { status: 'withdrawn' });
    const ada = await makeUser(app.platform);
    await put(other.id, { assignee: ada.login });
    await put(open.id, { extend: { reason: 'much' } });
    app.clock.advance(15 * DAY_MS);
    const search = `search=${encodeURIComponent(mark.toLowerCase())}`;
    expect(ids(await list(search))).toEqual([late.id, other.id, open.id, closed.id]);
    expect(ids(await list(`${search}&overdue=true`))).toEqual([late.id]);
    expect(ids(await list(`${search}&overdue=0`))).toEqual([other.id, open.id, closed.id]);
    expect(ids(await list(`${search}&status=withdrawn`))).toEqual([closed.id]);
    expect(ids(await list(`${search}&request_type=deletion`))).toEqual([open.id]);
    expect(ids(await list(`${search}&assignee=${ada.login}`))).toEqual([other.id]);
    expect(ids(await list(`${search}&assignee=`))).toEqual([late.id, open.id, closed.id]);
    expect(ids(await list(`search=${late.reference}`))).toEqual([late.id]);
    expect(ids(await list(`search=${encodeURIComponent(late.email)}`))).toEqual([late.id]);
    const page = await dsarClient.admin('GET', `/dsar/cases?${search}&per_page=2&offset=1`);
    expect(ids(page.json)).toEqual([other.id, open.id]);
    expect(page.headers.get('x-wp-total')).toBe('4');
    expect((await dsarClient.admin('GET', '/dsar/cases?status=nonsense')).status).toBe(400);
    app.clock.advance(-35 * DAY_MS);
  });

  it('sorts by deadline, day of receipt, type and status, and returns the days left', async () => {
    const mark = `Sorted${engine}`;
    const first = await dsarClient.request({ last_name: mark, request_type: 'portability' });
    app.clock.advance(3 * DAY_MS);
    const second = await dsarClient.request({ last_name: mark, request_type: 'access' });
    const closed = await dsarClient.request({ last_name: mark, request_type: 'objection' });
    await put(closed.id, { status: 'withdrawn' });
    const sorted = async (query: string) => ids(await list(`search=${mark}&${query}`));
    expect(await sorted('orderby=deadline&order=desc')).toEqual([second.id, first.id, closed.id]);
    expect(await sorted('orderby=received_on')).toEqual([first.id, second.id, closed.id]);
    expect(await sorted('orderby=received_on&order=desc')).toEqual([
      closed.id,
      second.id,
      first.id,
    ]);
    expect(await sorted('orderby=request_type')).toEqual([second.id, closed.id, first.id]);
    expect(await sorted('orderby=status&order=desc')).toEqual([closed.id, second.id, first.id]);
    expect((await dsarClient.admin('GET', '/dsar/cases?orderby=email')).status).toBe(400);
    const { deadline, days_left } = await get(first.id);
    const today = Temporal.Instant.fromEpochMilliseconds(app.clock.now())
      .toZonedDateTimeISO(app.config.timeZone)
      .toPlainDate();
    expect(today.add({ days: days_left }).toString()).toBe(deadline);
    app.clock.advance(40 * DAY_MS);
    expect(await get(first.id)).toMatchObject({ days_left: days_left - 40, overdue: true });
    expect((await get(closed.id)).days_left).toBeNull();
    app.clock.advance(-43 * DAY_MS);
  });

  it('finds a person by first and last name, ignoring case', async () => {
    const { id } = await dsarClient.request({
      first_name: 'Élodie',
      last_name: `Özdemir${engine}`,
    });
    for (const search of [`özdemir${engine}`, `ÖZDEMIR${engine} élo`, `élodie özdemir${engine}`]) {
      expect(ids(await list(`search=${encodeURIComponent(search)}`))).toEqual([id]);
    }
  });

  it('adds notes, and deletes a request with everything that belongs to it', async () => {
    const { id, reference, email } = await dsarClient.request();
    await put(id, { status: 'in_progress' });
    const noted = await dsarClient.admin('POST', `/dsar/cases/${id}/events`, {
      note: 'Called back.',
    });
    expect([noted.status, noted.json.details]).toEqual([201, { note: 'Called back.' }]);
    const previous = await get(id);
    const { status, json } = await dsarClient.admin('DELETE', `/dsar/cases/${id}`);
    expect([status, json]).toEqual([200, { deleted: true, previous }]);
    expect((await dsarClient.admin('DELETE', `/dsar/cases/${id}`)).status).toBe(404);
    expect((await dsarClient.status(reference, email)).status).toBe(404);
  });

  it('reminds administrators 14, 7, 3 and 1 days before a deadline, once each, and daily about overdue requests', async () => {
    await dsarClient.mails();
    const start = app.clock.now();
    app.clock.advance(400 * DAY_MS);
    const { id, reference } = await dsarClient.request();
    await put(id, { status: 'in_progress' });
    const texts = new Set<string>();
    const ours = async () => {
      await sendReminders(dsarClient.dsar());
      await sendReminders(dsarClient.dsar());
      const mails = (await dsarClient.mails()).filter(({ kind }) => kind === 'dsar_reminder');
      for (const { subject, text } of mails) if (subject.endsWith(reference)) texts.add(text);
      return [
        ...new Set(
          mails.filter(({ text }) => text.includes(reference)).map(({ subject }) => subject),
        ),
      ];
    };
    const reminders: string[] = [];
    for (let day = 0; day <= 33; day++) {
      reminders.push(...(await ours()));
      app.clock.advance(DAY_MS);
    }
    expect(reminders.filter((subject) => subject.endsWith(reference))).toEqual(
      ['14 days', '7 days', '3 days', '1 day'].map((days) => `${days} left: ${reference}`),
    );
    const { deadline } = await get(id);
    const [text] = texts;
    expect(text).toContain(
      `Access, in progress, deadline ${formatDay('en', deadline)}, unassigned`,
    );
    expect(text).toContain(`/admin/requests/${id}\n`);
    const overdue = reminders.filter((subject) => subject.includes('overdue'));
    expect(overdue.length).toBeGreaterThanOrEqual(1);
    app.clock.advance(start - app.clock.now());
  });

  it('returns consistent metrics', async () => {
    app.clock.set('2030-05-01T12:00:00.000Z');
    const [one, two, three] = [
      await dsarClient.request({ request_type: 'rectification' }),
      await dsarClient.request({ request_type: 'rectification' }),
      await dsarClient.request({ request_type: 'objection' }),
    ];
    await dsarClient.request();
    app.clock.advance(4 * DAY_MS);
    await put(one.id, { status: 'rejected', reason: 'no', ground: 'unfounded' });
    await put(three.id, { status: 'withdrawn' });
    app.clock.advance(2 * DAY_MS);
    await put(two.id, { status: 'in_progress' });
    await put(two.id, { status: 'completed', reason: 'by phone' });
    app.clock.advance(30 * DAY_MS);
    const { json } = await dsarClient.admin(
      'GET',
      '/dsar/metrics?date_from=2030-05-01&date_to=2030-05-01',
    );
    const { by_type, ...all } = json;
    expect(all).toEqual({
      received: 4,
      open: 1,
      overdue: 1,
      completed: 1,
      rejected: 1,
      withdrawn: 1,
      deleted: 0,
      median_days: 5,
    });
    expect(by_type.rectification).toMatchObject({ received: 2, median_days: 5 });
    expect(by_type.deletion).toMatchObject({ received: 0, median_days: null });
    const total = Object.values<{ received: number }>(by_type).map(({ received }) => received);
    expect(total.reduce((sum, count) => sum + count, 0)).toBe(4);
  });
});
