import { describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { sendDueMails } from '../../../mail/index.ts';
import { formatDay, toIsoMoment } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import { sendDueAcknowledgements } from '../intake/acknowledgements/service.ts';
import { sendConfirmationReminders } from './reminders.ts';

describe.each(ENGINES)('A new link for a requester on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const send = (id: number, purpose: string) =>
    dsarClient.admin('POST', `/dsar/cases/${id}/links`, { purpose });
  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
  const lastMail = async () => (await dsarClient.mails()).at(-1) ?? expect.fail('no email');
  const download = (token: string) =>
    app.http.post('/wp-json/svc/v1/dsar/package', { body: { token } });

  /** A completed request, and the email with the link to its package. */
  async function completed() {
    const { id, email } = await dsarClient.request();
    await dsarClient.verify(tokenIn(await lastMail()));
    await dsarClient.work();
    await put(id, { status: 'completed' });
    return { id, email, mail: await lastMail() };
  }

  it('confirms the address and invalidates earlier links', async () => {
    const { id, reference, email } = await dsarClient.request();
    const first = await lastMail();
    app.clock.advance(8 * DAY_MS);
    expect((await dsarClient.verify(tokenIn(first))).status).toBe(404);
    const { status, json } = await send(id, 'confirm');
    expect([status, json]).toEqual([
      201,
      { purpose: 'confirm', expires_at: new Date(app.clock.now() + 7 * DAY_MS).toISOString() },
    ]);
    const second = await lastMail();
    expect(second).toMatchObject({ to: email, kind: 'dsar_confirm_link' });
    expect((await send(id, 'confirm')).status).toBe(201);
    const third = await lastMail();
    expect((await dsarClient.verify(tokenIn(second))).status).toBe(404);
    const confirmed = await dsarClient.verify(tokenIn(third));
    expect([confirmed.status, confirmed.json.reference]).toEqual([200, reference]);
    const events = (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json;
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'link_sent', details: { purpose: 'confirm' } }),
    );
  });

  it('downloads the package of a completed request, invalidates earlier links and restarts the retention period', async () => {
    const { id, mail } = await completed();
    app.clock.advance(6 * DAY_MS);
    expect((await send(id, 'download')).status).toBe(201);
    const renewed = await lastMail();
    expect(renewed.kind).toBe('dsar_download_link');
    const replaced = await download(tokenIn(mail));
    expect([replaced.status, replaced.json.message]).toEqual([
      404,
      expect.stringContaining('newer download link'),
    ]);
    app.clock.advance(6 * DAY_MS);
    const run = { dry_run: false };
    await dsarClient.admin('POST', '/retention/run', run);
    expect((await download(tokenIn(renewed))).status).toBe(200);
    app.clock.advance(3 * DAY_MS);
    await dsarClient.admin('POST', '/retention/run', run);
    expect((await send(id, 'download')).status).toBe(409);
  });

  it('is refused if there is nothing to confirm or download', async () => {
    const open = await dsarClient.request();
    await dsarClient.mails();
    const { id } = await completed();
    const refused = async (caseId: number, purpose: string, says: string) => {
      const { status, json } = await send(caseId, purpose);
      expect([status, json.code, json.message]).toEqual([
        409,
        'invalid_transition',
        expect.stringContaining(says),
      ]);
    };
    await refused(open.id, 'download', 'once it is completed');
    await refused(id, 'confirm', 'completed');
    await put(id, { status: 'in_progress', reason: 'again' });
    await refused(id, 'confirm', 'already confirmed');
    await refused(id, 'download', 'in_progress');
    await put(open.id, { status: 'withdrawn' });
    await refused(open.id, 'confirm', 'withdrawn');
    await dsarClient.mails();
    expect((await send(open.id, 'nonsense')).status).toBe(400);
    expect((await send(999_999, 'confirm')).status).toBe(404);
    expect(await dsarClient.mails()).toEqual([]);
  });

  describe('and emails that were not delivered', () => {
    /** Lets the mail server refuse all emails that are due, or defer them. */
    async function refuseMails(responseCode = 550): Promise<void> {
      const error = Object.assign(new Error('refused'), { code: 'EENVELOPE', responseCode });
      const delivery = { deliver: () => Promise.reject(error), verify: async () => '' };
      while (await sendDueMails(app.platform, delivery)) {}
    }
    const listed = async (id: number): Promise<{ id: number; kind: string; status: string }[]> =>
      (await dsarClient.admin('GET', `/mail?about=dsar/cases/${id}`)).json;
    /** Retries the email of this kind about a request. */
    async function retry(id: number, kind: string): Promise<number> {
      const mail = (await listed(id)).find((each) => each.kind === `dsar_${kind}`);
      return (await dsarClient.admin('POST', `/mail/${mail?.id}/retry`)).status;
    }
    const kinds = async () => (await dsarClient.mails()).map(({ kind }) => kind);

    it('does not retry those whose link was replaced', async () => {
      const { id, reference, email } = await dsarClient.request();
      await refuseMails();
      expect((await send(id, 'confirm')).status).toBe(201);
      expect(await retry(id, 'acknowledgement')).toBe(404);
      await refuseMails();
      await send(id, 'confirm');
      expect(await retry(id, 'confirm_link')).toBe(404);
      const body = { reference, email };
      await app.http.post('/wp-json/svc/v1/dsar/withdraw', { body });
      await refuseMails();
      app.clock.advance(2 * HOUR_MS);
      await app.http.post('/wp-json/svc/v1/dsar/withdraw', { body });
      const [latest, replaced] = (await listed(id)).filter(
        (each) => each.kind === 'dsar_withdrawal',
      );
      const answer = await dsarClient.admin('POST', `/mail/${replaced?.id}/retry`);
      expect([answer.status, answer.json.message]).toEqual([
        404,
        'No undelivered email with this id can be sent again. If its link no longer works, send a new link.',
      ]);
      expect(latest?.status).toBe('pending');
      expect(await kinds()).toEqual(['dsar_withdrawal']);
    });

    it('retries those whose link works, for seven days', async () => {
      const { id, reference } = await dsarClient.request();
      await refuseMails();
      app.clock.advance(7 * DAY_MS - 1);
      expect(await retry(id, 'acknowledgement')).toBe(200);
      const { json } = await dsarClient.verify(tokenIn(await lastMail()));
      expect(json.reference).toBe(reference);
      const late = await dsarClient.request();
      await refuseMails();
      app.clock.advance(7 * DAY_MS);
      expect(await retry(late.id, 'acknowledgement')).toBe(404);
    });

    it('does not retry the completion of a request that was reopened', async () => {
      const { id } = await dsarClient.request();
      await dsarClient.verify(tokenIn(await lastMail()));
      await dsarClient.work();
      await put(id, { status: 'completed' });
      await refuseMails();
      await send(id, 'download');
      expect(await retry(id, 'completed')).toBe(200);
      await refuseMails();
      await put(id, { status: 'in_progress', reason: 'again' });
      expect([await retry(id, 'completed'), await retry(id, 'download_link')]).toEqual([404, 404]);
      expect(await kinds()).toEqual(['dsar_reopened']);
    });

    it.each([
      ['en', (day: string) => `valid for seven days from ${day}.`],
      ['de', (day: string) => `ist ab dem ${day} sieben Tage gültig.`],
    ])(
      'retries the completion of a request at any time, since it has the result (%s)',
      async (language, validity) => {
        const { id } = await dsarClient.request({ language });
        await dsarClient.verify(tokenIn(await lastMail()));
        await dsarClient.work();
        await put(id, { status: 'completed' });
        const completedOn = toIsoMoment(app.clock.now());
        await refuseMails();
        app.clock.advance(8 * DAY_MS);
        expect(await retry(id, 'completed')).toBe(200);
        const { kind, text } = await lastMail();
        expect(kind).toBe('dsar_completed');
        expect(text).toContain(validity(formatDay(language, completedOn)));
      },
    );

    it('gives up those that are still waiting, except an email about several requests', async () => {
      const from = { 'x-forwarded-for': '203.0.113.5' };
      const email = 'together@example.com';
      const ids: number[] = [];
      for (let n = 0; n < 3; n++) {
        const { json } = await dsarClient.intake({ request_type: 'access', email }, from);
        ids.push(json.id);
      }
      await refuseMails(451);
      await send(ids[0] ?? 0, 'confirm');
      app.clock.advance(HOUR_MS);
      expect(await kinds()).toEqual(['dsar_confirm_link']);
      expect((await listed(ids[0] ?? 0))[1]?.status).toBe('dead');
      await sendDueAcknowledgements(dsarClient.dsar());
      await refuseMails();
      await send(ids[2] ?? 0, 'confirm');
      await dsarClient.mails();
      expect(await retry(ids[2] ?? 0, 'acknowledgements')).toBe(200);
      const mail = await lastMail();
      expect(mail.subject).toBe('We have received 2 requests');
      expect((await dsarClient.verify(tokenIn(mail))).status).toBe(200);
    });

    it('gives up an email about one request also after one about several', async () => {
      const from = { 'x-forwarded-for': '203.0.113.6' };
      const email = 'later@example.com';
      const ids: number[] = [];
      for (let n = 0; n < 3; n++) {
        const { json } = await dsarClient.intake({ request_type: 'access', email }, from);
        ids.push(json.id);
      }
      app.clock.advance(HOUR_MS);
      await sendDueAcknowledgements(dsarClient.dsar());
      const [first = 0, second = 0, third = 0] = ids;
      for (const id of [first, second]) await put(id, { status: 'withdrawn' });
      app.clock.advance(DAY_MS);
      await dsarClient.mails();
      await sendConfirmationReminders(dsarClient.dsar());
      await refuseMails();
      expect((await listed(third))[0]).toMatchObject({ kind: 'dsar_unconfirmed', status: 'dead' });
      await send(third, 'confirm');
      expect(await retry(third, 'unconfirmed')).toBe(404);
    });
  });
});
