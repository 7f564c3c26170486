import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../../test/support/users.ts';
import { PROJECT_ROOT } from '../../../platform/project-root.ts';
import type { Role } from '../../../platform/rest/capabilities.ts';

const PATH = '/wp-json/svc/v1/settings';
const content = readFileSync(
  join(PROJECT_ROOT, 'test/fixtures/banner-imports/vanilla-cookieconsent.json'),
  'utf8',
);

describe('POST /settings/import', () => {
  const app = useTestApp('sqlite');

  async function signIn(role?: Role) {
    const { login, applicationPassword } = await makeUser(app.platform, role);
    const headers = basic(login, applicationPassword);
    return {
      read: () => app.http.get(PATH, { headers }),
      put: (body: object) => app.http.request('PUT', PATH, { headers, body }),
      send: (body: object, more: Record<string, string> = {}) =>
        app.http.post(`${PATH}/import`, { headers: { ...headers, ...more }, body }),
    };
  }

  it('reports what an import would change without saving it', async () => {
    const { read, send } = await signIn();
    const before = await read();
    const { status, json, headers } = await send({ content });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      format: 'vanilla-cookieconsent',
      applied: false,
      counts: { rejected: 2 },
      update: { consent: { title: 'Datenschutz in unserem Laden' } },
      asks_again_because: ['categories', 'texts'],
    });
    expect(Object.values<number>(json.counts).reduce((sum, each) => sum + each)).toBe(
      json.report.length,
    );
    expect(json.changes).toContainEqual({
      field: 'consent.title',
      before: before.json.consent.title,
      after: 'Datenschutz in unserem Laden',
    });
    expect(json.proposals).toContainEqual(
      expect.objectContaining({ kind: 'cookie', name: '_gid', vendor: 'google-analytics' }),
    );
    expect(json.proposals).toContainEqual(
      expect.objectContaining({ name: 'Google Analytics', vendor: 'google-analytics' }),
    );
    const after = await read();
    expect(after.json).toEqual(before.json);
    expect(headers.get('etag')).toBe(after.headers.get('etag'));
  });

  it('saves the settings, as a PUT of the reported update does', async () => {
    const { read, put, send } = await signIn();
    const { update } = (await send({ content })).json;
    const etag = (await read()).headers.get('etag') ?? '';
    const late = await send({ content, apply: true }, { 'if-match': '"another"' });
    expect([late.status, late.json.code]).toEqual([412, 'rest_precondition_failed']);
    const saved = await send({ content, apply: true }, { 'if-match': etag });
    expect([saved.status, saved.json.applied]).toEqual([200, true]);
    const after = await read();
    expect(saved.headers.get('etag')).toBe(after.headers.get('etag'));
    expect(after.json.consent).toMatchObject(update.consent);
    expect((await put(update)).headers.get('etag')).toBe(after.headers.get('etag'));
    // The second import changes nothing.
    const again = (await send({ content })).json;
    expect([again.changes, again.update, again.asks_again_because]).toEqual([[], {}, []]);
  });

  it('needs the permissions of PUT /settings', async () => {
    await (await signIn()).put({ consent: { expiry_days: 90 } });
    const editor = await signIn('editor');
    expect((await editor.send({ content })).status).toBe(200);
    const refused = await editor.send({ content, apply: true });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      expect.stringContaining('only the texts'),
    ]);
    expect((await (await signIn('viewer')).send({ content })).status).toBe(403);
    expect((await app.http.post(`${PATH}/import`, { body: { content } })).status).toBe(401);
  });

  it('says what is wrong with content that it cannot read', async () => {
    const { send } = await signIn();
    const refuse = async (body: object) => {
      const { status, json } = await send(body);
      return [status, Object.values(json.data.params).join(' ')];
    };
    expect(await refuse({ content: 'CookieConsent.run({})' })).toEqual([
      400,
      expect.stringMatching(/not JSON.*Known formats: Complianz 7 .* CookieYes 3 .* vanilla/),
    ]);
    expect(await refuse({ content: '{}' })).toEqual([
      400,
      expect.stringContaining('its format was not recognised'),
    ]);
    expect(await refuse({ content: ' '.repeat(200_000) })).toEqual([
      400,
      expect.stringContaining('at most 196608 characters'),
    ]);
    expect(await refuse({ content, format: 'klaro' })).toEqual([
      400,
      expect.stringContaining('complianz, cookieyes, and vanilla-cookieconsent'),
    ]);
    expect(await refuse({})).toEqual([400, 'content']);
  });
});
