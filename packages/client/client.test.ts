import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addApplicationPassword, createUser } from '../../src/identity/users/index.ts';
import { createBearerHeader, makeLicence } from '../../test/support/makers.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { licenceClient, PavisError, PavisUnreachable, pluginClient } from './index.ts';

describe('The client against the real interfaces', () => {
  const app = useTestApp('sqlite');

  it('asks as a site does', async () => {
    const { key } = await makeLicence(app.platform);
    const licence = licenceClient({ baseUrl: app.url, licenceKey: key });
    const body = { licence_key: key, site_url: 'https://example.com' };
    const { activation_id, features } = await licence.call('POST /licence/activate', { body });
    expect([activation_id, features]).toEqual([expect.any(Number), expect.any(Array)]);
    expect((await licence.call('POST /licence/validate', { body })).valid).toBe(true);
  });

  it('asks as a signed-in customer does, with ids in paths', async () => {
    const { id, email } = await makeLicence(app.platform);
    const { authorization = '' } = await createBearerHeader(app.platform, email);
    const licence = licenceClient({ baseUrl: `${app.url}/`, token: authorization.slice(7) });
    const { licences } = await licence.call('GET /customer/licences');
    expect(licences.map((each) => each.id)).toEqual([id]);
    const found = await licence.call('GET /customer/licences/{id}', { params: { id } });
    expect(found.activations).toEqual([]);
  });

  it('reads what the banner asks and records a decision', async () => {
    const pavis = pluginClient({ restRoot: `${app.url}/wp-json` });
    const { categories } = await pavis.call('GET /consent/status');
    expect(categories.analytics?.required).toBe(false);
    const { message } = await pavis.call('POST /consent', {
      body: { visitor_id: 'v-1', consent_action: 'accept_all' },
      idempotencyKey: 'once',
    });
    expect(message).toMatch(/recorded/i);
  });

  it('signs in as an administrator, takes queries, and gives texts as such', async () => {
    const email = 'jorg@example.com';
    await createUser(app.platform, { login: 'jorg', email, role: 'administrator' }, 'test');
    const { password } = await addApplicationPassword(app.platform, 'jorg', 'test', 'test');
    const login = { user: 'jorg', applicationPassword: password };
    const pavis = pluginClient({ restRoot: `${app.url}/wp-json`, login });
    const query = { search: 'matomo', per_page: 1 };
    const found = await pavis.call('GET /vendors', { query });
    expect(found.map(({ slug }) => slug)).toEqual(['matomo']);
    const plain = pluginClient({ restRoot: `${app.url}/?rest_route=/`, login });
    expect(await plain.call('GET /vendors', { query })).toEqual(found);
    const csv = await pavis.call('GET /data-map/export', { query: { format: 'csv' } });
    expect(csv).toContain('vendor_slug');
  });

  it.each([
    ['the Licence API', 404, 'licence_not_found'],
    ['the plugin REST API', 401, 'rest_forbidden'],
  ])('says with code and status what %s refuses', async (_, status, code) => {
    const key = `pv_live_${'n'.repeat(32)}`;
    const asked =
      status === 404
        ? licenceClient({ baseUrl: app.url, licenceKey: key }).call('POST /licence/validate', {
            body: { licence_key: key, site_url: 'https://example.com' },
          })
        : pluginClient({ restRoot: `${app.url}/wp-json` }).call('GET /settings');
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PavisError);
    expect(error).toMatchObject({ status, code, message: expect.stringMatching(/\w/) });
  });
});

