import { describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';

import { expireUnconfirmed } from '../cases/expiry.ts';
import { sendConfirmationReminders } from '../cases/reminders.ts';

const LETTER = {
  request_type: 'access',
  channel: 'letter',
  received_on: '2026-11-03',
  first_name: 'Ada',
  last_name: 'Lovelace',
  postal_address: '1 High Street\nLondon',
};

describe.each(ENGINES)('POST /dsar/cases on %s', (engine) => {
  // It is already the 22nd in that zone.
  const app = useTestApp(engine, { PAVIS_SITE_TIMEZONE: 'Asia/Tokyo' });
  const dsarClient = createDsarClient(app);
  const enter = (more: object = {}) =>
    dsarClient.admin('POST', '/dsar/cases', { ...LETTER, ...more });
  const at = () => app.clock.set('2026-11-21T20:00:00.000Z');

  it('returns 201 with Location and a deadline counted from the day of receipt', async () => {
    at();
    const { status, json, headers } = await enter({ additional_info: ' All of it. ' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${app.url}/wp-json/svc/v1/dsar/cases/${json.id}`);
    expect(json).toMatchObject({
      reference: expect.stringMatching(/^DSR-20261103-[A-Z0-9]{6}$/),
      request_type: 'access',
      status: 'received',
      channel: 'letter',
      received_on: '2026-11-03',
      submitted: '2026-11-03 00:00:00',
      deadline: '2026-12-03',
      overdue: false,
      first_name: 'Ada',
      email: null,
      postal_address: '1 High Street\nLondon',
      representative: null,
      verified_at: null,
      additional_info: 'All of it.',
    });
    expect((await dsarClient.admin('GET', `/dsar/cases/${json.id}`)).json).toEqual(json);
    const { login } = (await dsarClient.admin('GET', '/users/me')).json;
    const events = (await dsarClient.admin('GET', `/dsar/cases/${json.id}/events`)).json;
    expect(events).toEqual([
      expect.objectContaining({
        action: 'entered',
        details: { channel: 'letter', received_on: '2026-11-03' },
      }),
    ]);
    expect(login ?? events[0].actor).toBe(events[0].actor);
    expect(events[0].actor).not.toBe('requestor');
  });

  it('creates an overdue request if the deadline has passed', async () => {
    at();
    const { status, json } = await enter({ received_on: '2026-10-20' });
    expect([status, json.deadline, json.overdue]).toEqual([201, '2026-11-20', true]);
  });

  it('accepts today in the time zone of the site, and rejects tomorrow', async () => {
    at();
    const today = await enter({ received_on: '2026-11-22' });
    expect([today.status, today.json.submitted]).toEqual([201, '2026-11-22 05:00:00']);
    const tomorrow = await enter({ received_on: '2026-11-23' });
    expect([tomorrow.status, tomorrow.json.code]).toEqual([400, 'rest_invalid_param']);
    expect(tomorrow.json.data.params.received_on).toContain('2026-11-22');
  });

  it.each([
    ['received_on', { received_on: '03.11.2026' }],
    ['channel', { channel: 'pigeon' }],
    ['request_type', { request_type: 'all' }],
    ['email', { email: 'nobody' }],
    ['postal_address', { postal_address: ' ' }],
    ['representative', { channel: 'representative' }],
    ['identity_proof', { verified: true, identity_proof: ' ' }],
  ])('returns 400 for an invalid %s', async (param, wrong) => {
    at();
    const { status, json } = await enter(wrong);
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(json.data.params)).toEqual([param]);
  });

  it('requires type, channel and day of receipt', async () => {
    const { status, json } = await dsarClient.admin('POST', '/dsar/cases', {});
    expect([status, json.code]).toEqual([400, 'rest_missing_callback_param']);
    expect(json.data.params).toEqual(['request_type', 'channel', 'received_on']);
    expect((await app.http.post('/wp-json/svc/v1/dsar/cases', { body: LETTER })).status).toBe(401);
  });

  it('works while the form is disabled', async () => {
    at();
    await dsarClient.admin('PUT', '/settings', { dsar: { enabled: false } });
    expect((await enter()).status).toBe(201);
    await dsarClient.admin('PUT', '/settings', { dsar: { enabled: true } });
  });

  it('emails an acknowledgement with channel, day and a confirmation link', async () => {
    at();
    await dsarClient.mails();
    const { json } = await enter({ email: 'Letter@Example.com', language: 'en' });
    await enter({ email: 'brief@example.com', language: 'de' });
    const [mail, german, ...more] = await dsarClient.mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: 'letter@example.com', kind: 'dsar_entered' });
    expect(mail?.text).toContain('on 3 November 2026 by letter');
    expect(mail?.text).toContain('3 December 2026');
    expect(mail?.text).not.toMatch(/Ada|Lovelace|High Street/);
    expect(german?.text).toContain('am 3. November 2026 per Brief');
    const verified = await dsarClient.verify(tokenIn(mail ?? { text: '' }));
    expect([verified.json.reference, verified.json.status]).toEqual([
      json.reference,
      'in_progress',
    ]);
  });

  it('starts at once without a link if the identity is verified', async () => {
    at();
    await dsarClient.mails();
    const identity_proof = 'Showed a passport at the desk';
    const { json } = await enter({
      channel: 'in_person',
      email: 'desk@example.com',
      verified: true,
      identity_proof,
    });
    expect(json).toMatchObject({
      status: 'in_progress',
      verified_at: '2026-11-22 05:00:00',
      identity_proof,
    });
    const [mail] = await dsarClient.mails();
    expect(mail?.text).toContain('on 3 November 2026 in person');
    expect(mail?.text).not.toContain('/privacy/confirm');
    const tasks = (await dsarClient.admin('GET', `/dsar/cases/${json.id}/tasks`)).json;
    expect(tasks.length).toBeGreaterThan(1);
    const events = (await dsarClient.admin('GET', `/dsar/cases/${json.id}/events`)).json;
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'entered',
      'identity_established',
    ]);
  });

  it('creates manual tasks and sends no email without an email address', async () => {
    at();
    await dsarClient.mails();
    const { id } = (await enter({ verified: true, identity_proof: 'Signature on file' })).json;
    const tasks = async () => (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json;
    const [byHand, packaging, ...more] = await tasks();
    expect([byHand.kind, packaging.kind, more]).toEqual(['manual', 'package', []]);
    await dsarClient.work();
    const early = await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'completed' });
    expect([early.status, early.json.code]).toEqual([409, 'sources_unresolved']);
    await dsarClient.admin('PUT', `/dsar/tasks/${byHand.id}`, { status: 'done' });
    await dsarClient.work();
    const done = await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'completed' });
    expect([done.status, done.json.status]).toEqual([200, 'completed']);
    const download = await dsarClient.admin('GET', `/dsar/cases/${id}/package`);
    expect([download.status, download.headers.get('content-type')]).toEqual([
      200,
      'application/zip',
    ]);
    const again = await dsarClient.admin('PUT', `/dsar/cases/${id}`, {
      status: 'in_progress',
      reason: 'A record was missing',
    });
    expect(again.status).toBe(200);
    expect(await dsarClient.mails()).toEqual([]);
  });

  it('sends no reminder and does not expire without an email address', async () => {
    app.clock.set('2032-01-01T12:00:00.000Z');
    // By the contact form of the site, for example.
    const { id } = (await enter({ received_on: '2031-12-30', channel: 'web' })).json;
    app.clock.advance(40 * 86_400_000);
    await sendConfirmationReminders(dsarClient.dsar());
    await expireUnconfirmed(dsarClient.dsar());
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).json.status).toBe('received');
    const events = (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json;
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['entered']);
  });

  it('counts in the metrics from the day of receipt', async () => {
    app.clock.set('2031-03-20T12:00:00.000Z');
    const { id } = (await enter({ received_on: '2031-03-10' })).json;
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, {
      status: 'rejected',
      reason: 'No',
      ground: 'unfounded',
    });
    const days = 'date_from=2031-03-10&date_to=2031-03-10';
    const { json } = await dsarClient.admin('GET', `/dsar/metrics?${days}`);
    expect([json.received, json.median_days]).toEqual([1, 10]);
  });

  it('anonymises address, representative and proof of identity', async () => {
    at();
    const { id } = (
      await enter({
        channel: 'representative',
        representative: 'Babbage & Partners',
        phone: '+44 20 1234',
        verified: true,
        identity_proof: 'Power of attorney of 1 November',
      })
    ).json;
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'withdrawn' });
    app.clock.advance(800 * 86_400_000);
    const policy = (await dsarClient.admin('GET', '/retention/policies?data_category=dsar_cases'))
      .json[0];
    await dsarClient.admin('POST', '/retention/run', { dry_run: false, policy_id: policy.id });
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).json).toMatchObject({
      channel: 'representative',
      representative: null,
      postal_address: null,
      phone: null,
      identity_proof: null,
    });
  });

  it('is included in the package of the person', async () => {
    at();
    const email = `entered-${engine}@example.com`;
    await enter({ email, phone: '+44 20 5678' });
    const { id } = (await enter({ email, verified: true, identity_proof: 'Known voice' })).json;
    await dsarClient.work();
    const headers = await dsarClient.headers();
    const answer = await fetch(`${app.url}/wp-json/svc/v1/dsar/cases/${id}/package`, { headers });
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    const texts = [...files.values()].map(String).join();
    const [first] = JSON.parse(String(files.get('sources/dsar_cases.json')));
    expect(first).toMatchObject({ received_on: '2026-11-03' });
    expect(first).not.toHaveProperty('received_at');
    const events = JSON.parse(String(files.get('sources/dsar_events.json')));
    expect(events[0].details).toMatchObject({ channel: 'letter', received_on: '2026-11-03' });
    expect(texts).toContain('+44 20 5678');
    expect(texts).toContain('Known voice');
  });
});
