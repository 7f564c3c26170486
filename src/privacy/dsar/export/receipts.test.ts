import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { logAll } from '../../../../test/support/consent-log.ts';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { dataFolder, pavis, pavisJson } from '../../../../test/support/process.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';
import { verifyReceipt } from '../../consent-log/index.ts';

describe.each(ENGINES)('Receipts in an access package on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const folder = dataFolder();
  afterAll(() => folder.remove());
  const visitor_id = randomUUID();
  /** Issued with the first choice. */
  let visitor_token: string;

  async function choose(consent_action: string): Promise<number> {
    const body = { visitor_id, consent_action, visitor_token: true, language: 'en' };
    const { json } = await app.http.post('/wp-json/svc/v1/consent', { body });
    visitor_token ??= json.visitor_token;
    return json.id;
  }

  async function createPackage(
    request_type: string,
    more: object = {},
  ): Promise<Map<string, Buffer>> {
    const { id } = await dsarClient.request({ request_type, visitor_token, ...more });
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    await dsarClient.work();
    const { json: tasks } = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
    const check = tasks.find(({ source }: { source: string }) => source === 'visitor_id');
    if (check) await dsarClient.admin('PUT', `/dsar/tasks/${check.id}`, { status: 'done' });
    await dsarClient.work();
    const { authorization } = (await dsarClient.headers()) as { authorization: string };
    const answer = await fetch(`${app.url}/wp-json/svc/v1/dsar/cases/${id}/package`, {
      headers: { authorization },
    });
    return unzip(Buffer.from(await answer.arrayBuffer()));
  }

  const listReceipts = (files: Map<string, Buffer>) =>
    [...files.keys()].filter((path) => path.startsWith('receipts/')).sort();

  it('are left out while no choice is logged, and do not delay the package', async () => {
    await choose('reject_all');
    const files = await createPackage('access');
    expect(listReceipts(files)).toEqual([]);
    expect(JSON.parse(String(files.get('manifest.json'))).receipts).toEqual({
      issued: 0,
      not_logged: 1,
      altered: 0,
      unproven: 0,
      verifier: null,
    });
    expect(String(files.get('index.html'))).toContain('One choice has no receipt because');
  });

  it('are verified by the command, and by the page that is with them', async () => {
    const altered = await choose('reject_all');
    const anonymised = await choose('reject_all');
    const id = await choose('accept_all');
    await logAll(app);
    const { db } = app.platform.datastore;
    const update = (record: number, set: object) =>
      db.updateTable('consent_records').set(set).where('id', '=', record).execute();
    await update(altered, { consent_action: 'accept_all' });
    await update(anonymised, { anonymised_at: app.clock.now() });
    await choose('accept_all');
    const files = await createPackage('access');

    const names = [1, id].map((record) => `receipts/consent-receipt-${record}`);
    const proofs = names.map((name) => `${name}.tlog-proof`);
    const pages = names.map((name) => `${name}.html`);
    const verifier = 'receipts/receipt-verifier.html';
    expect(listReceipts(files)).toEqual([...pages, ...proofs, verifier].sort());
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest.receipts).toEqual({
      issued: 2,
      not_logged: 1,
      altered: 1,
      unproven: 0,
      verifier,
    });
    expect(manifest.files.map(({ path }: { path: string }) => path)).toContain(proofs[0]);
    expect(String(files.get(verifier))).toContain('<title>Check a consent receipt</title>');
    expect(String(files.get('index.html'))).toContain('contains 2 receipts, each with a proof');
    for (const paths of [proofs, pages]) {
      const facts = paths.map((path) => verifyReceipt(String(files.get(path)), []).facts);
      expect(facts).toMatchObject([
        { id: 1, consent_action: 'reject_all' },
        { id, consent_action: 'accept_all' },
      ]);
    }
    const file = join(folder.path, 'receipt.tlog-proof');
    writeFileSync(file, files.get(proofs[1] ?? '') ?? '');
    const { code, stdout } = await pavis(['receipt', 'verify', file], {});
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^The receipt is intact\\.\nRecord ${id}, recorded`)),
    ]);
    // What a page says beside its proof is anybody's.
    const page = join(folder.path, 'receipt.html');
    const readable = String(files.get(pages[1] ?? ''));
    writeFileSync(page, readable.replace(/<h2>/g, '<h2>Changed: '));
    const ofPage = await pavis(['receipt', 'verify', page], {});
    const said = `The proof in this page is intact. The text of the page was not checked. The proof says:\nRecord ${id}, recorded`;
    expect([ofPage.code, ofPage.stdout]).toEqual([0, expect.stringContaining(said)]);
    expect(ofPage.stdout).not.toContain('The receipt is intact');
    expect(await pavisJson(['receipt', 'verify', page], {})).toMatchObject({
      valid: true,
      embedded: true,
    });
    expect(await pavisJson(['receipt', 'verify', file], {})).toMatchObject({ embedded: false });
  });

  it('are of the proven visitor id and of another that was accepted', async () => {
    const other = randomUUID();
    const { json } = await app.http.post('/wp-json/svc/v1/consent', {
      body: { visitor_id: other, consent_action: 'reject_all' },
    });
    await logAll(app);
    const alone = listReceipts(await createPackage('access'));
    const both = listReceipts(await createPackage('access', { visitor_id: other }));
    const name = `receipts/consent-receipt-${json.id}`;
    expect(both).toEqual([...alone, `${name}.html`, `${name}.tlog-proof`].sort());
  });

  it('are not in a package of the data that the person provided', async () => {
    await choose('accept_all');
    await logAll(app);
    const files = await createPackage('portability');
    expect(listReceipts(files)).toEqual([]);
    expect(files.has('sources/consent_records.json')).toBe(true);
  });
});
