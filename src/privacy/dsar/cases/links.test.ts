import { describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';

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
});