describe('The client against a server that stumbles', () => {
  let asked: { method: string | undefined; headers: IncomingMessage['headers'] }[] = [];
  let answers: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    asked.push({ method: request.method, headers: request.headers });
    const answer = answers.shift() ?? fine;
    answer(response);
  });
  const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    return (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  };
  const fine = json(200, []);
  const drop = (response: ServerResponse) => void response.destroy();
  /** Sends a text in parts, each within the time limit of the client. */
  const sendParts =
    (count: number, ends = true) =>
    async (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      for (let sent = 0; sent < count; sent++) {
        response.write('part');
        await setTimeout(80);
      }
      if (ends) response.end();
    };
  const away = json(503, { code: 'service_unavailable', message: 'Away.', data: {} });
  let restRoot = '';
  const pavis = () => pluginClient({ restRoot, timeoutMs: 300 });
  const decide = (more: { idempotencyKey?: string } = {}) =>
    pavis().call('POST /consent', {
      body: { visitor_id: 'v', consent_action: 'reject_all' },
      ...more,
    });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    restRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
    answers = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['drops the connection', drop],
    ['answers 503', away],
    ['asks to wait a little', json(429, {}, { 'retry-after': '0' })],
    ['says nothing', () => {}],
    [
      'sends no JSON where it says so',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('<html>');
      },
    ],
  ])('tries a GET again when it %s', async (_, fault) => {
    answers = [fault, fault];
    expect(await pavis().call('GET /vendors')).toEqual([]);
    expect(asked).toHaveLength(3);
  });

  it('follows no redirect, which would carry a key to somebody else', async () => {
    const elsewhere = (response: ServerResponse) => {
      response.writeHead(307, { location: `${restRoot}/elsewhere` });
      response.end();
    };
    answers = [elsewhere];
    const body = { licence_key: 'k', site_url: 'https://example.com' };
    const licence = licenceClient({ baseUrl: restRoot, licenceKey: 'k' });
    await expect(licence.call('POST /licence/validate', { body })).rejects.toBeInstanceOf(
      PavisUnreachable,
    );
    expect(asked).toHaveLength(1);
  });

  it('gives up after the third time, and says that nobody answers', async () => {
    answers = [drop, drop, drop, drop];
    await expect(pavis().call('GET /vendors')).rejects.toBeInstanceOf(PavisUnreachable);
    expect(asked).toHaveLength(3);
    answers = [away, away, away];
    await expect(pavis().call('GET /vendors')).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
    });
  });

  it('sends a POST once, unless it has a key under which the server does it once', async () => {
    answers = [away];
    await expect(decide()).rejects.toBeInstanceOf(PavisError);
    expect(asked).toHaveLength(1);
    answers = [drop];
    await decide({ idempotencyKey: 'k-1' });
    expect(asked.slice(1).map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1']);
  });

  it('sends a POST once if its route takes no idempotency keys, whatever a program gives', async () => {
    answers = [drop];
    const body = { request_type: 'access', email: 'ada@example.com' } as const;
    // @ts-expect-error: the types offer a key only where the server does it once
    const call = pavis().call('POST /dsar/intake', { body, idempotencyKey: 'k-1' });
    await expect(call).rejects.toBeInstanceOf(PavisUnreachable);
    expect(asked).toHaveLength(1);
  });

  it('sends a DELETE once: a second one would be answered that nothing is there', async () => {
    answers = [drop];
    const call = pavis().call('DELETE /vendors/{id}', { params: { id: 5 } });
    await expect(call).rejects.toBeInstanceOf(PavisUnreachable);
    expect(asked).toHaveLength(1);
  });

  it('sends a PUT with If-Match once: a second one would be answered that the item has changed', async () => {
    const rename = (headers: Record<string, string>) =>
      pavis().call('PUT /vendors/{id}', { params: { id: 5 }, body: { name: 'Ads' }, headers });
    answers = [drop];
    await expect(rename({ 'If-Match': '"1"' })).rejects.toBeInstanceOf(PavisUnreachable);
    expect(asked).toHaveLength(1);
    answers = [drop];
    await rename({});
    expect(asked).toHaveLength(3);
  });

  it('does not ask again what is refused, nor wait for minutes', async () => {
    for (const refusal of [
      json(404, { code: 'not_found' }),
      json(429, {}, { 'retry-after': '60' }),
    ]) {
      answers = [refusal];
      await expect(pavis().call('GET /vendors')).rejects.toBeInstanceOf(PavisError);
    }
    expect(asked).toHaveLength(2);
  });

  it('tells when to come back', async () => {
    answers = [json(429, { code: 'rate_limited' }, { 'retry-after': '60' })];
    await expect(pavis().call('GET /vendors')).rejects.toMatchObject({ retryAfterSeconds: 60 });
  });

  it('reads a long response for as long as it goes on', async () => {
    answers = [sendParts(8)];
    expect(await pavis().call('GET /data-map/export', { query: { format: 'csv' } })).toBe(
      'part'.repeat(8),
    );
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['does not begin', () => {}],
    ['stalls', sendParts(1, false)],
  ])('says that a response took too long when it %s', async (_, fault) => {
    answers = [fault];
    await expect(pavis().call('GET /vendors', { retry: false })).rejects.toMatchObject({
      name: 'PavisUnreachable',
      message: `${restRoot}/svc/v1 took too long to answer.`,
    });
  });

  it.each([
    ['before', () => {}],
    ['during', sendParts(1, false)],
    ['in the pause after', json(503, {}, { 'retry-after': '8' })],
  ])(
    'is aborted at once %s the response',
    async (_, fault) => {
      answers = [fault];
      const controller = new AbortController();
      const call = pluginClient({ restRoot }).call('GET /vendors', { signal: controller.signal });
      await expect.poll(() => asked.length).toBe(1);
      await setTimeout(50);
      controller.abort(new Error('The page was left.'));
      await expect(call).rejects.toThrow('The page was left.');
      expect(asked).toHaveLength(1);
    },
    4_000,
  );
});
