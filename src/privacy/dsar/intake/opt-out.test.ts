import { beforeAll, describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { plainBrowser } from '../../../../test/support/plain-browser.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { sendConfirmationReminders } from '../cases/reminders.ts';
import { sendDueAcknowledgements } from './acknowledgements/service.ts';

const NOT_NEEDED = 'You do not need to confirm this request. We are already working on it.';

describe.each(ENGINES)('A request to opt out under the CCPA on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const show = async (id: number) => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
  beforeAll(() => dsarClient.admin('PUT', '/settings', { dsar: { regime: 'ccpa' } }));

  it('is worked on from its receipt, and its acknowledgement asks for no confirmation', async () => {
    const { id, message } = (await dsarClient.request({ request_type: 'objection' })) as {
      id: number;
      message?: string;
    };
    expect(message).not.toContain('Confirm');
    expect(await show(id)).toMatchObject({ status: 'in_progress', verified_at: null });
    const extension = await dsarClient.admin('PUT', `/dsar/cases/${id}`, {
      extend: { reason: 'Three systems' },
    });
    expect(extension.status).toBe(400);
    expect(extension.json.data.params.extend).toContain('cannot be extended under ccpa');
    const tasks = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
    expect(tasks.json).toMatchObject([{ label: 'Stop the sale and sharing', status: 'waiting' }]);
    const mails = await dsarClient.mails();
    expect(mails).toMatchObject([
      { kind: 'dsar_acknowledgement', text: expect.stringContaining(NOT_NEEDED) },
    ]);
    expect(mails.map(tokenIn)).toEqual(['']);
    expect(mails[0]?.text).toContain('Request: Opt-out of the sale and sharing');
    await dsarClient.request({ request_type: 'objection', language: 'de' });
    const [german] = await dsarClient.mails();
    expect(german?.text).toContain('Antrag: Widerspruch gegen den Verkauf und die Weitergabe');
    app.clock.advance(25 * HOUR_MS);
    await sendConfirmationReminders(dsarClient.dsar());
    expect(await dsarClient.mails()).toEqual([]);
  });

  it('has no link in an email about several requests, in which the others have one', async () => {
    const email = 'often@example.com';
    const ask = async (request_type: string) =>
      (await dsarClient.intake({ request_type, email })).json.reference as string;
    for (const type of ['access', 'access', 'objection', 'objection']) await ask(type);
    const [access, optOut] = [await ask('access'), await ask('objection')];
    await dsarClient.mails();
    app.clock.advance(HOUR_MS);
    await sendDueAcknowledgements(dsarClient.dsar());
    const [mail] = await dsarClient.mails();
    expect(mail?.kind).toBe('dsar_acknowledgements');
    expect(mail?.text.split(NOT_NEEDED)).toHaveLength(3);
    expect(mail?.text).toContain(`Confirm ${access}:`);
    expect(mail?.text).toContain(optOut);
    expect(mail?.text).not.toContain(`Confirm ${optOut}`);
    expect(mail?.text).toContain('Confirm only the requests that you made yourself.');
  });

  it('gets no link on demand, and has one if an earlier version received it', async () => {
    const { id } = await dsarClient.request({ request_type: 'objection' });
    const send = () => dsarClient.admin('POST', `/dsar/cases/${id}/links`, { purpose: 'confirm' });
    const refused = await send();
    expect([refused.status, refused.json.message]).toEqual([
      409,
      'The request needs no confirmation.',
    ]);
    await app.platform.datastore.db
      .updateTable('dsar_cases')
      .set({ status: 'received' })
      .where('id', '=', id)
      .execute();
    await dsarClient.mails();
    app.clock.advance(25 * HOUR_MS);
    await sendConfirmationReminders(dsarClient.dsar());
    const [reminder] = await dsarClient.mails();
    expect(reminder?.text).not.toContain(NOT_NEEDED);
    expect(tokenIn(reminder ?? { text: '' })).not.toBe('');
    expect((await send()).status).toBe(201);
  });

  it('is worked on also if it came by letter, unlike other requests', async () => {
    const enter = async (request_type: string, email: string) => {
      const letter = { channel: 'letter', received_on: '2026-11-20', email };
      const { json } = await dsarClient.admin('POST', '/dsar/cases', { request_type, ...letter });
      return [json.status, tokenIn((await dsarClient.mails()).at(-1) ?? { text: '' }) !== ''];
    };
    expect(await enter('objection', 'letter-1@example.com')).toEqual(['in_progress', false]);
    expect(await enter('deletion', 'letter-2@example.com')).toEqual(['received', true]);
  });

  it('needs no confirmation according to the page after the form', async () => {
    const page = await plainBrowser(() => app.url).open('/privacy/');
    expect(page.text).toContain('if that is needed');
    const send = async (request_type: string) => {
      const body = new URLSearchParams({ request_type, email: `${request_type}@example.com` });
      const sent = await fetch(`${app.url}/privacy/request`, { method: 'POST', body });
      return sent.text();
    };
    expect(await send('objection')).toContain('You do not need to confirm your request');
    expect(await send('access')).toContain('Once you have confirmed');
  });

  it('still waits for the confirmation under other laws, as other requests do', async () => {
    await dsarClient.mails();
    const waiting = [await dsarClient.request({ request_type: 'deletion' })];
    await dsarClient.admin('PUT', '/settings', { dsar: { regime: 'gdpr' } });
    waiting.push(await dsarClient.request({ request_type: 'objection' }));
    for (const { id } of waiting) expect((await show(id)).status).toBe('received');
    expect((await dsarClient.mails()).map((mail) => tokenIn(mail) !== '')).toEqual([true, true]);
  });
});
