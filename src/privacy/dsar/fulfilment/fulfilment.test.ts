import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { makeLicence } from '../../../../test/support/makers.ts';
import { dataFolder } from '../../../../test/support/process.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';
import { transferLicence } from '../../../licensing/licences/index.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { removeLeftFiles, runDueTask } from './index.ts';

/** The behaviour of the extension below, set by the tests. */
interface Shop {
  orders: { id: number; email: string; item: string }[];
  failures: number;
  calls: number;
  beforeAnswer?: ((cursor: string | null) => Promise<void>) | undefined;
}
const shop: Shop = { orders: [], failures: 0, calls: 0 };
Object.assign(globalThis, { testShop: shop });

const EXTENSION = `
const shop = globalThis.testShop;
function sometimes() {
  shop.calls++;
  if (shop.failures > 0) { shop.failures--; throw new Error('the shop is closed to a@example.com'); }
}
export default (pavis) => pavis.addAction('svc_register_extensions', (registry) => {
  registry.addDsarSource({
    id: 'shop_orders', label: 'Orders <of the shop>', portable: true,
    async collect({ email, cursor }) {
      sometimes();
      await shop.beforeAnswer?.(cursor);
      const all = shop.orders.filter((order) => order.email === email);
      const at = Number(cursor ?? 0);
      return { records: all.slice(at, at + 2), next: at + 2 < all.length ? String(at + 2) : null };
    },
    async erase({ email }) {
      sometimes();
      const before = shop.orders.length;
      shop.orders = shop.orders.filter((order) => order.email !== email || order.id === 1);
      return { erased: before - shop.orders.length, kept: [{ count: 1, reason: 'tax law' }] };
    },
  });
  registry.addDsarSource({ id: 'paper', label: 'Paper files' });
});`;

