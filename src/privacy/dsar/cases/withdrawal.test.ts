import { describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { HOUR_MS } from '../../../platform/durations.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('Withdrawal by the requester on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const ask = (reference: string, email: string) =>
    app.http.post(`${ROOT}/dsar/withdraw`, { body: { reference, email } });
  const confirm = (token: string) =>
    app.http.post(`${ROOT}/dsar/withdraw/confirm`, { body: { token } });

  /** A request, and the link that would withdraw it. */
  async function asked() {
    const made = await dsarClient.request();
    await dsarClient.mails();
    expect((await ask(made.reference, made.email)).status).toBe(202);
    const [mail] = await dsarClient.mails();
    return { ...made, mail, token: tokenIn(mail ?? { text: '' }) };
  }

  it('works once with the emailed link, and is confirmed by email', async () => {
    const { id, reference, email, mail, token } = await asked();
    expect(mail).toMatchObject({ to: email, kind: 'dsar_withdrawal' });
    expect(mail?.text).toContain(`${app.url}/privacy/withdraw?token=`);
    expect((await dsarClient.status(reference, email)).json.status).toBe('received');
    const { status, json } = await confirm(token);
    expect([status, json.reference, json.status]).toEqual([200, reference, 'withdrawn']);
    expect(json.completed).not.toBeNull();
    expect((await dsarClient.mails()).map(({ kind }) => kind)).toEqual(['dsar_withdrawn']);
    const again = await confirm(token);
    expect([again.status, again.json.code]).toEqual([404, 'not_found']);
    expect((await confirm('nonsense')).text).toBe(again.text);
    const events = (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json;
    expect(
      events.slice(-2).map(({ actor, action }: Record<string, string>) => [actor, action]),
    ).toEqual([
      ['requestor', 'withdrawal_requested'],
      ['requestor', 'status_changed'],
    ]);
  });

  it('succeeds for one of several concurrent uses of the link', async () => {
    const { token } = await asked();
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(404)]);
  });

  it('works in progress and on hold, but not once the request is closed', async () => {
    for (const steps of [['in_progress'], ['on_hold']]) {
      const made = await dsarClient.request({ request_type: 'rectification' });
      for (const status of steps)
        await dsarClient.admin('PUT', `/dsar/cases/${made.id}`, {
          status,
          ground: 'clarification',
        });
      await dsarClient.mails();
      await ask(made.reference, made.email);
      const [mail] = await dsarClient.mails();
      expect((await confirm(tokenIn(mail ?? { text: '' }))).json.status).toBe('withdrawn');
      const closed = await ask(made.reference, made.email);
      expect([closed.status, closed.json.code]).toEqual([409, 'invalid_transition']);
    }
    const { id, reference, email, token } = await asked();
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, {
      status: 'rejected',
      reason: 'Not ours',
      ground: 'other',
    });
    expect((await confirm(token)).status).toBe(404);
    expect((await dsarClient.status(reference, email)).json.status).toBe('rejected');
  });

  it('sends at most one email an hour, and a new link invalidates the earlier one', async () => {
    const { reference, email, token } = await asked();
    expect((await ask(reference, email)).status).toBe(202);
    expect(await dsarClient.mails()).toEqual([]);
    app.clock.advance(HOUR_MS + 1);
    expect((await ask(reference, email)).status).toBe(202);
    const [mail] = await dsarClient.mails();
    expect((await confirm(token)).status).toBe(404);
    expect((await confirm(tokenIn(mail ?? { text: '' }))).status).toBe(200);
  });

  it('fails after seven days', async () => {
    const { token } = await asked();
    app.clock.advance(7 * 24 * HOUR_MS);
    expect((await confirm(token)).status).toBe(404);
  });

  it('returns the same response as the status for every mismatch of reference and address', async () => {
    const [one, other] = [await dsarClient.request(), await dsarClient.request()];
    await dsarClient.mails();
    const mismatches: [reference: string, email: string][] = [
      [one.reference, other.email],
      [one.reference, 'nobody@example.com'],
      ['DSR-20270305-AAAAAA', one.email],
      ['nonsense', 'nonsense'],
      ['', ''],
    ];
    for (const given of mismatches) {
      const answer = await ask(...given);
      const status = await dsarClient.status(...given);
      expect([answer.status, answer.text]).toEqual([404, status.text]);
    }
    expect(await dsarClient.mails()).toEqual([]);
  });

  describe('on /privacy/', () => {
    const post = (path: string, form: Record<string, string>) =>
      fetch(`${app.url}/privacy/${path}`, { method: 'POST', body: new URLSearchParams(form) });

    it('works without scripts: status, emailed link, confirmation page', async () => {
      const { reference, email } = await dsarClient.request();
      await dsarClient.mails();
      const status = await (await post('status', { reference, email, lang: 'en' })).text();
      expect(status).toContain('action="withdraw-link"');
      const sent = await post('withdraw-link', { reference, email, lang: 'en' });
      expect([sent.status, await sent.text()]).toEqual([
        200,
        expect.stringContaining('Check your email'),
      ]);
      const token = tokenIn((await dsarClient.mails())[0] ?? { text: '' });
      // As link scanners do.
      const page = await fetch(`${app.url}/privacy/withdraw?token=${token}&lang=de`);
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('Meinen Antrag zurückziehen'),
      ]);
      expect((await dsarClient.status(reference, email)).json.status).toBe('received');
      const done = await post('withdraw', { token, lang: 'en' });
      expect([done.status, await done.text()]).toEqual([
        200,
        expect.stringContaining('Your request is withdrawn'),
      ]);
      const over = await fetch(`${app.url}/privacy/withdraw?token=${token}`);
      expect([over.status, await over.text()]).toEqual([
        404,
        expect.stringContaining('the request has been closed'),
      ]);
      const closed = await (await post('status', { reference, email, lang: 'en' })).text();
      expect(closed).not.toContain('withdraw-link');
      const late = await post('withdraw-link', { reference, email, lang: 'en' });
      expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('Withdrawn')]);
    });

    it('returns the same page as the status for every mismatch', async () => {
      const { reference } = await dsarClient.request();
      const given = { reference, email: 'nobody@example.com', lang: 'en' };
      const [asked, status] = [await post('withdraw-link', given), await post('status', given)];
      expect([asked.status, await asked.text()]).toEqual([status.status, await status.text()]);
    });
  });
});

describe('The rate limit of withdrawals', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_DSAR: '1' });

  it('is shared with status checks', async () => {
    const body = { reference: 'DSR-20270305-AAAAAA', email: 'a@example.com' };
    const status = `${ROOT}/dsar/status?${new URLSearchParams(body)}`;
    for (let n = 0; n < 4; n++) await app.http.get(status);
    expect((await app.http.post(`${ROOT}/dsar/withdraw`, { body })).status).toBe(404);
    expect((await app.http.post(`${ROOT}/dsar/withdraw`, { body })).status).toBe(429);
  });
});
