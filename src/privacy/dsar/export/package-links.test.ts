import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { dataFolder } from '../../../../test/support/process.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';

const GROUND = { ground: 'unfounded', reason: 'You are not the person named.' };

describe.each(ENGINES)('Download links of packages on %s', (engine) => {
  const folder = dataFolder();
  const app = useTestApp(engine, { PAVIS_DATA_DIR: folder.path });
  const dsarClient = createDsarClient(app);
  afterAll(() => folder.remove());

  const put = async (id: number, body: object) => {
    const answer = await dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
    expect([answer.text, answer.status]).toEqual([answer.text, 200]);
  };
  const download = (token: string) =>
    app.http.post('/wp-json/svc/v1/dsar/package', { body: { token } });
  const page = (token: string, language = 'en') =>
    app.http.get(`/privacy/download?lang=${language}&token=${token}`);
  const countDownloads = async (id: number) => {
    const { json } = await dsarClient.admin('GET', `/dsar/cases/${id}/events`);
    return json.filter(({ action }: { action: string }) => action === 'package_downloaded').length;
  };

  /** A completed request and the token of the link in its completion mail. */
  async function completed() {
    const made = await dsarClient.request();
    await put(made.id, { status: 'in_progress' });
    await dsarClient.work();
    await dsarClient.mails();
    await put(made.id, { status: 'completed' });
    return { ...made, token: tokenIn((await dsarClient.mails()).at(-1) ?? { text: '' }) };
  }

  it.each([
    ['reopened', [{ status: 'in_progress', reason: 'A mistake.' }]],
    [
      'reopened and refused',
      [
        { status: 'in_progress', reason: 'A mistake.' },
        { status: 'rejected', ...GROUND },
      ],
    ],
    [
      'reopened and withdrawn',
      [{ status: 'in_progress', reason: 'A mistake.' }, { status: 'withdrawn' }],
    ],
  ])('are revoked when a request is %s', async (_what, moves) => {
    const { id, token } = await completed();
    expect((await page(token)).status).toBe(200);
    for (const move of moves) await put(id, move);
    const refused = await download(token);
    expect([refused.status, refused.json.code]).toEqual([404, 'not_found']);
    expect(refused.json.message).toContain('withdrawn');
    const shown = await page(token);
    expect([shown.status, shown.text.includes('We withdrew this link')]).toEqual([404, true]);
    expect(await countDownloads(id)).toBe(0);
  });

  it('stay revoked when the request is completed again, and the new link works', async () => {
    const { id, token } = await completed();
    await put(id, { status: 'in_progress', reason: 'There is more.' });
    await dsarClient.work();
    await dsarClient.mails();
    await put(id, { status: 'completed' });
    const renewed = tokenIn((await dsarClient.mails()).at(-1) ?? { text: '' });
    expect((await download(token)).status).toBe(404);
    expect((await download(renewed)).status).toBe(200);
  });

  it('stop working when the request is deleted', async () => {
    const { id, token } = await completed();
    await dsarClient.admin('DELETE', `/dsar/cases/${id}`);
    expect((await download(token)).status).toBe(404);
    expect((await page(token)).status).toBe(404);
  });

  it('are neither used nor logged as a download if the file is missing', async () => {
    const { id, reference, token } = await completed();
    const packages = join(folder.path, 'packages');
    const [file = ''] = readdirSync(packages).filter((name) => name.startsWith(reference));
    rmSync(join(packages, file));
    expect((await download(token)).status).toBe(404);
    const shown = await page(token);
    expect([shown.status, shown.text.includes('Your file has been deleted')]).toEqual([404, true]);
    expect(await countDownloads(id)).toBe(0);
    const stored = await app.platform.datastore.db
      .selectFrom('dsar_tokens')
      .select('used_at')
      .where('case_id', '=', id)
      .where('purpose', '=', 'download')
      .execute();
    expect(stored).toEqual([{ used_at: null }]);
  });

  it('return the reason if they are used, expired, deleted by a policy or unknown', async () => {
    const { id, token } = await completed();
    const says = async (given: string) => [
      (await page(given)).text.match(
        /already been used|seven days|Your file has been deleted|incomplete/,
      )?.[0],
      (await page(given, 'de')).text.match(
        /bereits verwendet|sieben Tage|Ihre Datei wurde gelöscht|unvollständig/,
      )?.[0],
    ];
    expect(
      (await Promise.all([download(token), download(token)])).map((each) => each.status),
    ).toEqual(expect.arrayContaining([200, 404]));
    expect(await countDownloads(id)).toBe(1);
    expect(await says(token)).toEqual(['already been used', 'bereits verwendet']);
    expect(await says('nonsense')).toEqual(['incomplete', 'unvollständig']);

    const old = await completed();
    const gone = await completed();
    await app.platform.datastore.db
      .deleteFrom('dsar_packages')
      .where('case_id', '=', gone.id)
      .execute();
    expect(await says(gone.token)).toEqual([
      'Your file has been deleted',
      'Ihre Datei wurde gelöscht',
    ]);
    app.clock.advance(7 * DAY_MS + 1);
    expect(await says(old.token)).toEqual(['seven days', 'sieben Tage']);
    expect((await download(old.token)).json.message).toContain('seven days');
  });

  it('are not sent for a package that was skipped in a reopened request', async () => {
    const { id } = await completed();
    await put(id, { status: 'in_progress', reason: 'There is more.' });
    const { json: tasks } = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
    const { id: packageTask } = tasks.find(({ kind }: { kind: string }) => kind === 'package');
    const skip = { status: 'skipped', reason: 'Sent on paper.' };
    await dsarClient.admin('PUT', `/dsar/tasks/${packageTask}`, skip);
    await dsarClient.mails();
    await put(id, { status: 'completed' });
    const mail = (await dsarClient.mails()).at(-1);
    expect([mail?.kind, tokenIn(mail ?? { text: '' })]).toEqual(['dsar_completed', '']);
  });
});