describe.each(ENGINES)('Sources on %s', (engine) => {
  const folder = dataFolder();
  const extension = join(folder.path, 'shop.mjs');
  writeFileSync(extension, EXTENSION);
  const app = useTestApp(engine, { PAVIS_DATA_DIR: folder.path, PAVIS_EXTENSIONS: extension });
  const dsarClient = createDsarClient(app);
  afterAll(() => folder.remove());
  beforeEach(() => Object.assign(shop, { orders: [], failures: 0, calls: 0 }));

  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  const tasks = async (id: number): Promise<any[]> =>
    (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json;
  const taskOf = async (id: number, source: string) =>
    (await tasks(id)).find((task) => task.source === source);
  const settle = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/tasks/${id}`, body);

  /** The package of a case, downloaded by an administrator. */
  async function download(id: number): Promise<Map<string, Buffer>> {
    const { authorization } = (await dsarClient.headers()) as { authorization: string };
    const answer = await fetch(`${app.url}/wp-json/svc/v1/dsar/cases/${id}/package`, {
      headers: { authorization },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    return unzip(Buffer.from(await answer.arrayBuffer()));
  }

  /** A person with a licence, one active and one deactivated site, consent records and orders. */
  async function person() {
    const { key, email } = await makeLicence(app.platform);
    await app.http.site('activate', key, 'https://gone.example.org/private');
    await app.http.site('deactivate', key, 'https://gone.example.org/private');
    await app.http.site('activate', key, 'https://here.example.org');
    const visitor_id = randomUUID();
    const tokens: string[] = [];
    for (const consent_action of ['accept_all', 'reject_all']) {
      const body = { visitor_id, consent_action, visitor_token: true };
      const { json } = await app.http.post('/wp-json/svc/v1/consent', { body });
      tokens.push(json.visitor_token);
    }
    const [visitor_token] = tokens;
    shop.orders = [1, 2, 3, 4, 5].map((id) => ({ id, email, item: `Item ${id} <b>` }));
    shop.orders.push({ id: 6, email: 'other@example.com', item: 'Theirs' });
    return { email, visitor_id, visitor_token };
  }

  it('are queried only once the address is confirmed or an administrator starts the request', async () => {
    await dsarClient.mails();
    const { id } = await dsarClient.request();
    await dsarClient.work();
    expect(await tasks(id)).toEqual([]);
    expect(shop.calls).toBe(0);
    await dsarClient.verify(tokenIn((await dsarClient.mails())[0] ?? { text: '' }));
    expect((await tasks(id)).map(({ status }) => status)).toContain('pending');
    await dsarClient.work();
    expect(shop.calls).toBe(1);
    expect((await taskOf(id, 'shop_orders')).status).toBe('done');
  });

  it('are collected page by page into a complete package that only its owner can read', async () => {
    const { email, visitor_token } = await person();
    const { id, reference } = await dsarClient.request({
      email,
      visitor_token,
      first_name: '=1+1',
    });
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    expect((await taskOf(id, 'package')).status).toBe('waiting');
    await settle((await taskOf(id, 'paper')).id, {
      status: 'skipped',
      reason: 'The cellar is empty',
    });
    await dsarClient.work();
    expect((await tasks(id)).map(({ source, status }) => [source, status])).toContainEqual([
      'package',
      'done',
    ]);

    for (const query of ['_fields=a', '_envelope']) {
      const { status } = await dsarClient.admin('GET', `/dsar/cases/${id}/package?${query}`);
      expect([query, status]).toEqual([query, 200]);
    }
    const files = await download(id);
    const read = (path: string) => files.get(path)?.toString() ?? '';
    const { files: listed } = JSON.parse(read('manifest.json'));
    expect([...files.keys()].toSorted()).toEqual(
      [...listed.map(({ path }: { path: string }) => path), 'manifest.json'].toSorted(),
    );
    for (const { path, sha256, bytes } of listed) {
      expect(createHash('sha256').update(read(path)).digest('hex')).toBe(sha256);
      expect(files.get(path)?.length).toBe(bytes);
    }
    const data = JSON.parse(read('data.json'));
    const counts = Object.fromEntries(
      data.sources.map(({ id: source, records }: { id: string; records: unknown[] }) => [
        source,
        records.length,
      ]),
    );
    expect(counts).toMatchObject({
      consent_records: 2,
      dsar_cases: 1,
      activation_history: 2,
      customers: 1,
      shop_orders: 5,
      paper: 0,
    });
    expect(Object.keys(data.processing[0])).toEqual([
      'purpose',
      'legal_basis',
      'data_categories',
      'data_subjects',
      'recipients',
      'third_countries',
      'safeguards',
      'retention_period',
      'data_source',
      'automated_decisions',
    ]);
    expect(read('sources/shop_orders.csv').trim().split('\r\n')).toHaveLength(6);
    expect(read('sources/dsar_cases.csv')).toContain("'=1+1");
    expect(read('index.html')).toContain('Orders &#60;of the shop&#62;');
    expect(read('index.html')).toContain('Item 5 &#60;b&#62;');
    expect(read('index.html')).toContain('The cellar is empty');
    expect(read('index.html')).toContain('Processing activities');
    // The page has terms for slugs and no empty columns.
    expect(read('index.html')).toContain('<dd>Legal obligation</dd>');
    expect(read('index.html')).toContain('<dt>Request</dt><dd>Access</dd>');
    expect(read('sources/dsar_cases.csv')).toContain('Deadline extended');
    expect(read('index.html')).not.toContain('Deadline extended');
    expect(files.has('sources/paper.json')).toBe(true);
    expect(files.has('sources/paper.csv')).toBe(false);
    expect(read('sources/passkeys.csv')).toMatch(/^\uFEFFName,[^\r]*\r\n$/);
    expect(read('sources/activation_history.csv').split('\r\n')[0]).toContain('Website,Activated');
    // No field; the requests to reset a password are a source of their own.
    expect(read('data.json')).not.toMatch(/Theirs|_hash|"password\w*":/);
    const names = readdirSync(join(folder.path, 'packages'));
    const name = names.find((each) => each.startsWith(reference)) ?? '';
    expect(statSync(join(folder.path, 'packages', name)).mode & 0o777).toBe(0o600);
    const left = await app.platform.datastore.db.selectFrom('dsar_pages').selectAll().execute();
    expect(left.filter(({ case_id }) => case_id === id)).toEqual([]);
  });

  it('produce plain JSON with licences, logs and notes, without the names of staff', async () => {
    const { email } = await person();
    const { id, reference } = await dsarClient.request({ email });
    await put(id, { status: 'in_progress' });
    await dsarClient.admin('POST', `/dsar/cases/${id}/events`, { note: 'Wants it by post.' });
    await dsarClient.work();
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    await dsarClient.work();
    const files = await download(id);
    const { sources } = JSON.parse(files.get('data.json')?.toString() ?? '');
    const recordsOf = (source: string) =>
      sources.find((each: { id: string }) => each.id === source).records;
    expect(recordsOf('licences')).toEqual([
      expect.objectContaining({ tier: 'pro', development_sites_free: false, revoked_at: null }),
    ]);
    expect(recordsOf('audit_log')).toContainEqual(
      expect.objectContaining({
        action: 'activated',
        actor: 'licence_key',
        details: { site_url: 'https://here.example.org' },
      }),
    );
    expect(recordsOf('dsar_events')).toContainEqual({
      reference,
      at: expect.stringMatching(/Z$/),
      action: 'note',
      actor: 'staff',
      details: { note: 'Wants it by post.' },
    });
    expect(JSON.stringify(sources)).not.toMatch(/administrator-\d|"[[{]/);
    expect(files.get('sources/dsar_events.csv')?.toString()).toContain(
      'Note,Staff,Note: Wants it by post.',
    );
  });

  it('return to each customer of a transferred licence only the sites of their own time', async () => {
    const former = await makeLicence(app.platform);
    const { email } = await makeLicence(app.platform);
    const site = async (url: string) => {
      await app.http.site('activate', former.key, url);
      await app.http.site('deactivate', former.key, url);
      app.clock.advance(1_000);
    };
    await site('https://former.example.org');
    await transferLicence(app.platform, former.id, email, 'test');
    app.clock.advance(1_000);
    await site('https://later.example.org');
    const packageOf = async (subject: string) => {
      const { id } = await dsarClient.request({ email: subject });
      await put(id, { status: 'in_progress' });
      await dsarClient.work();
      await settle((await taskOf(id, 'paper')).id, { status: 'done' });
      await dsarClient.work();
      return (await download(id)).get('data.json')?.toString() ?? '';
    };
    const [before, after] = [await packageOf(former.email), await packageOf(email)];
    expect(before).toContain('former.example.org');
    expect(before).not.toContain('later.example.org');
    expect(after).toContain('later.example.org');
    expect(after).not.toContain('former.example.org');
  });

  it('produce a fully German package, including the default data map', async () => {
    const { id } = await dsarClient.request({ language: 'de' });
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    await dsarClient.work();
    const page = (await download(id)).get('index.html')?.toString() ?? '';
    expect(page).toContain('<html lang="de">');
    for (const entry of await dsarClient.dsar().site.processing()) {
      const { purpose, dataSubjects, recipients, retentionPeriod, dataSource } = entry;
      for (const text of [purpose, dataSubjects, retentionPeriod, dataSource, ...recipients]) {
        expect(text && page.includes(`>${text}<`), text ?? '').toBeFalsy();
      }
      expect(entry.automatedDecisions).not.toBeNull();
    }
    expect(page).toContain('Nachweis von Einwilligungen');
    expect(page).not.toMatch(/<dd>None|Not stated|<h\d[^>]*>(?:The|Your|What) /);
    const { rights, language } = JSON.parse(
      (await download(id)).get('data.json')?.toString() ?? '',
    );
    expect([language, rights[0]]).toEqual(['de', expect.stringContaining('berichtigen')]);
  });

  const packages = join(folder.path, 'packages');
  const filesOf = (reference: string) =>
    readdirSync(packages).filter((name) => name.startsWith(reference));
  /** Ages the files of packages and deletes unused ones. */
  async function sweepFiles(): Promise<void> {
    const twoHoursAgo = new Date(Date.now() - 2 * HOUR_MS);
    for (const name of readdirSync(packages))
      utimesSync(join(packages, name), twoHoursAgo, twoHoursAgo);
    await removeLeftFiles(dsarClient.dsar());
  }
  /** Runs the policy of packages, first as a dry run. */
  async function runPolicy(): Promise<number> {
    const { json } = await dsarClient.admin(
      'GET',
      '/retention/policies?data_category=dsar_packages',
    );
    const run = async (dry_run: boolean) =>
      (await dsarClient.admin('POST', '/retention/run', { dry_run, policy_id: json[0].id })).json;
    const dry = await run(true);
    const real = await run(false);
    expect(real.total_affected).toBe(dry.total_affected);
    return real.total_affected;
  }

  it('are downloaded with a link that works once, and the package is deleted a week later', async () => {
    const { id, email, reference } = await dsarClient.request();
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    await dsarClient.work();
    await dsarClient.mails();
    expect((await put(id, { status: 'completed' })).status).toBe(200);
    const [mail] = await dsarClient.mails();
    expect([mail?.to, mail?.kind]).toEqual([email, 'dsar_completed']);
    const token = tokenIn(mail ?? { text: '' });
    const get = (given: string) =>
      app.http.post('/wp-json/svc/v1/dsar/package', { body: { token: given } });
    const first = await get(token);
    expect([first.status, first.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${reference}.zip"`,
    ]);
    expect((await get(token)).status).toBe(404);
    expect((await get('nonsense')).status).toBe(404);
    app.clock.advance(8 * DAY_MS);
    expect(await runPolicy()).toBe(0);
    await sweepFiles();
    expect(filesOf(reference)).toHaveLength(1);
    app.clock.advance(1);
    expect(await runPolicy()).toBe(1);
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}/package`)).status).toBe(404);
    await sweepFiles();
    expect(filesOf(reference)).toHaveLength(0);
  });

  /** A request with a package. */
  async function packed() {
    const made = await dsarClient.request({ request_type: 'portability' });
    await put(made.id, { status: 'in_progress' });
    await dsarClient.work();
    expect(filesOf(made.reference)).toHaveLength(1);
    return made;
  }

  it('keep the package while the request is open, however often it was closed', async () => {
    const { id, reference } = await packed();
    app.clock.advance(30 * DAY_MS);
    expect(await runPolicy()).toBe(0);
    await put(id, { status: 'withdrawn' });
    app.clock.advance(30 * DAY_MS);
    await put(id, { status: 'in_progress', reason: 'There is more.' });
    expect(await runPolicy()).toBe(0);
    expect((await download(id)).size).toBeGreaterThan(0);
    await dsarClient.work();
    await sweepFiles();
    expect(filesOf(reference)).toHaveLength(1);
    await put(id, { status: 'completed' });
    app.clock.advance(8 * DAY_MS + 1);
    expect(await runPolicy()).toBe(1);
  });

  it('keep the package, the log and the request together under a legal hold', async () => {
    const { id, reference } = await packed();
    await put(id, { status: 'completed' });
    app.clock.advance(9 * DAY_MS);
    const run = async (data_category: string) => {
      const fields = { name: 'Held', period_value: 1, period_unit: 'days', action: 'anonymise' };
      const policy = { ...fields, data_category };
      const { json } = await dsarClient.admin('POST', '/retention/policies', policy);
      const body = { dry_run: false, policy_id: json.id };
      const { results } = (await dsarClient.admin('POST', '/retention/run', body)).json;
      await dsarClient.admin('DELETE', `/retention/policies/${json.id}`);
      return results[0];
    };
    const state = async () => ({
      request: (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json,
      events: (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json,
      files: filesOf(reference),
    });
    const before = await state();
    const { events } = before;
    for (const hold of [
      { data_category: 'dsar_cases', record_id: id },
      { data_category: 'dsar_events', record_id: events[0].id },
      { data_category: 'dsar_packages' },
    ]) {
      const body = { ...hold, reason: 'A lawsuit.' };
      const { json } = await dsarClient.admin('POST', '/retention/holds', body);
      expect((await run('dsar_cases')).records_held).toBeGreaterThanOrEqual(1);
      if (hold.data_category === 'dsar_cases') {
        expect((await run('dsar_events')).records_held).toBe(events.length);
        expect(await runPolicy()).toBe(0);
      }
      await sweepFiles();
      expect(await state()).toEqual(before);
      await dsarClient.admin('DELETE', `/retention/holds/${json.id}`);
    }
    expect((await run('dsar_cases')).records_affected).toBeGreaterThanOrEqual(1);
    expect((await state()).request.email).toBeNull();
    expect(await runPolicy()).toBe(1);
  });

  it.each(['done', 'failed'])(
    'that are new when a request is resumed are in a package with the others (package %s)',
    async (state) => {
      const { email } = await person();
      const { id } = await dsarClient.request({ email, request_type: 'portability' });
      await put(id, { status: 'in_progress' });
      const { db } = app.platform.datastore;
      const tasksOfCase = db.deleteFrom('dsar_tasks').where('case_id', '=', id);
      await tasksOfCase.where('source', '=', 'shop_orders').execute();
      await dsarClient.work();
      const before = await download(id);
      expect(before.get('sources/shop_orders.json')).toBeUndefined();
      const package_ = db
        .updateTable('dsar_tasks')
        .where('id', '=', (await taskOf(id, 'package')).id);
      if (state === 'failed') await package_.set({ status: 'failed' }).execute();
      await put(id, { status: 'on_hold', ground: 'other', reason: 'A question.' });
      await put(id, { status: 'in_progress' });
      expect((await taskOf(id, 'package')).status).toBe('waiting');
      await dsarClient.work();
      const after = await download(id);
      const records = (files: Map<string, Buffer>, source: string) =>
        JSON.parse(files.get(`sources/${source}.json`)?.toString() ?? '[]');
      expect(records(after, 'shop_orders')).toHaveLength(5);
      expect(records(after, 'customers')).toHaveLength(1);
      expect(records(after, 'customers')).toEqual(records(before, 'customers'));
      expect((await taskOf(id, 'customers')).records).toBe(1);
    },
  );

  it('leave the package of a request that is resumed without new ones', async () => {
    const { id } = await packed();
    const before = await taskOf(id, 'package');
    await put(id, { status: 'on_hold', ground: 'other', reason: 'A question.' });
    await put(id, { status: 'in_progress' });
    expect(await taskOf(id, 'package')).toEqual(before);
  });

  it('keep a package under a legal hold: its request cannot be reopened until the hold is released', async () => {
    const { id } = await packed();
    await put(id, { status: 'completed' });
    const before = await download(id);
    const reopen = () => put(id, { status: 'in_progress', reason: 'There is more.' });
    for (const held of [
      { data_category: 'dsar_packages' },
      { data_category: 'dsar_cases', record_id: id },
    ]) {
      const body = { ...held, reason: 'A lawsuit.' };
      const hold = (await dsarClient.admin('POST', '/retention/holds', body)).json;
      const { status, json } = await reopen();
      expect([status, json.code, json.message]).toEqual([
        409,
        'invalid_transition',
        'The package is under a legal hold. Release the hold first.',
      ]);
      await dsarClient.work();
      expect(await download(id)).toEqual(before);
      await dsarClient.admin('DELETE', `/retention/holds/${hold.id}`);
    }
    expect((await reopen()).status).toBe(200);
  });

  it('keep a package under a legal hold that was placed after its request was reopened', async () => {
    const { id } = await packed();
    await put(id, { status: 'completed' });
    const before = await download(id);
    await put(id, { status: 'in_progress', reason: 'There is more.' });
    for (const [at, held] of [
      { data_category: 'dsar_packages' },
      { data_category: 'dsar_cases', record_id: id },
    ].entries()) {
      const body = { ...held, reason: 'A lawsuit.' };
      const hold = (await dsarClient.admin('POST', '/retention/holds', body)).json;
      await dsarClient.work();
      expect(await taskOf(id, 'package')).toMatchObject({
        status: 'pending',
        attempts: at + 1,
        last_error: 'The package is under a legal hold. Release the hold first.',
      });
      await sweepFiles();
      expect(await download(id)).toEqual(before);
      await dsarClient.admin('DELETE', `/retention/holds/${hold.id}`);
      app.clock.advance(5 * MINUTE_MS);
    }
    await dsarClient.work();
    expect((await taskOf(id, 'package')).status).toBe('done');
    expect(await download(id)).not.toEqual(before);
  });

  it('delete the package of a request that was closed while it was created', async () => {
    const { id } = await dsarClient.request();
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    const dsar = dsarClient.dsar();
    const processing = async () => {
      await put(id, { status: 'withdrawn' });
      return [];
    };
    const site = { ...dsar.site, processing };
    while (await runDueTask({ ...dsar, site })) {}
    expect((await download(id)).size).toBeGreaterThan(0);
    app.clock.advance(8 * DAY_MS + 1);
    expect(await runPolicy()).toBe(1);
  });

  it('delete the package with a request that is deleted, or anonymised by a policy or an erasure', async () => {
    const [deleted, erased, aged] = [await packed(), await packed(), await packed()];
    await put(erased.id, { status: 'completed' });
    const erasure = await dsarClient.request({ email: erased.email, request_type: 'deletion' });
    await put(erasure.id, { status: 'in_progress' });
    await dsarClient.approve(erasure.id);
    await dsarClient.work();
    await dsarClient.admin('DELETE', `/dsar/cases/${deleted.id}`);
    expect(filesOf(deleted.reference)).toEqual([]);
    expect((await dsarClient.admin('GET', `/dsar/cases/${erased.id}/package`)).status).toBe(404);
    await sweepFiles();
    expect(filesOf(erased.reference)).toEqual([]);
    const policy = {
      name: 'Requests',
      data_category: 'dsar_cases',
      period_value: 1,
      period_unit: 'days',
    };
    await put(aged.id, { status: 'completed' });
    app.clock.advance(DAY_MS + 1);
    for (const action of ['anonymise', 'delete']) {
      const { json } = await dsarClient.admin('POST', '/retention/policies', { ...policy, action });
      const body = { dry_run: false, policy_id: json.id };
      const run = await dsarClient.admin('POST', '/retention/run', body);
      expect(run.json.results[0]).toMatchObject({ error: null });
      expect(run.json.total_affected).toBeGreaterThan(0);
      await dsarClient.admin('DELETE', `/retention/policies/${json.id}`);
      expect((await dsarClient.admin('GET', `/dsar/cases/${aged.id}/package`)).status).toBe(404);
      await sweepFiles();
      expect(filesOf(aged.reference)).toEqual([]);
    }
  });

  it('keep files that are being written, that packages use, and that have other names', async () => {
    const { id, reference } = await packed();
    const [file = ''] = filesOf(reference);
    const stray = file.replace(/[0-9a-f]{16}/, '0'.repeat(16));
    const names = [stray, `${stray}.part`, 'notes.txt'];
    for (const name of names) writeFileSync(join(packages, name), 'x');
    await removeLeftFiles(dsarClient.dsar());
    expect(readdirSync(packages)).toEqual(expect.arrayContaining([file, ...names]));
    await sweepFiles();
    const left = readdirSync(packages);
    expect(left).toEqual(expect.arrayContaining([file, 'notes.txt']));
    expect(left).not.toContain(stray);
    expect(left).not.toContain(`${stray}.part`);
    expect((await download(id)).size).toBeGreaterThan(0);
  });

  it('are collected again when a request is reopened', async () => {
    const { email } = await person();
    const { id } = await dsarClient.request({ email });
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    expect((await put(id, { status: 'completed' })).status).toBe(200);
    shop.orders.push({ id: 7, email, item: 'Late' });
    await put(id, { status: 'in_progress', reason: 'There is more.' });
    expect(await taskOf(id, 'package')).toMatchObject({ status: 'waiting', finished_at: null });
    expect((await put(id, { status: 'completed' })).status).toBe(200);
    const data = (await download(id)).get('sources/shop_orders.json')?.toString() ?? '';
    expect(JSON.parse(data)).toHaveLength(6);
    const left = await app.platform.datastore.db.selectFrom('dsar_pages').selectAll().execute();
    expect(left.filter(({ case_id }) => case_id === id)).toEqual([]);
  });

  it('return only data that the person provided for portability', async () => {
    const { email, visitor_token } = await person();
    const { id } = await dsarClient.request({ email, visitor_token, request_type: 'portability' });
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    const data = JSON.parse((await download(id)).get('data.json')?.toString() ?? '');
    const sources = data.sources.map(({ id: source }: { id: string }) => source).toSorted();
    expect(sources).toEqual([
      'activation_history',
      'checkout_orders',
      'consent_records',
      'consent_subjects',
      'customers',
      'dsar_cases',
      'shop_orders',
    ]);
    expect(data.processing).toBeUndefined();
    const consents = data.sources.find(
      ({ id: source }: { id: string }) => source === 'consent_records',
    );
    expect(consents.records).toHaveLength(2);
    expect(consents.records[0]).not.toHaveProperty('config_version');
    const orders = (await download(id)).get('sources/checkout_orders.csv')?.toString() ?? '';
    expect(orders).toMatch(/^\uFEFF\w[^\r]*\r\n$/);
  });

  it('complete a deletion after one source failed twice, with a report that matches the database', async () => {
    const { email, visitor_id, visitor_token } = await person();
    await dsarClient.mails();
    const { id } = await dsarClient.request({ email, visitor_token, request_type: 'deletion' });
    await put(id, { status: 'in_progress' });
    await dsarClient.approve(id);
    shop.failures = 2;
    await dsarClient.work();
    const failing = await taskOf(id, 'shop_orders');
    expect(failing).toMatchObject({ status: 'pending', attempts: 1 });
    expect(failing.last_error).toContain('the shop is closed');
    expect(failing.last_error).not.toContain('a@example.com');
    expect((await taskOf(id, 'consent_records')).status).toBe('done');
    const early = await put(id, { status: 'completed' });
    expect([early.status, early.json.code]).toEqual([409, 'sources_unresolved']);
    for (const wait of [60_000, 5 * 60_000]) {
      app.clock.advance(wait);
      await dsarClient.work();
    }
    expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'done', attempts: 3 });
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    // The licence is active, so an administrator decides on the customer.
    const decision = (await tasks(id)).find(
      ({ source, kind }) => source === 'customers' && kind === 'manual',
    );
    expect(decision).toMatchObject({ status: 'waiting', kept: [{ count: 1, ground: 'contract' }] });
    expect((await put(id, { status: 'completed' })).json.code).toBe('sources_unresolved');
    await settle(decision.id, { status: 'done' });
    await dsarClient.mails();
    const { status, json } = await put(id, { status: 'completed' });
    expect([status, json.status]).toEqual([200, 'completed']);

    const report = Object.fromEntries(
      (await tasks(id)).map(({ source, erased, anonymised, kept }) => [
        source,
        [
          erased,
          anonymised,
          kept.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
        ],
      ]),
    );
    expect(report).toMatchObject({
      consent_records: [0, 2, 0],
      activation_history: [0, 1, 1],
      customers: [0, 0, 1],
      dsar_cases: [0, 0, 1],
      shop_orders: [4, 0, 1],
      paper: [0, 0, 0],
    });
    const { db } = app.platform.datastore;
    const visitor = (await db.selectFrom('consent_records').select('visitor_id').execute()).filter(
      (row) => row.visitor_id === visitor_id,
    );
    expect(visitor).toEqual([]);
    const sites = await db
      .selectFrom('activations')
      .innerJoin('licences', 'licences.id', 'activations.licence_id')
      .innerJoin('customers', 'customers.id', 'licences.customer_id')
      .select('site_url')
      .where('email', '=', email)
      .orderBy('activations.id')
      .execute();
    expect(sites.map(({ site_url }) => site_url)).toEqual([
      'https://anonymised.invalid',
      'https://here.example.org',
    ]);
    expect(shop.orders.map(({ id: order }) => order)).toEqual([1, 6]);
    const [mail] = await dsarClient.mails();
    expect(mail?.text).toContain('Orders <of the shop>: 4 deleted, 1 kept (tax law)');
    // One line says what was kept and what was decided.
    expect(mail?.text).toContain(
      'Your customer account: 1 kept (needed while a licence has neither expired nor been revoked, or a subscription renews it, Art. 6(1)(b) GDPR). Processed manually',
    );
    expect(mail?.text.split('Your customer account')).toHaveLength(2);
  });

  it('are all in the package, which cannot be started before them', async () => {
    const { id } = await dsarClient.request();
    await put(id, { status: 'in_progress' });
    const waiting = await settle((await taskOf(id, 'package')).id, { status: 'pending' });
    expect([waiting.status, waiting.json.code]).toEqual([409, 'invalid_transition']);
    expect((await taskOf(id, 'package')).status).toBe('waiting');
    await dsarClient.work();
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    await dsarClient.work();
    expect((await taskOf(id, 'package')).status).toBe('done');
  });

  it('need an administrator after five failed retries, and can be retried or skipped', async () => {
    const { id } = await dsarClient.request();
    await put(id, { status: 'in_progress' });
    shop.failures = 100;
    for (let round = 0; round < 12; round++) {
      await dsarClient.work();
      app.clock.advance(6 * HOUR_MS);
    }
    expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'failed', attempts: 6 });
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).json.status).toBe('in_progress');
    const refused = await settle((await taskOf(id, 'shop_orders')).id, { status: 'done' });
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_transition']);
    const silent = await settle((await taskOf(id, 'shop_orders')).id, { status: 'skipped' });
    expect([silent.status, silent.json.code]).toEqual([400, 'rest_invalid_param']);
    const blank = { status: 'skipped', reason: ' \n ' };
    expect((await settle((await taskOf(id, 'shop_orders')).id, blank)).status).toBe(400);
    shop.failures = 0;
    await settle((await taskOf(id, 'shop_orders')).id, { status: 'pending' });
    await dsarClient.work();
    expect((await taskOf(id, 'shop_orders')).status).toBe('done');
    const left = await put(id, { status: 'completed', reason: 'There is no paper.' });
    expect(left.status).toBe(200);
    expect(await taskOf(id, 'paper')).toMatchObject({
      status: 'skipped',
      reason: 'There is no paper.',
    });
  });

  it('continue after a node stopped, without reading a page twice', async () => {
    const { email } = await person();
    const { id } = await dsarClient.request({ email });
    await put(id, { status: 'in_progress' });
    // The second page fails, as if the node had stopped.
    const { orders } = shop;
    let pages = 0;
    Object.defineProperty(shop, 'orders', {
      configurable: true,
      get() {
        if (++pages === 2) throw new Error('gone');
        return orders;
      },
    });
    await dsarClient.work();
    Object.defineProperty(shop, 'orders', { configurable: true, writable: true, value: orders });
    expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'pending', records: 2 });
    app.clock.advance(60_000);
    await dsarClient.work();
    expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'done', records: 5 });
  });

  /** Holds back the second page of orders until it is let go. */
  function holdBackSecondPage() {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    shop.beforeAnswer = async (cursor) => {
      if (cursor !== '2') return;
      shop.beforeAnswer = undefined;
      asked.resolve();
      await go.promise;
    };
    return { asked: asked.promise, go: go.resolve };
  }
  const pagesOf = async (id: number) =>
    (await app.platform.datastore.db.selectFrom('dsar_pages').selectAll().execute()).filter(
      ({ case_id }) => case_id === id,
    );

  it('drop the page of a node whose lease has expired', async () => {
    const { email } = await person();
    const { id } = await dsarClient.request({ email });
    await put(id, { status: 'in_progress' });
    const { asked, go } = holdBackSecondPage();
    const slow = dsarClient.work();
    await asked;
    app.clock.advance(5 * MINUTE_MS);
    await dsarClient.work();
    go();
    await slow;
    expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'done', records: 5 });
    await settle((await taskOf(id, 'paper')).id, { status: 'done' });
    await dsarClient.work();
    const data = (await download(id)).get('sources/shop_orders.json')?.toString() ?? '';
    expect(JSON.parse(data)).toHaveLength(5);
  });

  it('keep what a source collected by email address while the visitor id was accepted', async () => {
    const { email, visitor_id } = await person();
    const { id } = await dsarClient.request({ email, visitor_id });
    await put(id, { status: 'in_progress' });
    const { asked, go } = holdBackSecondPage();
    const slow = dsarClient.work();
    await asked;
    const check = await taskOf(id, 'visitor_id');
    expect((await settle(check.id, { status: 'done' })).status).toBe(200);
    go();
    await slow;
    expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'done', records: 5 });
    expect(await taskOf(id, 'consent_records')).toMatchObject({ status: 'done', records: 2 });
  });

  it('are not collected from any more once the request is closed', async () => {
    const { email } = await person();
    const { id } = await dsarClient.request({ email });
    await put(id, { status: 'in_progress' });
    const { asked, go } = holdBackSecondPage();
    const slow = dsarClient.work();
    await asked;
    await put(id, { status: 'withdrawn' });
    const { calls } = shop;
    go();
    await slow;
    expect(await pagesOf(id)).toEqual([]);
    expect(shop.calls).toBe(calls);
  });

  it.each(['queued', 'tried in vain', 'left by a crashed node'])(
    'are collected from on time if the task was %s before the clock was set back',
    async (state) => {
      const { email } = await person();
      const { id } = await dsarClient.request({ email });
      await put(id, { status: 'in_progress' });
      if (state === 'tried in vain') {
        shop.failures = 1;
        await dsarClient.work();
        expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'pending', attempts: 1 });
      } else if (state === 'left by a crashed node') {
        const { asked, go } = holdBackSecondPage();
        const crashed = dsarClient.work();
        onTestFinished(() => {
          go();
          return crashed;
        });
        await asked;
      }
      app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
      await dsarClient.work();
      expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: 'done', records: 5 });
    },
  );

  it('are queried once each with several nodes', async () => {
    const { email } = await person();
    const { id } = await dsarClient.request({ email });
    await put(id, { status: 'in_progress' });
    await Promise.all(Array.from({ length: 6 }, () => dsarClient.work()));
    const done = (await tasks(id)).filter(({ kind }) => kind === 'collect');
    expect(done.map(({ status, attempts }) => [status, attempts])).toEqual(
      done.map(() => ['done', 1]),
    );
    expect(await taskOf(id, 'shop_orders')).toMatchObject({ records: 5 });
    expect(shop.calls).toBe(3);
  });

  it('name no compelling grounds for an opt-out under the CCPA', async () => {
    const labels: string[] = [];
    for (const regime of ['ccpa', 'gdpr']) {
      await dsarClient.admin('PUT', '/settings', { dsar: { regime } });
      const { id } = await dsarClient.request({ request_type: 'objection' });
      await put(id, { status: 'in_progress' });
      labels.push((await tasks(id))[0].label);
    }
    expect(labels).toEqual([
      'Stop the sale and sharing',
      'Stop the processing, or state compelling grounds to continue',
    ]);
  });

  it('are not queried for rectification and objection, which are manual tasks', async () => {
    const { components } = (await app.http.get('/wp-json/svc/v1/openapi.json')).json;
    const [example] = components.schemas.DsarTaskUpdate.examples;
    for (const request_type of ['rectification', 'objection']) {
      const { id } = await dsarClient.request({ request_type });
      await put(id, { status: 'in_progress' });
      await dsarClient.work();
      const [task, ...more] = await tasks(id);
      expect([task.kind, task.status, more]).toEqual(['manual', 'waiting', []]);
      expect((await put(id, { status: 'completed' })).json.code).toBe('sources_unresolved');
      const silent = await settle(task.id, { status: 'done', result: '  ' });
      expect([silent.status, silent.json.code]).toEqual([400, 'rest_invalid_param']);
      expect((await settle(task.id, { status: 'done' })).status).toBe(400);
      const done = await settle(task.id, example);
      expect(done.json).toMatchObject(example);
      expect((await put(id, { status: 'completed' })).json.status).toBe('completed');
    }
    expect(shop.calls).toBe(0);
  });
});
