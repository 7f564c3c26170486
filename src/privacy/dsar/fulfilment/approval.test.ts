import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { makeLicence } from '../../../../test/support/makers.ts';
import { dataFolder } from '../../../../test/support/process.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { revokeLicence } from '../../../licensing/licences/index.ts';
import { HOUR_MS } from '../../../platform/durations.ts';

const shop = { orders: 0, calls: 0, isBroken: false };
Object.assign(globalThis, { approvalShop: shop });
const EXTENSION = `
const shop = globalThis.approvalShop;
const kept = [{ count: 1, reason: 'tax law', ground: 'legal_obligation' }];
export default (pavis) => pavis.addAction('svc_register_extensions', (registry) => {
  registry.addDsarSource({
    id: 'shop_orders', label: 'Orders',
    async preview() { return { erased: shop.orders, kept }; },
    async erase() { if (shop.isBroken) throw new Error('away'); shop.calls++; const erased = shop.orders; shop.orders = 0; return { erased, kept }; },
  });
  registry.addDsarSource({ id: 'letters', label: 'Letters', async erase() { shop.calls++; } });
  registry.addDsarSource({ id: 'paper', label: 'Paper files' });
});`;

describe.each(ENGINES)('The erasure of a request on %s', (engine) => {
  const folder = dataFolder();
  const extension = join(folder.path, 'shop.mjs');
  writeFileSync(extension, EXTENSION);
  const app = useTestApp(engine, { PAVIS_DATA_DIR: folder.path, PAVIS_EXTENSIONS: extension });
  const dsarClient = createDsarClient(app);
  afterAll(() => folder.remove());
  beforeEach(() => Object.assign(shop, { orders: 3, calls: 0, isBroken: false }));

  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  type Answer = any;
  const path = (id: number, rest = '') => `/dsar/cases/${id}${rest}`;
  const put = (id: number, body: object) => dsarClient.admin('PUT', path(id), body);
  const tasks = async (id: number): Promise<Answer[]> =>
    (await dsarClient.admin('GET', path(id, '/tasks'))).json;
  const taskOf = async (id: number, source: string) =>
    (await tasks(id)).find((task) => task.source === source);
  const preview = async (id: number): Promise<Answer[]> =>
    (await dsarClient.admin('GET', path(id, '/erasure'))).json;
  const approve = (id: number, body?: object) =>
    dsarClient.admin('POST', path(id, '/approve'), body);
  const events = async (id: number, action: string) =>
    (await dsarClient.admin('GET', path(id, '/events'))).json.filter(
      (event: { action: string }) => event.action === action,
    );
  const outcomeOf = ({ erased, anonymised, kept }: Answer) => ({ erased, anonymised, kept });

  const sitesOf = async (email: string) => {
    const rows = await app.platform.datastore.db
      .selectFrom('activations')
      .innerJoin('licences', 'licences.id', 'activations.licence_id')
      .innerJoin('customers', 'customers.id', 'licences.customer_id')
      .select('site_url')
      .where('email', '=', email)
      .orderBy('activations.id')
      .execute();
    return rows.map(({ site_url }) => site_url);
  };

  /** A customer with a confirmed deletion request. */
  async function confirmed() {
    const { key, email, id: licence } = await makeLicence(app.platform);
    await app.http.site('activate', key, 'https://gone.example.org');
    await app.http.site('deactivate', key, 'https://gone.example.org');
    await app.http.site('activate', key, 'https://here.example.org');
    await dsarClient.mails();
    const { id, reference } = await dsarClient.request({ email, request_type: 'deletion' });
    const mail = (await dsarClient.mails()).find(({ to }) => to === email);
    await dsarClient.verify(tokenIn(mail ?? { text: '' }));
    return { id, reference, email, licence };
  }

  it('needs approval after the address is confirmed, and has a preview', async () => {
    const { id, email } = await confirmed();
    await dsarClient.work();
    const waiting = (await tasks(id)).filter(({ kind }) => kind === 'erase');
    expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['waiting']));
    expect(shop.calls).toBe(0);
    const before = await sitesOf(email);
    expect(before).toEqual(['https://gone.example.org', 'https://here.example.org']);

    const shown = await preview(id);
    const of = (source: string) => shown.find((each) => each.source === source);
    expect(shown.map(({ source }) => source)).toEqual(waiting.map(({ source }) => source));
    expect(of('activation_history')).toMatchObject({
      label: expect.any(String),
      outcome: { erased: 0, anonymised: 1, kept: [{ count: 1, reason: expect.any(String) }] },
      error: null,
    });
    expect(of('shop_orders').outcome).toEqual({
      erased: 3,
      anonymised: 0,
      kept: [{ count: 1, reason: 'tax law', ground: 'legal_obligation' }],
    });
    expect(of('letters')).toMatchObject({ outcome: null, error: null });
    // A preview writes nothing.
    expect(await sitesOf(email)).toEqual(before);
    expect([shop.orders, shop.calls]).toEqual([3, 0]);
    expect((await tasks(id)).filter(({ status }) => status === 'done')).toEqual([]);

    const answer = await approve(id);
    expect(answer.status).toBe(200);
    await dsarClient.work();
    for (const { source, outcome } of shown.filter((each) => each.outcome)) {
      expect([source, outcomeOf(await taskOf(id, source))]).toEqual([source, outcome]);
    }
    expect(await sitesOf(email)).toEqual([
      'https://anonymised.invalid',
      'https://here.example.org',
    ]);
    expect(shop.orders).toBe(0);
    expect(await preview(id)).toEqual([]);
    expect(await events(id, 'erasure_decided')).toEqual([
      expect.objectContaining({
        actor: expect.stringMatching(/^administrator-/),
        details: { approved: waiting.map(({ source }) => source), refused: [] },
      }),
    ]);
  });

  it('can be refused in single sources, with a ground and a reason', async () => {
    const { id, email } = await confirmed();
    const refuse = { source: 'activation_history', decision: 'refuse' };
    for (const wrong of [
      [refuse],
      [{ ...refuse, ground: 'legal_claims' }],
      [{ ...refuse, ground: 'legal_claims', reason: ' \n ' }],
      [{ ...refuse, ground: 'unfounded', reason: 'No.' }],
      [{ source: 'nonsense', decision: 'approve' }],
      [{ source: 'paper', decision: 'approve' }],
      [
        { source: 'letters', decision: 'approve' },
        { source: 'letters', decision: 'approve' },
      ],
      [],
    ]) {
      const { status, json } = await approve(id, { decisions: wrong });
      expect([wrong, status, json.code]).toEqual([wrong, 400, 'rest_invalid_param']);
    }
    expect(await events(id, 'erasure_decided')).toEqual([]);
    const decisions = [
      { ...refuse, ground: 'legal_claims', reason: ' A dispute about the licence. ' },
      { ...refuse, source: 'customers', ground: 'legal_claims', reason: 'The same dispute.' },
      { source: 'shop_orders', decision: 'approve' },
    ];
    expect((await approve(id, { decisions })).status).toBe(200);
    await dsarClient.work();
    expect(await taskOf(id, 'activation_history')).toMatchObject({
      status: 'skipped',
      ground: 'legal_claims',
      reason: 'A dispute about the licence.',
    });
    expect((await taskOf(id, 'shop_orders')).status).toBe('done');
    // A source without a decision still needs approval.
    expect((await taskOf(id, 'letters')).status).toBe('waiting');
    expect(await sitesOf(email)).toHaveLength(2);
    expect((await approve(id)).status).toBe(200);
    await dsarClient.work();
    expect(await sitesOf(email)).toEqual(['https://gone.example.org', 'https://here.example.org']);
    expect((await taskOf(id, 'letters')).status).toBe('done');
  });

  it('needs the same decision on a source and on those whose records are found by it', async () => {
    const { id, email, licence } = await confirmed();
    await revokeLicence(app.platform, licence, 'test');
    const refuse = {
      decision: 'refuse',
      ground: 'legal_claims',
      reason: 'A dispute about the licence.',
    };
    const approved = { source: 'customers', decision: 'approve' };
    for (const decisions of [
      [approved],
      [approved, { source: 'activation_history', ...refuse }],
      (await preview(id)).map(({ source }) =>
        source === 'activation_history' ? { source, ...refuse } : { source, decision: 'approve' },
      ),
    ]) {
      const { status, json } = await approve(id, { decisions });
      expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
      expect(json.message + JSON.stringify(json.data)).toContain('activation_history');
    }
    const first = [{ source: 'activation_history', ...refuse }];
    expect((await approve(id, { decisions: first })).status).toBe(200);
    expect((await approve(id)).status).toBe(400);
    const rest = (await preview(id)).map(({ source }) =>
      source === 'customers' ? { source, ...refuse } : { source, decision: 'approve' },
    );
    expect((await approve(id, { decisions: rest })).status).toBe(200);
    await dsarClient.work();
    expect(await sitesOf(email)).toEqual(['https://gone.example.org', 'https://here.example.org']);
  });

  it('is approved once by two concurrent administrators', async () => {
    const { id } = await confirmed();
    const answers = await Promise.all([approve(id), approve(id), approve(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('invalid_transition');
    expect(await events(id, 'erasure_decided')).toHaveLength(1);
    await dsarClient.work();
    expect(shop.calls).toBe(2);
  });

  it('does not start by retrying its task, and cannot be approved while the request is on hold', async () => {
    const { id } = await confirmed();
    const { id: task } = await taskOf(id, 'shop_orders');
    const tried = await dsarClient.admin('PUT', `/dsar/tasks/${task}`, { status: 'pending' });
    expect([tried.status, tried.json.code]).toEqual([409, 'invalid_transition']);
    expect(tried.json.message).toContain('approve');
    await put(id, { status: 'on_hold' });
    expect((await approve(id)).status).toBe(409);
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    expect(shop.calls).toBe(0);
    const early = await put(id, { status: 'completed' });
    expect([early.status, early.json.code]).toEqual([409, 'sources_unresolved']);
    const other = await dsarClient.request({ request_type: 'access' });
    await put(other.id, { status: 'in_progress' });
    expect((await approve(other.id)).status).toBe(409);
    expect((await approve(999_999)).status).toBe(404);
    expect((await app.http.post(`/wp-json/svc/v1${path(id, '/approve')}`)).status).toBe(401);
  });

  it('needs approval again if it was skipped and the request is reopened', async () => {
    const { id, email } = await confirmed();
    await put(id, { status: 'completed', reason: 'Nothing is to be erased.' });
    expect(await taskOf(id, 'activation_history')).toMatchObject({ status: 'skipped' });
    await put(id, { status: 'in_progress', reason: 'The authority disagrees.' });
    await dsarClient.work();
    expect(await taskOf(id, 'activation_history')).toMatchObject({
      status: 'waiting',
      reason: null,
      finished_at: null,
    });
    expect(shop.calls).toBe(0);
    await approve(id);
    await dsarClient.work();
    expect(await sitesOf(email)).toContain('https://anonymised.invalid');
  });

  it.each([
    ['rejected', { ground: 'legal_claims', reason: 'A dispute.' }, 1],
    ['withdrawn', {}, 1],
    ['withdrawn', {}, 6],
  ])(
    'needs approval again if it was not done when the request was %s',
    async (status, more, attempts) => {
      const { id } = await confirmed();
      shop.isBroken = true;
      await approve(id);
      for (let attempt = 0; attempt < attempts; attempt++) {
        await dsarClient.work();
        app.clock.advance(13 * HOUR_MS);
      }
      const left = attempts === 6 ? 'failed' : 'pending';
      expect(await taskOf(id, 'shop_orders')).toMatchObject({ status: left, attempts });
      expect((await put(id, { status, ...more })).status).toBe(200);
      shop.isBroken = false;
      await put(id, { status: 'in_progress', reason: 'A mistake.' });
      await dsarClient.work();
      expect(await taskOf(id, 'shop_orders')).toMatchObject({
        status: 'waiting',
        attempts: 0,
        last_error: null,
      });
      expect([shop.orders, (await taskOf(id, 'letters')).status]).toEqual([3, 'done']);
      expect((await preview(id)).map(({ source }) => source)).toEqual(['shop_orders']);
      await approve(id);
      await dsarClient.work();
      expect([shop.orders, (await taskOf(id, 'shop_orders')).status]).toEqual([0, 'done']);
    },
  );

  it('needs approval again in the records of Pavis that were not erased yet', async () => {
    const { id, email } = await confirmed();
    await approve(id);
    await put(id, { status: 'withdrawn' });
    await put(id, { status: 'in_progress', reason: 'A mistake.' });
    await dsarClient.work();
    expect(await taskOf(id, 'activation_history')).toMatchObject({ status: 'waiting' });
    expect(await sitesOf(email)).toEqual(['https://gone.example.org', 'https://here.example.org']);
    await approve(id);
    await dsarClient.work();
    expect(await sitesOf(email)).toContain('https://anonymised.invalid');
  });

  it('starts without approval if the setting is on', async () => {
    await dsarClient.admin('PUT', '/settings', { dsar: { auto_erase: true } });
    const { id, email } = await confirmed();
    await dsarClient.work();
    expect((await taskOf(id, 'activation_history')).status).toBe('done');
    expect(await sitesOf(email)).toContain('https://anonymised.invalid');
    expect(shop.calls).toBe(2);
    const { json } = await dsarClient.admin('PUT', '/settings', { dsar: { auto_erase: false } });
    expect(json.dsar).toMatchObject({ enabled: true, auto_erase: false });
  });
});
