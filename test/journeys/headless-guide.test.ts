import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('docs/guides/headless.md', () => {
  const app = useTestApp('sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'pavis-headless-'));
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  };
  let isDown = false;
  let isForbidden = false;
  /** Forwards to the server, except choices while it is down. */
  const gateway = createServer(async (request, response) => {
    const { method = '', url, headers } = request;
    if (isDown && method === 'POST') return response.writeHead(503).end();
    if (isForbidden && method === 'POST') return response.writeHead(403).end();
    const body = method === 'POST' ? Buffer.concat(await request.toArray()) : null;
    const key = headers['idempotency-key']?.toString();
    const answer = await fetch(app.url + url, {
      method,
      body,
      headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
    });
    const { status } = answer;
    return response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(await answer.text());
  });
  const records = async () => {
    const headers = await basicAuth(app.platform);
    return (await app.http.get('/wp-json/svc/v1/consent/records', { headers })).json;
  };
  // biome-ignore lint/suspicious/noExplicitAny: it is JavaScript
  let consentWith: any;
  // biome-ignore lint/suspicious/noExplicitAny: it is JavaScript
  let consent: any;

  beforeAll(async () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/headless.md'), 'utf8');
    const script = /```js\n(.*?)```/s.exec(guide)?.[1] ?? '';
    const client = pathToFileURL(join(ROOT, 'packages/client/index.ts')).href;
    const file = join(folder, 'consent.mjs');
    writeFileSync(file, script.replace('pavis/client', client));
    ({ consentWith } = await import(pathToFileURL(file).href));
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { port } = gateway.address() as AddressInfo;
    consent = consentWith(`http://127.0.0.1:${port}/wp-json`, storage);
  });
  afterAll(async () => {
    gateway.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a module that asks once, records the choice and asks again after a change', async () => {
    const headers = await basicAuth(app.platform);
    const { status, choice } = await consent.read();
    expect(choice).toBeNull();
    expect(await consent.choose(status, 'manage', ['analytics'])).toMatchObject({
      accepted: ['functional', 'analytics'],
      rejected: ['marketing', 'personalisation'],
    });
    expect((await consent.read()).choice.accepted).toEqual(['functional', 'analytics']);
    expect(await records()).toMatchObject([
      {
        visitor_id: kept.get('visitor'),
        consent_action: 'manage',
        categories_accepted: ['functional', 'analytics'],
      },
    ]);
    const change = { consent: { title: 'May we?' } };
    await app.http.request('PUT', '/wp-json/svc/v1/settings', { headers, body: change });
    expect((await consent.read()).choice).toBeNull();
  });

  it.each(['accept_all', 'reject_all'])('records %s', async (action) => {
    const { status } = await consent.read();
    const { accepted } = await consent.choose(status, action);
    expect(accepted.length).toBe(action === 'accept_all' ? 4 : 1);
    expect((await consent.read()).choice).toMatchObject({ accepted });
  });

  it('records a choice once if the server withholds its first two answers', async () => {
    let received = 0;
    let last: number | undefined;
    const server = createServer(async (request, response) => {
      if (request.method === 'POST') {
        const now = performance.now();
        app.clock.advance(now - (last ?? now));
        last = now;
        received++;
      }
      const { method, url = '' } = request;
      const headers = { 'idempotency-key': String(request.headers['idempotency-key'] ?? '') };
      const answer = await app.http.request(method ?? '', url, {
        headers,
        ...(method === 'POST' && { body: await text(request) }),
      });
      if (method === 'POST' && received < 3) return;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const behind = consentWith(`http://127.0.0.1:${port}/wp-json`, storage);
      kept.set('visitor', 'patient');
      const { status } = await behind.read();
      await behind.choose(status, 'reject_all');
      expect(received).toBe(3);
      const records = await app.platform.datastore.db
        .selectFrom('consent_records')
        .select('id')
        .where('visitor_id', '=', 'patient')
        .execute();
      expect(records).toHaveLength(1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }, 60_000);

  it('applies a choice while the server is down, and records it once on a later page', async () => {
    const { status } = await consent.read();
    const before = (await records()).length;
    isDown = true;
    const { accepted } = await consent.choose(status, 'reject_all');
    expect(accepted).toEqual(['functional']);
    expect((await consent.read()).choice).toMatchObject({ accepted });
    expect((await records()).length).toBe(before);
    isDown = false;
    for (let page = 0; page < 2; page++)
      expect((await consent.read()).choice).toMatchObject({ accepted });
    const [{ consent_action }, ...others] = await records();
    expect([consent_action, others.length]).toEqual(['reject_all', before]);
  });

  it('reports a choice that the server never accepts, and asks again', async () => {
    const { status } = await consent.read();
    isForbidden = true;
    await expect(consent.choose(status, 'accept_all')).rejects.toMatchObject({ status: 403 });
    isForbidden = false;
    expect((await consent.read()).choice).toBeNull();
    expect(kept.has('unsent')).toBe(false);
  });

  it('asks again if the server rejects a choice that it receives later', async () => {
    const { status } = await consent.read();
    isDown = true;
    await consent.choose({ ...status, version: status.version + 1 }, 'accept_all');
    isDown = false;
    expect((await consent.read()).choice).toBeNull();
    expect(kept.has('unsent')).toBe(false);
    expect(await consent.choose({ ...status, version: 9_999 }, 'accept_all')).toBeNull();
  });
});
