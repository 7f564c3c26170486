import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDsarClient, tokenIn } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { makeLicence } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';
import { hashErased, readErasures } from '../erasures/erasure-list.ts';
import { runDueTask } from '../fulfilment/index.ts';

const ROOT = '/wp-json/svc/v1';
/** As the banner creates them. */
const bannerId = () =>
  Array.from({ length: 4 }, () => 1_000_000_000 + Math.floor(Math.random() * 3e9)).join('-');

describe.each(ENGINES)('A visitor id in a request on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);

  /** Records a consent and returns its token. */
  async function consent(visitor_id: string): Promise<string | undefined> {
    const body = { visitor_id, consent_action: 'reject_all', visitor_token: true };
    const { status, json } = await app.http.post(`${ROOT}/consent`, { body });
    expect(status).toBe(200);
    return json.visitor_token;
  }
  const caseOf = async (id: number) => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
  const tasksOf = async (id: number) =>
    (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json;
  const taskOf = async (id: number, kind: string, source: string) =>
    (await tasksOf(id)).find(
      (task: { kind: string; source: string }) => task.kind === kind && task.source === source,
    );
  const finish = (taskId: number, body: object) =>
    dsarClient.admin('PUT', `/dsar/tasks/${taskId}`, body);
  /** A confirmed request after all automatic tasks. */
  async function confirmed(more: object) {
    await dsarClient.mails();
    const { id } = await dsarClient.request(more);
    await dsarClient.verify(tokenIn((await dsarClient.mails()).at(-1) ?? expect.fail('no email')));
    await dsarClient.work();
    return id;
  }

  /** Sends the form of `/privacy/` as a browser with this choice in its cookie does. */
  async function sendForm(visitor_id: string, headers: Record<string, string>, more = {}) {
    const email = `${randomUUID()}@example.com`;
    const cookie = `a=b; pavis_consent=${encodeURIComponent(JSON.stringify({ visitor_id }))}`;
    const { status } = await app.http.post('/privacy/request', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
      body: new URLSearchParams({ request_type: 'access', email, ...more }).toString(),
    });
    expect(status).toBe(303);
    const found = await dsarClient.admin('GET', `/dsar/cases?search=${encodeURIComponent(email)}`);
    const { visitor_id: shown, visitor_claim: claim } = found.json[0];
    return { shown, claim };
  }

  it.each(['v-1', randomUUID()])(
    'is not used if only stated, until an administrator has checked it (%s)',
    async (named) => {
      const visitor_id = `${named}${named === 'v-1' ? engine : ''}`;
      await consent(visitor_id);
      const id = await confirmed({ visitor_id });
      expect(await caseOf(id)).toMatchObject({ visitor_id: null, visitor_claim: visitor_id });
      expect(await taskOf(id, 'collect', 'consent_records')).toMatchObject({
        status: 'done',
        records: 0,
      });
      const check = await taskOf(id, 'manual', 'visitor_id');
      expect(check.status).toBe('waiting');
      expect((await dsarClient.admin('GET', `/dsar/cases/${id}/package`)).status).toBe(404);
      expect((await finish(check.id, { status: 'done' })).status).toBe(200);
      expect(await caseOf(id)).toMatchObject({ visitor_id, visitor_claim: null });
      await dsarClient.work();
      expect(await taskOf(id, 'collect', 'consent_records')).toMatchObject({
        status: 'done',
        records: 1,
      });
      expect((await dsarClient.admin('GET', `/dsar/cases/${id}/package`)).status).toBe(200);
    },
  );

  it('is not used if it fails the check', async () => {
    const visitor_id = `guessed-${engine}`;
    await consent(visitor_id);
    const id = await confirmed({ visitor_id });
    const check = await taskOf(id, 'manual', 'visitor_id');
    await finish(check.id, { status: 'skipped', reason: 'It is somebody else’s.' });
    await dsarClient.work();
    expect(await caseOf(id)).toMatchObject({ visitor_id: null, visitor_claim: visitor_id });
    expect((await taskOf(id, 'collect', 'consent_records')).records).toBe(0);
    expect((await taskOf(id, 'package', 'package')).status).toBe('done');
  });

  it('is named to the requester only if it fails the check', async () => {
    const results = [];
    for (const decision of [{ status: 'done' }, { status: 'skipped', reason: 'Not yours.' }]) {
      const id = await confirmed({ visitor_id: `named-${engine}`, language: 'de' });
      await finish((await taskOf(id, 'manual', 'visitor_id')).id, decision);
      await dsarClient.work();
      const { authorization } = (await dsarClient.headers()) as { authorization: string };
      const headers = { authorization };
      const answer = await fetch(`${app.url}${ROOT}/dsar/cases/${id}/package`, { headers });
      const files = unzip(Buffer.from(await answer.arrayBuffer()));
      await dsarClient.mails();
      await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'completed' });
      const mail = (await dsarClient.mails()).find(({ kind }) => kind === 'dsar_completed');
      results.push({ page: files.get('index.html')?.toString(), text: mail?.text });
    }
    const [accepted, refused] = results;
    for (const text of [accepted?.page, accepted?.text])
      expect(text).not.toMatch(/visitor ID|Besucherkennung, die/);
    expect(refused?.page).toContain('Die Besucherkennung, die Sie angegeben haben</h2>');
    expect(refused?.page).toContain(`<dt>Angegebene Besucherkennung</dt><dd>named-${engine}</dd>`);
    expect(refused?.text).toContain(
      'Die Besucherkennung, die Sie angegeben haben: Ausgelassen. Not yours.',
    );
  });

  it('is not erased if only stated, and needs the check and approval', async () => {
    const visitor_id = `erased-${engine}`;
    await consent(visitor_id);
    const records = async () =>
      (await dsarClient.admin('GET', `/consent/records?search=${visitor_id}`)).json.length;
    const id = await confirmed({ visitor_id, request_type: 'deletion' });
    await dsarClient.approve(id);
    await dsarClient.work();
    expect(await records()).toBe(1);
    const check = await taskOf(id, 'manual', 'visitor_id');
    await finish(check.id, { status: 'done' });
    await dsarClient.work();
    expect((await taskOf(id, 'erase', 'consent_records')).status).toBe('waiting');
    expect(await records()).toBe(1);
    await dsarClient.approve(id);
    await dsarClient.work();
    expect((await taskOf(id, 'erase', 'consent_records')).anonymised).toBe(1);
    expect(await records()).toBe(0);
  });

  it('finds the webhook events about its choices as well', async () => {
    const event_types = ['consent.recorded', 'licence.issued'];
    const endpoint = { url: 'https://hooks.example.com/pavis', event_types };
    const { json: webhook } = await dsarClient.admin('POST', '/webhooks', endpoint);
    const visitor_id = randomUUID();
    const visitor_token = await consent(visitor_id);
    const events = () =>
      app.platform.datastore.db
        .selectFrom('webhook_events')
        .select('id')
        .where('visitor_id', '=', visitor_id)
        .execute();
    expect(await events()).toHaveLength(1);
    const proven = await confirmed({ visitor_token });
    expect((await taskOf(proven, 'collect', 'webhook_events')).records).toBe(1);

    const email = `${randomUUID()}@example.com`;
    await makeLicence(app.platform, { email });
    const stated = await confirmed({ visitor_id, email });
    expect((await taskOf(stated, 'collect', 'webhook_events')).records).toBe(1);
    await finish((await taskOf(stated, 'manual', 'visitor_id')).id, { status: 'done' });
    await dsarClient.work();
    expect((await taskOf(stated, 'collect', 'webhook_events')).records).toBe(2);

    const body = { visitor_id, email, request_type: 'deletion' };
    const id = await confirmed(body);
    await dsarClient.approve(id);
    await dsarClient.work();
    expect(await taskOf(id, 'erase', 'webhook_events')).toMatchObject({ erased: 1 });
    expect(await events()).toHaveLength(1);
    await finish((await taskOf(id, 'manual', 'visitor_id')).id, { status: 'done' });
    await dsarClient.approve(id);
    await dsarClient.work();
    expect(await taskOf(id, 'erase', 'webhook_events')).toMatchObject({ erased: 2 });
    expect(await events()).toEqual([]);
    await dsarClient.admin('DELETE', `/webhooks/${webhook.id}`);
  });

  it.each([true, false])(
    'is erased as well as another one that is proven (after it: %s)',
    async (isAcceptedAfter) => {
      const visitor_id = `second-${isAcceptedAfter}-${engine}`;
      await consent(visitor_id);
      const proven = randomUUID();
      const visitor_token = await consent(proven);
      const id = await confirmed({ visitor_token, visitor_id, request_type: 'deletion' });
      const eraseApproved = async () => {
        await dsarClient.approve(id);
        await dsarClient.work();
      };
      if (isAcceptedAfter) await eraseApproved();
      const check = await taskOf(id, 'manual', 'visitor_id');
      expect((await finish(check.id, { status: 'done' })).status).toBe(200);
      await eraseApproved();
      expect((await taskOf(id, 'erase', 'consent_records')).anonymised).toBe(2);
      const opened = dsarClient.dsar();
      const listed = (await readErasures(opened)).map((each) => each.visitor_id);
      for (const each of [proven, visitor_id])
        expect(listed).toContain(hashErased(opened, 'visitor_id', each));
      for (const search of [proven, visitor_id]) {
        const { json } = await dsarClient.admin('GET', `/consent/records?search=${search}`);
        expect(json).toEqual([]);
      }
    },
  );

  it('is collected as well as another one that is proven, also for a reopened request', async () => {
    const visitor_id = `both-${engine}`;
    await consent(visitor_id);
    const proven = randomUUID();
    const visitor_token = await consent(proven);
    const id = await confirmed({ visitor_token, visitor_id });
    expect((await taskOf(id, 'collect', 'consent_records')).records).toBe(1);
    await finish((await taskOf(id, 'manual', 'visitor_id')).id, { status: 'done' });
    await dsarClient.work();
    expect((await taskOf(id, 'collect', 'consent_records')).records).toBe(2);
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'completed' });
    const again = { status: 'in_progress', reason: 'There is more.' };
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, again);
    await dsarClient.work();
    expect((await taskOf(id, 'collect', 'consent_records')).records).toBe(2);
    expect((await taskOf(id, 'package', 'package')).status).toBe('done');
    expect(await caseOf(id)).toMatchObject({ visitor_id: proven, visitor_claim: visitor_id });
  });

  it('needs approval if it is accepted while its source is being erased', async () => {
    const visitor_id = `raced-${engine}`;
    await consent(visitor_id);
    const id = await confirmed({ visitor_id, request_type: 'deletion' });
    const check = await taskOf(id, 'manual', 'visitor_id');
    await dsarClient.approve(id);
    const opened = dsarClient.dsar();
    const { datastore } = opened.platform;
    let transactions = 0;
    /** They lease the erasure, list it, drop it, look whether it was committed, and unlist it. */
    const transaction: typeof datastore.transaction = async (work) => {
      if (++transactions === 3) await finish(check.id, { status: 'done' });
      return datastore.transaction(work);
    };
    const platform = { ...opened.platform, datastore: { ...datastore, transaction } };
    expect(await runDueTask({ ...opened, platform }, id)).toBe(true);
    expect(transactions).toBe(5);
    expect((await taskOf(id, 'erase', 'consent_records')).status).toBe('waiting');
    await dsarClient.work();
    await dsarClient.approve(id);
    await dsarClient.work();
    expect(await taskOf(id, 'erase', 'consent_records')).toMatchObject({
      status: 'done',
      anonymised: 1,
    });
  });

  it('needs a check only for requests that search records', async () => {
    const id = await confirmed({ visitor_id: 'v-2', request_type: 'objection' });
    expect((await tasksOf(id)).map(({ source }: { source: string }) => source)).toEqual(['review']);
  });

  it('is proven by the token from its first consent', async () => {
    const visitor_id = randomUUID();
    const visitor_token = await consent(visitor_id);
    await consent(visitor_id);
    const id = await confirmed({ visitor_token });
    expect(await caseOf(id)).toMatchObject({ visitor_id, visitor_claim: null });
    expect((await taskOf(id, 'collect', 'consent_records')).records).toBe(2);
    expect(await taskOf(id, 'manual', 'visitor_id')).toBeUndefined();
  });

  it('is not proven by the token of a later consent from someone else', async () => {
    const visitor_id = randomUUID();
    const first = await consent(visitor_id);
    // As earlier versions issued them.
    const later = [visitor_id, Number.MAX_SAFE_INTEGER, app.clock.now() + 1_000];
    const stolen = app.platform.secret.seal('visitor-token', JSON.stringify(later));
    for (const visitor_token of [stolen, `${first}A`, 'nonsense']) {
      const body = { request_type: 'access', email: 'a@example.com', visitor_token };
      const { status, json } = await dsarClient.intake(body);
      expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    }
  });

  it('is not proven by a later client, also once the first consent is erased', async () => {
    const visitor_id = randomUUID();
    const visitor_token = await consent(visitor_id);
    expect(await consent(visitor_id)).toBeUndefined();
    const erasing = await confirmed({ visitor_token, request_type: 'deletion' });
    await dsarClient.approve(erasing);
    await dsarClient.work();
    expect((await taskOf(erasing, 'erase', 'consent_records')).anonymised).toBe(2);
    const body = { visitor_id, consent_action: 'accept_all', visitor_token };
    const { json } = await app.http.post(`${ROOT}/consent`, { body });
    expect(await consent(visitor_id)).toBeUndefined();
    expect(await caseOf(await confirmed({ visitor_token: json.visitor_token }))).toMatchObject({
      visitor_id,
      visitor_claim: null,
    });
  });

  it('is proven by the token of the cookie if the choice could not name it yet', async () => {
    const visitor_id = randomUUID();
    const visitor_token = await consent(visitor_id);
    const cookie = `a=b; pavis_consent=${encodeURIComponent(JSON.stringify({ visitor_id, visitor_token }))}`;
    const body = { visitor_id, consent_action: 'reject_all', visitor_token: true };
    const { json } = await app.http.post(`${ROOT}/consent`, { body, headers: { cookie } });
    const id = await confirmed({ visitor_token: json.visitor_token });
    expect(await caseOf(id)).toMatchObject({ visitor_id, visitor_claim: null });
    const others = { ...body, visitor_id: randomUUID() };
    await consent(others.visitor_id);
    const answer = await app.http.post(`${ROOT}/consent`, { body: others, headers: { cookie } });
    expect(answer.json.visitor_token).toBeUndefined();
  });

  it('gets its token again if the first choice is repeated', async () => {
    const visitor_id = randomUUID();
    const body = { visitor_id, consent_action: 'reject_all', visitor_token: true };
    const headers = { 'idempotency-key': randomUUID() };
    const send = async () => (await app.http.post(`${ROOT}/consent`, { body, headers })).json;
    const first = await send();
    const again = await send();
    expect(again).toMatchObject({ id: first.id, visitor_token: expect.any(String) });
  });

  it('is not proven by an expired token', async () => {
    const visitor_token = await consent(randomUUID());
    app.clock.advance(366 * 86_400_000);
    const body = { request_type: 'access', email: 'late@example.com', visitor_token };
    expect((await dsarClient.intake(body)).status).toBe(400);
  });

  it('is proven by the token of a later consent that was given with the expired one', async () => {
    const visitor_id = randomUUID();
    const expired = await consent(visitor_id);
    app.clock.advance(366 * 86_400_000);
    const body = { visitor_id, consent_action: 'reject_all', visitor_token: expired };
    const { visitor_token } = (await app.http.post(`${ROOT}/consent`, { body })).json;
    const id = await confirmed({ visitor_token });
    expect(await caseOf(id)).toMatchObject({ visitor_id, visitor_claim: null });
  });

  it('gets no token if it is guessable or none was requested', async () => {
    expect(await consent('v-1')).toBeUndefined();
    expect(await consent(bannerId())).toEqual(expect.any(String));
    const body = { visitor_id: randomUUID(), consent_action: 'reject_all' };
    const { json } = await app.http.post(`${ROOT}/consent`, { body });
    expect(Object.keys(json)).toEqual(['id', 'message']);
  });

  it('is read from the cookie by the form on the same origin', async () => {
    const own = bannerId();
    const none = { shown: null, claim: null };
    expect(await sendForm(own, { 'sec-fetch-site': 'same-origin' })).toEqual({
      shown: own,
      claim: null,
    });
    expect((await sendForm(own, { origin: app.url })).shown).toBe(own);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: app.url },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      {},
    ]) {
      expect(await sendForm(own, headers as Record<string, string>)).toEqual(none);
    }
    // A cookie with a guessable id can be forged.
    const guessed = await sendForm('v-1', { 'sec-fetch-site': 'same-origin' });
    expect(guessed).toEqual({ shown: null, claim: 'v-1' });
    const typed = await sendForm(own, {}, { visitor_id: own });
    expect(typed).toEqual(none);
  });

  it('is announced by the form as it is stored', async () => {
    const included = 'includes the cookie choices you made in this browser';
    const checked = 'include the cookie choices made in this browser after we have checked';
    for (const [visitor_id, says] of [
      [bannerId(), [true, false]],
      ['42', [false, true]],
      ['', [false, false]],
    ] as const) {
      const cookie = `pavis_consent=${encodeURIComponent(JSON.stringify({ visitor_id }))}`;
      const { text } = await app.http.get('/privacy/', { headers: { cookie } });
      expect([text.includes(included), text.includes(checked)]).toEqual(says);
    }
  });

  it('is read from the token in the URL of the form', async () => {
    const visitor_id = randomUUID();
    const token = (await consent(visitor_id)) ?? '';
    const form = await app.http.get(`/privacy/?visitor=${token}`);
    expect(form.text).toContain(`name="visitor" value="${token}"`);
    expect(form.text).toContain('includes the cookie choices you made in this browser');
    for (const path of ['/privacy/', '/privacy/?visitor=nonsense'])
      expect((await app.http.get(path)).text).not.toContain('in this browser');
    expect(await sendForm('', {}, { visitor: token })).toEqual({ shown: visitor_id, claim: null });
    expect(await sendForm('', {}, { visitor: 'nonsense' })).toEqual({ shown: null, claim: null });
  });
});
