import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  };
  // biome-ignore lint/suspicious/noExplicitAny: it is JavaScript
  let consent: any;

  beforeAll(async () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/headless.md'), 'utf8');
    const script = /```js\n(.*?)```/s.exec(guide)?.[1] ?? '';
    const client = pathToFileURL(join(ROOT, 'packages/client/index.ts')).href;
    const file = join(folder, 'consent.mjs');
    writeFileSync(file, script.replace('pavis/client', client));
    const { consentWith } = await import(pathToFileURL(file).href);
    consent = consentWith(`${app.url}/wp-json`, storage);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has a module that asks once, records the choice and asks again after a change', async () => {
    const headers = await basicAuth(app.platform);
    const { status, choice } = await consent.read();
    expect(choice).toBeNull();
    expect(await consent.choose(status, 'manage', ['analytics'])).toMatchObject({
      accepted: ['functional', 'analytics'],
      rejected: ['marketing', 'personalisation'],
    });
    expect((await consent.read()).choice.accepted).toEqual(['functional', 'analytics']);
    const { json } = await app.http.get('/wp-json/svc/v1/consent/records', { headers });
    expect(json).toMatchObject([
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
});
