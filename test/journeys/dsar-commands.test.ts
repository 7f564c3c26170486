import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { pavis, pavisJson } from '../support/process.ts';
import { useServerProcess } from '../support/server-process.ts';
import { unzip } from '../support/unzip.ts';

describe('pavis dsar, beside a running server', () => {
  const server = useServerProcess();
  const { folder, env } = server;

  const dsar = (...args: string[]) => pavisJson(['dsar', ...args], env);
  async function request(request_type: string, email: string) {
    const body = { request_type, email };
    return (await server.http.post('/wp-json/svc/v1/dsar/intake', { body })).json;
  }
  /** The emails so far, parsed. */
  const mails = async () => {
    const names = readdirSync(join(folder, 'mail')).toSorted();
    return Promise.all(
      names
        .filter((name) => name.endsWith('.eml'))
        .map((name) => PostalMime.parse(readFileSync(join(folder, 'mail', name)))),
    );
  };

  /** A request with a package. */
  let packed = '';

  it('completes a request with list, set-status and show, and exports its package', async () => {
    const { id, reference } = await request('access', 'ada@example.com');
    await expect.poll(async () => (await mails()).length).toBe(1);
    expect(statSync(join(folder, 'mail')).mode & 0o777).toBe(0o700);
    expect((await dsar('list')).cases.map((each: { id: number }) => each.id)).toContain(id);

    expect((await dsar('set-status', reference, 'in_progress')).status).toBe('in_progress');
    expect((await dsar('set-status', String(id), 'completed')).status).toBe('completed');
    const shown = await dsar('show', reference);
    expect(shown).toMatchObject({ id, status: 'completed', email: 'ada@example.com' });
    expect(shown.tasks.every(({ status }: { status: string }) => status === 'done')).toBe(true);
    expect(shown.events.map(({ action }: { action: string }) => action)).toContain('task_done');

    const file = join(folder, 'ada.zip');
    const written = await dsar('export', reference, '--output', file);
    expect(written).toMatchObject({ reference, file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([...unzip(readFileSync(file)).keys()]).toContain('manifest.json');
    packed = reference;
    await expect.poll(async () => (await mails()).at(-1)?.subject).toContain('is completed');
  });

  it('sends a new download link', async () => {
    const sent = await dsar('send-link', packed, 'download');
    expect(sent).toMatchObject({ reference: packed, purpose: 'download' });
    await expect
      .poll(async () => (await mails()).at(-1)?.subject)
      .toContain('Your new download link');
    const refused = await pavis(['dsar', 'send-link', packed, 'confirm'], env);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('completed')]);
  });

  it('enters a request that was received by letter, without sending emails', async () => {
    const given = ['--type', 'access', '--channel', 'letter', '--received', '2026-01-31'];
    const address = ['--last-name', 'Lovelace', '--postal-address', '1 High Street, London'];
    const created = await dsar('create', ...given, ...address);
    expect(created).toMatchObject({
      reference: expect.stringMatching(/^DSR-20260131-/),
      request_type: 'access',
      channel: 'letter',
      deadline: '2026-02-28',
      overdue: true,
      email: null,
    });
    const shown = await pavis(['dsar', 'show', created.reference], env);
    expect(shown.stdout).toContain('no emails are sent: send the answer by post');
    const refusal = ['rejected', '--ground', 'excessive', '--reason', 'It repeats another.'];
    const letter = await pavis(['dsar', 'set-status', created.reference, ...refusal], env);
    expect(letter.stdout).toContain('It repeats another.');
    expect(letter.stdout).toContain('supervisory authority');
    const refused = await pavis(['dsar', 'create', ...given], env);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toBe(
      'pavis: Without an email address, --postal-address or --phone must be given.\n',
    );
    const future = await pavis(
      ['dsar', 'create', ...given, ...address, '--received', '2999-01-01'],
      env,
    );
    expect(future.stderr).toContain('--received must not be later than today');
    const past = await pavis(
      ['dsar', 'create', ...given, ...address, '--received', '1026-11-20'],
      env,
    );
    expect(past.stderr).toContain('--received must be 2000-01-01 or later');
    const malformed = await pavis(['dsar', 'create', ...given, ...address, '--received', 'x'], env);
    expect([malformed.code, malformed.stderr]).toEqual([2, expect.stringContaining('--received')]);
    const unproven = await pavis(['dsar', 'create', ...given, ...address, '--verified'], env);
    expect([unproven.code, unproven.stderr]).toEqual([
      2,
      'pavis: --identity-proof must say how the identity was established.\n',
    ]);
  });

  it('explains what to do if a package cannot be written', async () => {
    const nowhere = join(folder, 'no-such-folder', 'ada.zip');
    const { code, stderr } = await pavis(['dsar', 'export', packed, '--output', nowhere], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pavis: cannot write [^\n]+; name another file with --output\n$/);
  });

  it('previews an erasure, and approves it without the refused sources', async () => {
    const { reference } = await request('deletion', 'edith@example.com');
    await dsar('set-status', reference, 'in_progress');
    const { previews } = await dsar('approve', reference, '--dry-run');
    expect(previews.map(({ source }: { source: string }) => source)).toContain('outbox_mail');
    const shown = await pavis(['dsar', 'approve', reference, '--dry-run'], env);
    expect(shown.stdout).toMatch(/source +erased +anonymised +kept/);

    const refuse = ['approve', reference, '--refuse', 'outbox_mail'];
    const { code, stderr } = await pavis(['dsar', ...refuse], env);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^pavis: [^\n]*give a ground[^\n]*\n$/),
    ]);
    const because = ['--ground', 'legal_claims', '--reason', 'A dispute.'];
    const { tasks } = await dsar(...refuse, ...because);
    const refused = tasks.filter(({ status }: { status: string }) => status === 'skipped');
    expect(refused).toEqual([
      expect.objectContaining({
        source: 'outbox_mail',
        ground: 'legal_claims',
        reason: 'A dispute.',
      }),
    ]);
    const again = await pavis(['dsar', 'approve', reference], env);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('needs approval')]);
    expect((await dsar('set-status', reference, 'completed')).status).toBe('completed');
    const mail = async () =>
      (await mails()).find(
        ({ subject }) => subject?.includes(reference) && subject.includes('is completed'),
      );
    await expect.poll(mail).toBeDefined();
    expect((await mail())?.text).toContain('Art. 17(3)(e) GDPR');
    expect((await mail())?.html).toContain('Art. 17(3)(e) GDPR');
  });

  it('exports the queue as CSV and as JSON', async () => {
    const { reference } = await request('objection', 'grace@example.com');
    const { stdout, code } = await pavis(['dsar', 'export'], env);
    expect(code).toBe(0);
    expect(stdout.split('\r\n')[0]).toMatch(/^id,reference,request_type,status,deadline/);
    expect(stdout).toContain(reference);
    const file = join(folder, 'requests.csv');
    const written = await dsar('export', '--output', file);
    expect(written).toMatchObject({ file, records: stdout.trimEnd().split('\n').length - 1 });
    expect(readFileSync(file, 'utf8').trimEnd()).toBe(stdout.trimEnd());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { cases } = await dsar('export');
    expect(cases.map((each: { reference: string }) => each.reference)).toContain(reference);
  });

  it('exports each request once while others are closed', async () => {
    const database = new DatabaseSync(join(folder, 'pavis.db'), { timeout: 5_000 });
    database.exec(`INSERT INTO dsar_cases
        (reference, request_type, status, language, regime, received_at, received_on, deadline)
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
      SELECT 'DSR-20240101-' || n, 'access', 'received', 'en', 'gdpr', 1, '2024-01-01', '2024-02-01' FROM numbers`);
    const close = database.prepare(
      'UPDATE dsar_cases SET closed_at = 1 WHERE id = (SELECT min(id) FROM dsar_cases WHERE closed_at IS NULL)',
    );
    let isExported = false;
    const exporting = dsar('export').finally(() => {
      isExported = true;
    });
    while (!isExported) {
      close.run();
      await setTimeout(1);
    }
    database.exec(`DELETE FROM dsar_cases WHERE reference LIKE 'DSR-20240101-%'`);
    database.close();
    const references = (await exporting).cases.map((each: { reference: string }) => each.reference);
    expect(new Set(references).size).toBe(references.length);
    expect(references.length).toBeGreaterThan(3_000);
  });

  it('rejects transitions that are not allowed, in one line that says what to do', async () => {
    const { reference } = await request('rectification', 'joan@example.com');
    const refusals: [string[], number, string][] = [
      [['set-status', reference, 'completed'], 1, 'it can become in_progress'],
      [['set-status', reference, 'rejected'], 2, 'A reason is required'],
      [['set-status', reference, 'rejected', '--reason', 'x'], 2, 'ground must be one of'],
      [['set-status', reference, 'nonsense'], 2, 'Allowed choices'],
      [['show', '999999'], 1, 'there is no request 999999'],
      [['show', 'nonsense'], 1, 'there is no request nonsense'],
      [['export', reference], 1, 'was not found'],
    ];
    for (const [args, exit, says] of refusals) {
      const { code, stdout, stderr } = await pavis(['dsar', ...args], env);
      expect([args, code, stdout]).toEqual([args, exit, '']);
      expect(stderr).toMatch(/^pavis: [^\n]+\n$/);
      expect(stderr).toContain(says);
    }
  });

  it('logs no email address', () => {
    expect(server.log()).not.toContain('@example.com');
  });
});
