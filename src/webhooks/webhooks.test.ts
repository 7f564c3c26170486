import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDsarClient } from '../../test/support/dsar.ts';
import { ENGINES } from '../../test/support/engines.ts';
import { basicAuth, makeLicence } from '../../test/support/makers.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { type ReceivedWebhook, WebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { licenceJob } from '../licensing/checkout/index.ts';
import { editLicence, revokeLicence } from '../licensing/licences/index.ts';
import { PERSONAL_DATA } from '../modules/personal-data.ts';
import { erasePerson } from '../personal-data/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
import { ATTEMPT_MS } from './deliveries/attempt.ts';
import { ATTEMPTS_MAX } from './deliveries/rules.ts';
import { EVENT_TYPES, type EventType, queueEvents, WebhookSender } from './index.ts';

const ROOT = '/wp-json/svc/v1';
const SITE = 'https://shop.example.org';

describe.each(ENGINES)('Webhooks on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_PRIVATE_WEBHOOKS: 'on' });
  const receiver = new WebhookReceiver();
  let sender: WebhookSender;
  let guarded: WebhookSender;

  beforeAll(async () => {
    await receiver.start();
    sender = new WebhookSender(app.platform, true);
    guarded = new WebhookSender(app.platform, false);
  });
  afterAll(() => receiver.stop());
  beforeEach(async () => {
    for (const { id } of (await ask('GET', '/webhooks')).json)
      await ask('DELETE', `/webhooks/${id}`);
    receiver.received.length = 0;
    receiver.mood = 200;
    receiver.headers = {};
    receiver.text = '';
    receiver.held = Promise.resolve();
  });

  async function ask(method: string, path: string, body?: unknown) {
    const headers = await basicAuth(app.platform);
    return app.http.request(method, ROOT + path, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }
  const add = async (...event_types: EventType[]) =>
    (await ask('POST', '/webhooks', { url: receiver.url, event_types })).json;
  const deliveries = async (query = '') => (await ask('GET', `/webhook-deliveries${query}`)).json;
  const types = () => receiver.received.map(({ event }) => event.type);
  /** Whether the library of Standard Webhooks signs a request the same. */
  const isSignedWith = (secret: string, { id, headers, body }: ReceivedWebhook) => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const signature = new Webhook(secret).sign(id, at, body);
    return String(headers['webhook-signature']).split(' ').includes(signature);
  };
  const securityLog = async () =>
    (await ask('GET', '/security-log?event=webhook_changed&per_page=100')).json.map(
      ({ details }: { details: { action: string } }) => details.action,
    );

  it('creates, lists, gets, changes and deletes endpoints by the conventions', async () => {
    const { status, headers, json } = await ask('POST', '/webhooks', {
      url: receiver.url,
      event_types: ['licence.issued', 'licence.issued'],
      description: 'CRM',
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${app.url}${ROOT}/webhooks/${json.id}`);
    const { secret, ...record } = json;
    expect(secret).toMatch(/^whsec_/);
    expect(record).toEqual({
      id: expect.any(Number),
      url: receiver.url,
      description: 'CRM',
      event_types: ['licence.issued'],
      is_active: true,
      inactive_reason: null,
      failing_since: null,
      created_at: '2026-11-21T09:30:00.000Z',
      updated_at: '2026-11-21T09:30:00.000Z',
    });
    const path = `/webhooks/${json.id}`;
    expect((await ask('GET', path)).json).toEqual(record);
    expect((await ask('GET', '/webhooks')).json).toEqual([record]);
    const changed = (await ask('PUT', path, { is_active: false })).json;
    expect(changed).toEqual({ ...record, is_active: false, inactive_reason: 'by_hand' });
    const again = (await ask('PUT', path, { is_active: true, event_types: ['scan.finished'] }))
      .json;
    expect(again).toEqual({ ...record, event_types: ['scan.finished'] });
    expect((await ask('DELETE', path)).json).toEqual({ deleted: true, previous: again });
    expect((await ask('GET', path)).json.code).toBe('not_found');
    expect((await securityLog()).slice(0, 4).toSorted()).toEqual([
      'activated',
      'created',
      'deactivated',
      'deleted',
    ]);
    const types = (await ask('GET', '/webhooks/event-types')).json;
    expect(types.map(({ type }: { type: string }) => type)).toEqual(EVENT_TYPES);
  });

  it.each([
    ['no event type', { event_types: [] }, 'event_types'],
    ['an unknown event type', { event_types: ['licence.sold'] }, 'event_types'],
    ['an address without scheme', { url: 'example.com' }, 'url'],
    ['a password in the address', { url: 'https://a:b@example.com' }, 'url'],
  ])('rejects an endpoint with %s', async (_what, wrong, parameter) => {
    const body = { url: receiver.url, event_types: ['licence.issued'], ...wrong };
    const { status, json } = await ask('POST', '/webhooks', body);
    expect([status, json.code, Object.keys(json.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      [parameter],
    ]);
  });

  it('sends a signed event about an issued licence, without its key', async () => {
    const { secret } = await add('licence.issued');
    const { id, key, email } = await makeLicence(app.platform);
    await sender.sendDue();
    const [request] = receiver.received as [ReceivedWebhook];
    expect(receiver.received).toHaveLength(1);
    expect(isSignedWith(secret, request)).toBe(true);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Pavis',
      'webhook-id': expect.stringMatching(/^msg_[A-Za-z0-9]{24}$/),
    });
    expect(request.event).toEqual({
      type: 'licence.issued',
      timestamp: '2026-11-21T09:30:00.000Z',
      data: {
        licence: {
          id,
          mode: 'live',
          product: 'pavis',
          tier: 'pro',
          status: 'active',
          sites_allowed: 3,
          issued_at: '2026-11-21T09:30:00.000Z',
          expires_at: '9999-12-31T23:59:59.000Z',
          paid_until: '9999-12-31T23:59:59.000Z',
          customer: { email },
        },
        action: 'issued',
      },
    });
    expect(request.body).not.toContain(key);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({
      message_id: request.id,
      type: 'licence.issued',
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      last_error: null,
      next_attempt_at: null,
    });
    expect((await ask('GET', `/webhook-deliveries/${delivery.id}`)).json.payload).toEqual(
      request.event,
    );
    await sender.sendDue();
    expect(receiver.received).toHaveLength(1);
  });

  it('sends no email address of a customer who was deleted', async () => {
    await add('licence.revoked');
    const { id } = await makeLicence(app.platform, { expiresAt: app.clock.now() - DAY_MS });
    const { status } = await app.http.request('DELETE', `/console/licences/${id}/customer`, {
      headers: await basicAuth(app.platform),
    });
    expect(status).toBe(200);
    await revokeLicence(app.platform, id, 'test');
    await sender.sendDue();
    expect(receiver.received.map(({ event }) => event.data.licence)).toMatchObject([
      { id, customer: { email: null } },
    ]);
  });

  it('sends only what an endpoint receives, and the same id to each endpoint', async () => {
    const first = await add('licence.issued', 'licence.revoked');
    const second = await add('licence.revoked');
    const { id } = await makeLicence(app.platform);
    await editLicence(app.platform, id, { edits: { sites_allowed: 9 } }, 'test');
    await revokeLicence(app.platform, id, 'test');
    await sender.sendDue();
    expect(types().toSorted()).toEqual(['licence.issued', 'licence.revoked', 'licence.revoked']);
    const revoked = receiver.received.filter(({ event }) => event.type === 'licence.revoked');
    expect(new Set(revoked.map((each) => each.id)).size).toBe(1);
    for (const { secret } of [first, second])
      expect(revoked.filter((each) => isSignedWith(secret, each))).toHaveLength(1);
    expect(revoked[0]?.event.data).toMatchObject({
      licence: { id, status: 'revoked', sites_allowed: 9 },
      action: 'revoked',
    });
  });

  it('queues nothing if the transaction of the change fails', async () => {
    await add('licence.issued');
    const event = { type: 'licence.issued', at: app.clock.now() } as const;
    const failing = app.platform.datastore.transaction(async (trx, announce) => {
      await queueEvents(trx, announce, event, () => [{ data: {} }]);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    await sender.sendDue();
    expect(receiver.received).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  it('retries an event under the same id for a day, and then only by hand', async () => {
    const { id: webhook } = await add('licence.issued');
    receiver.mood = 500;
    receiver.text = 'out of order \0 ';
    await makeLicence(app.platform);
    await sender.sendDue();
    const [first] = await deliveries();
    expect(first).toMatchObject({
      status: 'pending',
      attempts: 1,
      last_status: 500,
      last_error: 'The endpoint answered 500.',
      last_response: 'out of order \u{fffd} ',
      delivered_at: null,
    });
    const wait = Date.parse(first.next_attempt_at) - app.clock.now();
    expect(wait).toBeGreaterThanOrEqual(4_500);
    expect(wait).toBeLessThanOrEqual(5_500);
    await sender.sendDue();
    expect(receiver.received).toHaveLength(1);
    for (let hour = 0; hour < 40; hour++) {
      app.clock.advance(HOUR_MS);
      await sender.sendDue();
    }
    expect(receiver.received).toHaveLength(8);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(await deliveries('?status=failed')).toMatchObject([
      { attempts: 8, next_attempt_at: null },
    ]);
    expect((await ask('GET', `/webhooks/${webhook}`)).json.failing_since).toMatch(/^2026-11-21/);

    receiver.mood = 200;
    const replayed = await ask('POST', `/webhook-deliveries/${first.id}/replay`);
    expect([replayed.status, replayed.json.status]).toEqual([200, 'pending']);
    await sender.sendDue();
    expect(receiver.taken).toEqual([first.message_id]);
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect((await ask('GET', `/webhooks/${webhook}`)).json.failing_since).toBeNull();
    expect((await securityLog())[0]).toBe('sent_again');
  });

  it('retries as usual if the clock is set back', async () => {
    await add('licence.issued');
    receiver.mood = 500;
    await makeLicence(app.platform);
    await sender.sendDue();
    app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
    app.clock.advance(10_000);
    receiver.mood = 200;
    await sender.sendDue();
    expect(receiver.taken).toHaveLength(1);
  });

  it('sends all failed deliveries of an endpoint again', async () => {
    const { id } = await add('licence.issued');
    receiver.mood = 500;
    await makeLicence(app.platform);
    app.clock.advance(HOUR_MS);
    const since = new Date(app.clock.now()).toISOString();
    await makeLicence(app.platform);
    for (let hour = 0; hour < 40; hour++) {
      await sender.sendDue();
      app.clock.advance(HOUR_MS);
    }
    receiver.mood = 200;
    for (const wrong of ['', '1', 'yesterday', '2026-02-30T00:00:00Z']) {
      const answer = await ask('POST', `/webhooks/${id}/replay`, { since: wrong });
      expect([wrong, answer.status]).toEqual([wrong, 400]);
      expect(answer.json.data.params.since).toMatch(
        /^Enter a date, or a time with its offset, for example/,
      );
    }
    expect((await ask('POST', `/webhooks/${id}/replay`, { since })).json).toEqual({ queued: 1 });
    expect((await ask('POST', `/webhooks/${id}/replay`)).json).toEqual({ queued: 1 });
    await sender.sendDue();
    expect(receiver.taken).toHaveLength(2);
  });

  it('sends those that wait for a later attempt at once, when all failed ones are sent again', async () => {
    const { id } = await add('licence.issued');
    receiver.mood = 500;
    await makeLicence(app.platform);
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }]);
    receiver.mood = 200;
    expect((await ask('POST', `/webhooks/${id}/replay`)).json).toEqual({ queued: 1 });
    // It is queued already.
    expect((await ask('POST', `/webhooks/${id}/replay`)).json).toEqual({ queued: 0 });
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  it('returns a readable error message if there was no response', async () => {
    await add('licence.issued');
    await makeLicence(app.platform);
    await receiver.stop();
    await sender.sendDue();
    await receiver.start();
    const [{ last_error }] = await deliveries();
    expect(last_error).toBe(
      'The endpoint refused the connection. Check that it runs, and its port.',
    );
  });

  it('waits as long as a receiver asks', async () => {
    await add('licence.issued');
    receiver.mood = 429;
    receiver.headers = { 'retry-after': '3600' };
    await makeLicence(app.platform);
    await sender.sendDue();
    const [{ next_attempt_at }] = await deliveries();
    expect(Date.parse(next_attempt_at) - app.clock.now()).toBe(HOUR_MS);
  });

  it('does not follow redirects', async () => {
    await add('licence.issued');
    const inner = await new WebhookReceiver().start();
    receiver.mood = { redirect: inner.url };
    await makeLicence(app.platform);
    await sender.sendDue();
    await inner.stop();
    expect(inner.received).toEqual([]);
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ status: 'pending', last_status: 302 });
    expect(delivery.last_error).toContain('Redirects are not followed');
  });

  it('does not send to private networks unless the operator allows it', async () => {
    await add('licence.issued');
    await makeLicence(app.platform);
    await guarded.sendDue();
    expect(receiver.received).toEqual([]);
    const [byRule] = await deliveries();
    expect(byRule).toMatchObject({ status: 'pending', last_status: null });

    // A name that resolves to this machine.
    const url = receiver.url.replace('http://127.0.0.1', 'https://localhost');
    const { db } = app.platform.datastore;
    await db.updateTable('webhook_endpoints').set({ url }).execute();
    app.clock.advance(HOUR_MS);
    await guarded.sendDue();
    const [byName] = await deliveries();
    expect(byName.last_error).toContain('PAVIS_PRIVATE_WEBHOOKS');
    expect(receiver.received).toEqual([]);
  });

  it('deactivates an endpoint that answers 410', async () => {
    const { id } = await add('licence.issued');
    receiver.mood = 410;
    await makeLicence(app.platform);
    await sender.sendDue();
    expect((await ask('GET', `/webhooks/${id}`)).json).toMatchObject({
      is_active: false,
      inactive_reason: 'gone',
    });
    expect(await deliveries()).toMatchObject([{ status: 'failed', last_status: 410 }]);
    expect((await securityLog())[0]).toBe('deactivated_gone');
    await makeLicence(app.platform);
    expect(await deliveries()).toHaveLength(1);
    const [{ id: delivery }] = await deliveries();
    const refused = await ask('POST', `/webhook-deliveries/${delivery}/replay`);
    expect([refused.status, refused.json.code]).toEqual([409, 'webhook_inactive']);
  });

  it('deactivates an endpoint that has failed for five days, and ends its deliveries', async () => {
    const { id } = await add('licence.issued');
    receiver.mood = 503;
    for (let day = 0; day < ATTEMPTS_MAX; day++) {
      await makeLicence(app.platform);
      await sender.sendDue();
      app.clock.advance(DAY_MS);
    }
    expect((await ask('GET', `/webhooks/${id}`)).json).toMatchObject({
      is_active: false,
      inactive_reason: 'failing',
    });
    expect((await securityLog())[0]).toBe('deactivated_failing');
    const statuses = (await deliveries()).map(({ status }: { status: string }) => status);
    expect(new Set(statuses)).toEqual(new Set(['failed']));
  });

  it('retries the first event after weeks, also if the one before failed for good', async () => {
    const { id } = await add('licence.issued');
    receiver.mood = 503;
    await makeLicence(app.platform);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      await sender.sendDue();
      app.clock.advance(DAY_MS / 2);
    }
    expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: ATTEMPTS_MAX }]);
    app.clock.advance(30 * DAY_MS);
    await makeLicence(app.platform);
    await sender.sendDue();
    expect((await ask('GET', `/webhooks/${id}`)).json).toMatchObject({ is_active: true });
    receiver.mood = 200;
    app.clock.advance(60_000);
    await sender.sendDue();
    expect((await deliveries())[0]).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('does not count failures of the former address against the new one', async () => {
    const { id } = await add('licence.issued');
    receiver.mood = 503;
    await makeLicence(app.platform);
    for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
      await sender.sendDue();
      app.clock.advance(DAY_MS);
    }
    const url = receiver.url.replace('/webhooks', '/new');
    expect((await ask('PUT', `/webhooks/${id}`, { description: 'CRM' })).json).toMatchObject({
      failing_since: expect.any(String),
    });
    expect((await ask('PUT', `/webhooks/${id}`, { url })).json.failing_since).toBeNull();
    await makeLicence(app.platform);
    await sender.sendDue();
    expect((await ask('GET', `/webhooks/${id}`)).json.is_active).toBe(true);
    expect(await deliveries()).toMatchObject([
      { status: 'pending', attempts: 1 },
      { status: 'failed', attempts: ATTEMPTS_MAX },
    ]);
  });

  it.each([410, 503])('sends to the new address what the former one answers %i', async (answer) => {
    const former = await new WebhookReceiver().start();
    const { promise, resolve } = Promise.withResolvers<void>();
    former.mood = answer;
    former.held = promise;
    const endpoint = { url: former.url, event_types: ['licence.issued'] };
    const { id } = (await ask('POST', '/webhooks', endpoint)).json;
    await makeLicence(app.platform);
    const sending = sender.sendDue();
    await expect.poll(() => former.received.length).toBe(1);
    await ask('PUT', `/webhooks/${id}`, { url: receiver.url });
    resolve();
    await sending;
    await former.stop();
    expect((await ask('GET', `/webhooks/${id}`)).json).toMatchObject({
      is_active: true,
      failing_since: null,
    });
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(receiver.taken).toHaveLength(1);
  });

  it('does not send an event again during its attempt, and says so', async () => {
    await add('licence.issued');
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.mood = 500;
    receiver.held = promise;
    await makeLicence(app.platform);
    const sending = sender.sendDue();
    await expect.poll(() => receiver.received.length).toBe(1);
    const [{ id }] = await deliveries();
    const replay = () => ask('POST', `/webhook-deliveries/${id}/replay`);
    const { status, json } = await replay();
    expect([status, json.code]).toEqual([409, 'webhook_sending']);
    expect((await securityLog())[0]).toBe('created');
    resolve();
    await sending;
    expect((await replay()).status).toBe(200);
    expect((await securityLog())[0]).toBe('sent_again');
  });

  it('ends waiting deliveries of an endpoint that is deactivated by hand', async () => {
    const { id } = await add('licence.issued');
    await makeLicence(app.platform);
    await ask('PUT', `/webhooks/${id}`, { is_active: false });
    await sender.sendDue();
    expect(receiver.received).toEqual([]);
    expect(await deliveries()).toMatchObject([
      { status: 'failed', last_error: 'The endpoint was deactivated.' },
    ]);
  });

  it('does not send later what an inactive endpoint has left', async () => {
    const { db } = app.platform.datastore;
    const { id } = await add('licence.issued');
    const setActive = (is_active: boolean) => ask('PUT', `/webhooks/${id}`, { is_active });
    const statuses = async () =>
      (await deliveries()).map((each: { status: string }) => each.status);
    // Its node dies while it sends, and the endpoint is deactivated before the lease ends.
    await makeLicence(app.platform);
    const lease = { status: 'sending', due_at: app.clock.now() + 30_000, attempts: 1 } as const;
    await db.updateTable('webhook_deliveries').set(lease).execute();
    await setActive(false);
    app.clock.advance(60_000);
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([
      { status: 'failed', last_error: 'The endpoint is inactive.' },
    ]);
    // Its event is queued by a transaction that began before the endpoint was deactivated.
    await setActive(true);
    await makeLicence(app.platform);
    await db.updateTable('webhook_endpoints').set({ is_active: 0 }).execute();
    await setActive(true);
    await sender.sendDue();
    expect(await statuses()).toEqual(['failed', 'failed']);
    expect(receiver.received).toEqual([]);
  });

  it('does not blame the endpoint for events whose data is removed, nor sends them again', async () => {
    const { db } = app.platform.datastore;
    const { id } = await add('licence.issued');
    await makeLicence(app.platform);
    await db.updateTable('webhook_events').set({ payload: '{}', anonymised_at: 1 }).execute();
    await sender.sendDue();
    expect(await deliveries()).toMatchObject([
      { status: 'failed', last_error: expect.stringMatching(/^The data of the event was erased/) },
    ]);
    expect((await ask('GET', `/webhooks/${id}`)).json.failing_since).toBeNull();
    expect((await ask('POST', `/webhooks/${id}/replay`)).json).toEqual({ queued: 0 });
    expect(receiver.received).toEqual([]);
  });

  it('ends, sends again and deletes more deliveries than one transaction changes', async () => {
    const { db } = app.platform.datastore;
    const { id } = await add('licence.issued');
    const other = await add('scan.finished');
    await sql`insert into webhook_events (message_id, type, payload, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
      select 'bulk_' || i, 'licence.issued', '{}', 1 from n`.execute(db);
    for (const each of [id, other.id]) {
      await sql`insert into webhook_deliveries (event_id, endpoint_id, due_at, created_at, status, attempts)
        select id, ${sql.lit(each)}, ${sql.lit(app.clock.now() + HOUR_MS)}, 1, 'pending', 1 from webhook_events
        where message_id like 'bulk_%'`.execute(db);
      // The statistics of the database know no failed delivery then.
      await sql`analyze webhook_deliveries`.execute(db);
    }
    const total = async (status: string, endpoint = id) =>
      (await ask('GET', `/webhook-deliveries?webhook=${endpoint}&status=${status}`)).headers.get(
        'x-wp-total',
      );
    expect((await ask('PUT', `/webhooks/${id}`, { is_active: false })).status).toBe(200);
    expect([await total('failed'), await total('pending', other.id)]).toEqual(['12000', '12000']);
    await ask('PUT', `/webhooks/${id}`, { is_active: true });
    expect((await ask('POST', `/webhooks/${id}/replay`)).json).toEqual({ queued: 12_000 });
    expect((await ask('POST', `/webhooks/${other.id}/replay`)).json).toEqual({ queued: 12_000 });
    expect([await total('pending'), await total('failed')]).toEqual(['12000', '0']);
    await ask('DELETE', `/webhooks/${id}`);
    const left = await db.selectFrom('webhook_deliveries').select('endpoint_id').execute();
    expect(new Set(left.map(({ endpoint_id }) => Number(endpoint_id)))).toEqual(
      new Set([other.id]),
    );
    expect(left).toHaveLength(12_000);
  });

  it('signs with both secrets for a day after a rotation', async () => {
    const { id, secret } = await add('licence.issued');
    const { json: rotated } = await ask('POST', `/webhooks/${id}/secret`);
    expect(rotated.secret).not.toBe(secret);
    await makeLicence(app.platform);
    await sender.sendDue();
    app.clock.advance(DAY_MS + 1);
    await makeLicence(app.platform);
    await sender.sendDue();
    const signed = receiver.received.map((each) => [
      isSignedWith(secret, each),
      isSignedWith(rotated.secret, each),
    ]);
    expect(signed).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('records no change of an endpoint that stays as it is, and null clears its description', async () => {
    const { id } = await add('licence.issued');
    const path = `/webhooks/${id}`;
    await ask('PUT', path, { description: 'CRM' });
    const { json: before } = await ask('GET', path);
    const recorded = await securityLog();
    app.clock.advance(1_000);
    const { url, event_types, description } = before;
    const same = { url, event_types, description, is_active: true };
    expect((await ask('PUT', path, same)).json).toEqual(before);
    expect((await ask('PUT', path, {})).json).toEqual(before);
    expect(await securityLog()).toEqual(recorded);
    const cleared = await ask('PUT', path, { description: null });
    expect([cleared.status, cleared.json.description]).toEqual([200, '']);
    expect(await securityLog()).toHaveLength(recorded.length + 1);
  });

  it('keeps the first secret until its day ends if the secret is rotated again', async () => {
    const { id, secret } = await add('licence.issued');
    const rotate = async () => (await ask('POST', `/webhooks/${id}/secret`)).json.secret;
    const second = await rotate();
    app.clock.advance(DAY_MS - 2);
    const third = await rotate();
    await makeLicence(app.platform);
    await sender.sendDue();
    app.clock.advance(3);
    await makeLicence(app.platform);
    await sender.sendDue();
    const fourth = await rotate();
    await makeLicence(app.platform);
    await sender.sendDue();
    const signed = receiver.received.map((each) =>
      [secret, second, third, fourth].map((text) => isSignedWith(text, each)),
    );
    expect(signed).toEqual([
      [true, false, true, false],
      [false, false, true, false],
      [false, false, true, true],
    ]);
  });

  it('sends a test event', async () => {
    const { id } = await add('scan.finished');
    const { status, json } = await ask('POST', `/webhooks/${id}/test`);
    expect([status, json.type, json.status]).toEqual([201, 'webhook.test', 'pending']);
    await sender.sendDue();
    expect(receiver.received).toMatchObject([
      { id: json.message_id, event: { type: 'webhook.test', data: { endpoint_id: id } } },
    ]);
  });

  it('keeps at most 50 endpoints, also if several are created at once', async () => {
    for (let made = 0; made < 48; made++) await add('scan.finished');
    const body = { url: receiver.url, event_types: ['scan.finished'] };
    const create = () => ask('POST', '/webhooks', body);
    const answers = await Promise.all([create(), create(), create(), create()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    const { status, json } = await create();
    expect([status, json.code]).toEqual([409, 'too_many_webhooks']);
  });

  it('sends events about activations, and about a reached limit once a day', async () => {
    await add('activation.created', 'activation.deleted', 'licence.limit_reached');
    const { key, id } = await makeLicence(app.platform, { sitesAllowed: 1 });
    await app.http.site('activate', key, SITE);
    for (let tried = 0; tried < 3; tried++) {
      const refused = await app.http.site('activate', key, `https://other-${tried}.example.org`);
      expect(refused.json.error).toBe('activation_limit_reached');
    }
    app.clock.advance(DAY_MS);
    await app.http.site('activate', key, 'https://third.example.org');
    await app.http.site('deactivate', key, SITE);
    await sender.sendDue();
    expect(types().toSorted()).toEqual([
      'activation.created',
      'activation.deleted',
      'licence.limit_reached',
      'licence.limit_reached',
    ]);
    const byType = (type: string) =>
      receiver.received.find(({ event }) => event.type === type)?.event.data;
    expect(byType('activation.created')).toMatchObject({
      licence: { id },
      activation: { id: expect.any(Number), site_url: SITE },
    });
    const limits = receiver.received.filter(({ event }) => event.type === 'licence.limit_reached');
    expect(limits.map(({ event }) => event.data.site_url).toSorted()).toEqual([
      'https://other-0.example.org',
      'https://third.example.org',
    ]);
    expect(byType('licence.limit_reached')).toMatchObject({
      licence: { id, sites_allowed: 1 },
      sites_used: 1,
    });
  });

  it('sends an event 30, 7 and 1 days before a licence expires, once for each', async () => {
    await add('licence.expiring');
    const expiresAt = app.clock.now() + 40 * DAY_MS;
    const { id } = await makeLicence(app.platform, { expiresAt });
    const job = licenceJob(app.platform, {
      publicUrl: () => app.url,
      canRenew: () => true,
      stripe: undefined,
      wasErased: async () => false,
      prices: [],
      expiringDays: [30, 7, 1],
    });
    for (let half = 0; half < 84; half++) {
      await job.runIfDue();
      app.clock.advance(DAY_MS / 2);
    }
    await sender.sendDue();
    const data = receiver.received.map(({ event }) => event.data);
    expect(data.map(({ days }) => days).toSorted()).toEqual([1, 30, 7]);
    expect(new Set(data.map(({ licence }) => licence.id))).toEqual(new Set([id]));
  });

  it('sends an event for each consent record, repeated requests aside', async () => {
    const record = (visitor_id: string) =>
      app.http.post(`${ROOT}/consent`, {
        headers: { 'idempotency-key': `"${visitor_id}"` },
        body: { visitor_id, consent_action: 'reject_all', page_url: 'https://shop.example.org/a' },
      });
    await record('before');
    await add('consent.recorded');
    const { json } = await record('visitor-1');
    await record('visitor-1');
    await sender.sendDue();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.event.data.consent).toMatchObject({
      id: json.id,
      visitor_id: 'visitor-1',
      consent_action: 'reject_all',
    });
    expect(receiver.received[0]?.body).not.toContain('shop.example.org');
  });

  it('sends events about data subject requests without personal data', async () => {
    await add('dsar.created', 'dsar.updated');
    const client = createDsarClient(app);
    const { id, reference } = await client.request();
    await client.admin('PUT', `/dsar/cases/${id}`, {
      status: 'rejected',
      reason: 'No.',
      ground: 'other',
    });
    await sender.sendDue();
    expect(types()).toContain('dsar.created');
    const last = receiver.received.findLast(({ event }) => event.type === 'dsar.updated')?.event;
    expect(last).toMatchObject({
      type: 'dsar.updated',
      data: { request: { id, status: 'rejected' } },
    });
    expect(last?.data.request.reference).toBe(reference);
    for (const { body } of receiver.received) expect(body).not.toContain('@');
  });

  it('deletes the events about a person with an erasure, also those that wait', async () => {
    await add('licence.issued', 'consent.recorded');
    const { email } = await makeLicence(app.platform);
    await makeLicence(app.platform, { email: 'somebody-else@example.com' });
    const body = { visitor_id: 'erased-visitor', consent_action: 'reject_all' };
    await app.http.post(`${ROOT}/consent`, { body });
    const type = PERSONAL_DATA.find(({ category }) => category === 'webhook_events');
    if (!type) throw new Error('webhook_events is not declared');
    const moment = { at: app.clock.now(), day: '2026-11-21' };
    for (const [identity, value] of [
      ['email', email],
      ['visitor_id', 'erased-visitor'],
    ] as const) {
      const outcome = await app.platform.datastore.transaction((trx) =>
        erasePerson(trx, type, identity, value, moment),
      );
      expect(outcome).toMatchObject({ erased: 1, kept: [] });
    }
    await sender.sendDue();
    expect(receiver.received.map(({ event }) => event.data.licence?.customer.email)).toEqual([
      'somebody-else@example.com',
    ]);
    expect(await deliveries()).toHaveLength(1);
  });

  it.each([1, 9])('delays no endpoint while %i do not answer', async (count) => {
    const slow = await new WebhookReceiver().start();
    slow.mood = 'hangs';
    for (let made = 0; made < count; made++)
      await ask('POST', '/webhooks', { url: slow.url, event_types: ['licence.issued'] });
    await add('licence.issued');
    for (let made = 0; made < 20; made++) await makeLicence(app.platform);
    const own = new WebhookSender(app.platform, true);
    own.start();
    // Sooner than an attempt at a slow one ends.
    await expect.poll(() => receiver.taken.length, { timeout: ATTEMPT_MS - 3_000 }).toBe(20);
    expect(slow.received.length).toBeGreaterThan(0);
    await slow.stop();
    await own.stop();
  });
});
