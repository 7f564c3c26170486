import { describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import { sendDueAcknowledgements } from '../intake/acknowledgements/service.ts';
import { expireUnconfirmed } from './expiry.ts';
import { sendConfirmationReminders, sendReminders } from './reminders.ts';

describe.each(ENGINES)('An unconfirmed request on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const get = async (id: number) => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
  const expire = () => expireUnconfirmed(dsarClient.dsar());
  const expired = async () =>
    (await dsarClient.mails()).filter(({ kind }) => kind === 'dsar_expired');

  it('is closed after 30 days, with an email in its language and an event', async () => {
    const german = await dsarClient.intake(
      { request_type: 'access', email: 'ida@example.com' },
      { 'accept-language': 'de' },
    );
    const { id, reference } = german.json;
    const [mail] = await dsarClient.mails();
    app.clock.advance(30 * DAY_MS - 1);
    await expire();
    expect(await get(id)).toMatchObject({ status: 'received', completed: null });
    app.clock.advance(1);
    await expire();
    await expire();
    expect(await get(id)).toMatchObject({
      status: 'withdrawn',
      completed: expect.any(String),
      verified_at: null,
    });
    const events = (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json;
    expect(events.at(-1)).toMatchObject({
      actor: 'system',
      action: 'request_expired',
      details: { after_days: 30 },
    });
    const sent = await expired();
    expect(sent).toMatchObject([
      { to: 'ida@example.com', subject: `Ihr Antrag ist abgelaufen [${reference}]` },
    ]);
    expect(sent[0]?.text).toContain('der folgende Antrag wurde nicht innerhalb von 30 Tagen');
    expect(sent[0]?.text).toContain('/privacy/');
    expect((await dsarClient.verify(tokenIn(mail ?? { text: '' }))).status).toBe(404);
    const page = await fetch(`${app.url}/privacy/status`, {
      method: 'POST',
      body: new URLSearchParams({ reference, email: 'ida@example.com', lang: 'en' }),
    });
    const shown = await page.text();
    expect(shown).toContain('This request was closed because it was not confirmed.');
    expect(shown).toContain(`Closed: ${reference}`);
    expect(shown).not.toMatch(/withdrawn/i);
    const again = await dsarClient.intake({ request_type: 'access', email: 'ida@example.com' });
    expect(again.status).toBe(201);
  });

  it('is not counted as overdue and not in the reminders for administrators', async () => {
    const { id, reference } = await dsarClient.request();
    app.clock.advance(40 * DAY_MS);
    await expire();
    await dsarClient.mails();
    await sendReminders(dsarClient.dsar());
    const digest = (await dsarClient.mails()).filter(({ kind }) => kind === 'dsar_reminder');
    expect(digest.some(({ text }) => text.includes(reference))).toBe(false);
    expect(await get(id)).toMatchObject({ overdue: false });
    const { json } = await dsarClient.admin('GET', '/dsar/cases?overdue=true');
    expect(json.map((each: { id: number }) => each.id)).not.toContain(id);
  });

  it('causes one email per address when several requests expire', async () => {
    const email = 'many@example.com';
    for (let n = 0; n < 3; n++) await dsarClient.request({ email });
    app.clock.advance(31 * DAY_MS);
    await dsarClient.mails();
    await expire();
    const sent = (await expired()).filter(({ to }) => to === email);
    expect(sent.map(({ subject }) => subject)).toEqual(['Your requests have expired (3)']);
    expect(sent[0]?.text).toContain('The following requests were not confirmed within 30 days.');
    expect(sent[0]?.text).not.toContain('address was not confirmed');
  });

  it('is closed also if closing those of another address fails', async () => {
    await expire();
    const { id: first } = await dsarClient.request();
    const { id: second } = await dsarClient.request();
    app.clock.advance(31 * DAY_MS);
    const opened = dsarClient.dsar();
    const { datastore } = opened.platform;
    let failures = 0;
    const transaction: typeof datastore.transaction = (work) =>
      failures++ === 0 ? Promise.reject(new Error('disk full')) : datastore.transaction(work);
    const platform = { ...opened.platform, datastore: { ...datastore, transaction } };
    await expireUnconfirmed({ ...opened, platform });
    const statuses = [(await get(first)).status, (await get(second)).status];
    expect(statuses.toSorted()).toEqual(['received', 'withdrawn']);
    await expire();
    expect([(await get(first)).status, (await get(second)).status]).toEqual([
      'withdrawn',
      'withdrawn',
    ]);
  });

  it.each([
    ['a note is added', '/events', { note: 'Called; is a customer.' }],
    ['a new link is sent', '/links', { purpose: 'confirm' }],
  ])('stays open if %s while it is expiring', async (_, path, body) => {
    await expire();
    const { id } = await dsarClient.request();
    app.clock.advance(31 * DAY_MS);
    const opened = dsarClient.dsar();
    const { datastore } = opened.platform;
    const transaction: typeof datastore.transaction = async (work) => {
      expect((await dsarClient.admin('POST', `/dsar/cases/${id}${path}`, body)).status).toBe(201);
      return datastore.transaction(work);
    };
    const platform = { ...opened.platform, datastore: { ...datastore, transaction } };
    await expireUnconfirmed({ ...opened, platform });
    await dsarClient.mails();
    expect(await get(id)).toMatchObject({ status: 'received', completed: null });
  });

  it('stays open if it opts out under the CCPA, which needs no confirmation', async () => {
    await dsarClient.admin('PUT', '/settings', { dsar: { regime: 'ccpa' } });
    const optOut = await dsarClient.request({ request_type: 'objection' });
    const access = await dsarClient.request();
    await dsarClient.admin('PUT', '/settings', { dsar: { regime: 'gdpr' } });
    const objection = await dsarClient.request({ request_type: 'objection' });
    app.clock.advance(31 * DAY_MS);
    await expire();
    const statuses = [optOut, access, objection].map(async ({ id }) => (await get(id)).status);
    expect(await Promise.all(statuses)).toEqual(['in_progress', 'withdrawn', 'withdrawn']);
  });

  it('is reminded that it will be closed only if it will be', async () => {
    await expire();
    const closing = 'We close requests that are not confirmed within 30 days.';
    const plain = await dsarClient.request();
    const noted = await dsarClient.request();
    await dsarClient.admin('POST', `/dsar/cases/${noted.id}/events`, { note: 'Called.' });
    const extended = await dsarClient.request();
    await dsarClient.admin('PUT', `/dsar/cases/${extended.id}`, { extend: { reason: 'Many.' } });
    const email = 'by-letter@example.com';
    await dsarClient.admin('POST', '/dsar/cases', {
      ...{ request_type: 'access', received_on: '2026-11-20', channel: 'letter', email },
    });
    await dsarClient.mails();
    app.clock.advance(DAY_MS);
    await sendConfirmationReminders(dsarClient.dsar());
    app.clock.advance(HOUR_MS);
    await sendDueAcknowledgements(dsarClient.dsar());
    const reminders = (await dsarClient.mails()).filter(({ kind }) => kind === 'dsar_unconfirmed');
    const isClosing = ({ email }: { email: string }) =>
      reminders.find(({ to }) => to === email)?.text.includes(closing);
    expect([plain, noted, extended, { email }].map(isClosing)).toEqual([true, false, false, false]);
  });

  it('stays open if it was confirmed, worked on, extended, assigned, entered by hand or has a note', async () => {
    const confirmed = await dsarClient.request({ request_type: 'rectification' });
    const [mail] = await dsarClient.mails();
    await dsarClient.verify(tokenIn(mail ?? { text: '' }));
    const begun = await dsarClient.request({ request_type: 'rectification' });
    await dsarClient.admin('PUT', `/dsar/cases/${begun.id}`, { status: 'in_progress' });
    const held = await dsarClient.request();
    await dsarClient.admin('PUT', `/dsar/cases/${held.id}`, { status: 'on_hold', reason: 'Who?' });
    const noted = await dsarClient.request();
    await dsarClient.admin('POST', `/dsar/cases/${noted.id}/events`, {
      note: 'Called; is a customer.',
    });
    const extended = await dsarClient.request();
    const { status } = await dsarClient.admin('PUT', `/dsar/cases/${extended.id}`, {
      extend: { reason: 'Many records.' },
    });
    expect(status).toBe(200);
    const entered = await dsarClient.admin('POST', '/dsar/cases', {
      request_type: 'access',
      received_on: '2026-11-20',
      channel: 'letter',
      email: 'letter@example.com',
    });
    expect(entered.status).toBe(201);
    app.clock.advance(60 * DAY_MS);
    await expire();
    for (const { id } of [confirmed, begun, held, noted, extended, entered.json]) {
      expect(await get(id)).toMatchObject({ completed: null });
    }
  });
});
