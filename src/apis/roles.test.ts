import { beforeAll, describe, expect, it } from 'vitest';
import { createDsarClient } from '../../test/support/dsar.ts';
import { ENGINES } from '../../test/support/engines.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { basic, makeUser } from '../../test/support/users.ts';
import { CAPABILITIES, ROLE_NAMES, type Role } from '../platform/rest/capabilities.ts';

const ROOT = '/wp-json';

/**
 * What others than administrators may use. A route that is not listed is for administrators, so a new one
 * that is to be for others has to be written here.
 */
const VIEWER = [
  'GET /consent/banner/pictures',
  'GET /consent/banner/pictures/{id}',
  'GET /consent/languages',
  'GET /consent/languages/{tag}',
  'POST /consent/banner/appearance',
  'GET /consent/log',
  'GET /consent/log/verifications',
  'GET /consent/log/verifications/{id}',
  'GET /consent/refused-origins',
  'GET /consent/regimes',
  'GET /consent/stats',
  'GET /data-map',
  'GET /data-map/export',
  'GET /data-map/own-processing',
  'GET /data-map/suggestions',
  'GET /data-map/{id}',
  'GET /declaration/drift',
  'GET /developer/extensions',
  'GET /developer/hooks',
  'GET /dsar/metrics',
  'GET /licence',
  'GET /retention/categories',
  'GET /retention/changes',
  'GET /retention/policies',
  'GET /retention/policies/{id}',
  'GET /retention/policies/{id}/preview',
  'GET /retention/runs',
  'GET /retention/runs/{id}',
  'GET /retention/status',
  'GET /scanner/cookies',
  'GET /scanner/cookies/{id}',
  'GET /scanner/results/{id}',
  'GET /scanner/scans',
  'GET /scanner/scans/{id}',
  'GET /scanner/scans/{id}/evidence',
  'GET /scanner/scans/{id}/resources',
  'GET /scanner/schedule',
  'GET /scanner/scans/{id}/visits',
  'GET /scanner/visits/{id}/picture',
  'GET /scripts',
  'GET /scripts/{id}',
  'GET /settings',
  'GET /settings/consent-versions',
  'GET /vendors',
  'GET /vendors/{id}',
];
const EDITOR = [
  'GET /consent/banner/pictures',
  'GET /consent/banner/pictures/{id}',
  'GET /consent/languages',
  'GET /consent/languages/{tag}',
  'POST /consent/banner/appearance',
  'GET /consent/regimes',
  'GET /dsar/metrics',
  'GET /settings',
  'GET /settings/consent-versions',
  'GET /dsar/assignees',
  'GET /dsar/cases',
  'POST /dsar/cases',
  'GET /dsar/cases/{id}',
  'PUT /dsar/cases/{id}',
  'POST /dsar/cases/{id}/approve',
  'GET /dsar/cases/{id}/completion',
  'GET /dsar/cases/{id}/erasure',
  'GET /dsar/cases/{id}/events',
  'POST /dsar/cases/{id}/events',
  'POST /dsar/cases/{id}/links',
  'GET /dsar/cases/{id}/package',
  'GET /dsar/cases/{id}/tasks',
  'GET /dsar/deletions',
  'PUT /dsar/tasks/{id}',
  'GET /mail',
  'POST /mail/{id}/retry',
  'PUT /settings',
  'POST /settings/import',
];

describe.each(ENGINES)('The roles on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_CHROMIUM: 'off' });
  const dsarClient = createDsarClient(app);
  const headers = {} as Record<Role, { authorization: string }>;
  beforeAll(async () => {
    for (const role of ROLE_NAMES) {
      const { login, applicationPassword } = await makeUser(app.platform, role);
      headers[role] = basic(login, applicationPassword);
    }
  });
  const ask = (role: Role, method: string, path: string, body?: object) =>
    app.http.request(method, `${ROOT}/svc/v1${path}`, {
      headers: headers[role],
      ...(body && { body }),
    });

  it('open exactly the routes that they are listed for, and refuse all others with 403', async () => {
    const { json } = await app.http.get(`${ROOT}/svc/v1/openapi.json`);
    const routes = Object.entries(json.paths as Record<string, Record<string, Operation>>)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
      )
      // Not those that a setting opens to everybody.
      .filter(
        ({ operation: { security } }) =>
          security[0] && security.every((way) => Object.keys(way).length > 0),
      );
    const open: Record<Role, string[]> = {
      administrator: [],
      editor: [],
      viewer: [],
      subscriber: [],
    };
    const all: string[] = [];
    for (const { method, path } of routes) {
      const name = `${method.toUpperCase()} ${path.replace('/svc/v1', '')}`;
      // One's own account is for everybody.
      if (name.includes(' /users/me')) continue;
      all.push(name);
      for (const role of ROLE_NAMES) {
        // The permission is looked at before the body, which is no JSON: nothing is done.
        const { status, json: body } = await app.http.post(
          `${ROOT}${path.replace('{id}', '1').replace(/\{\w+\}/, 'none')}`,
          { headers: { ...headers[role], 'x-http-method-override': method }, body: '{' },
        );
        if (status === 400) open[role].push(name);
        else expect([name, role, status, body.code]).toEqual([name, role, 403, 'rest_forbidden']);
      }
    }
    expect(open.subscriber).toEqual([]);
    expect(open.viewer.toSorted()).toEqual(VIEWER.toSorted());
    expect(open.editor.toSorted()).toEqual(EDITOR.toSorted());
    expect(open.administrator).toEqual(all);
  });

  it('are named in the description of every route that needs one', async () => {
    const { json } = await app.http.get(`${ROOT}/svc/v1/openapi.json`);
    expect(json.paths['/svc/v1/dsar/cases'].get.description).toContain(
      '`manage_privacy_requests`, which these roles have: administrator, editor.',
    );
    expect(json.paths['/svc/v1/retention/run'].post.description).toContain('administrator.');
    for (const capability of Object.keys(CAPABILITIES)) {
      if (capability !== 'read') expect(JSON.stringify(json)).toContain(`\`${capability}\``);
    }
  });

  it('let an editor change the texts of the banner and nothing else of the settings', async () => {
    const { json: before } = await ask('editor', 'GET', '/settings');
    const saved = await ask('editor', 'PUT', '/settings', {
      consent: {
        title: 'Written by an editor',
        translations: [{ language: 'de', title: 'Von der Redaktion' }],
        categories: before.consent.categories.map((each: object) => ({ ...each, label: 'Neu' })),
        // The same as before is no change.
        position: before.consent.position,
      },
      mail: before.mail,
    });
    expect([saved.status, saved.json.consent.title]).toEqual([200, 'Written by an editor']);
    for (const body of [
      { consent: { enabled: false } },
      { consent: { title: 'Mine', expiry_days: 1 } },
      { consent: { privacy_url: 'https://example.org/' } },
      { consent: { categories: before.consent.categories.slice(0, 1) } },
      {
        consent: {
          categories: before.consent.categories.map((each: object) => ({
            ...each,
            required: true,
          })),
        },
      },
      {
        consent: {
          categories: before.consent.categories.map((each: object) => ({
            ...each,
            own_use: 'statistics',
          })),
        },
      },
      { consent: { regimes: { mode: 'by_country' } } },
      { consent: { refused_until_days: 1 } },
      { mail: { reply_to: 'mine@example.com' } },
      { origins: { allowed: ['https://evil.example'] } },
      { scanner: { max_pages: 1 } },
    ]) {
      const { status, json } = await ask('editor', 'PUT', '/settings', body);
      expect([body, status, json.code]).toEqual([body, 403, 'rest_forbidden']);
      expect(json.message).toContain('texts and translations of the banner');
    }
    expect((await ask('editor', 'GET', '/settings')).json).toEqual(saved.json);
    expect((await ask('viewer', 'PUT', '/settings', {})).status).toBe(403);
  });

  it('let an editor handle a request from the assignment to the end, and see no other mails', async () => {
    const { id } = await dsarClient.request();
    const { login } = await makeUser(app.platform, 'editor');
    const assigned = await ask('editor', 'PUT', `/dsar/cases/${id}`, { assignee: login });
    expect([assigned.status, assigned.json.assignee]).toEqual([200, login]);
    const { json: assignees } = await ask('editor', 'GET', '/dsar/assignees');
    expect(assignees).toContainEqual({ login, role: 'editor' });
    expect(assignees.map(({ role }: { role: string }) => role)).not.toContain('viewer');
    const { login: viewer } = await makeUser(app.platform, 'viewer');
    expect((await ask('editor', 'PUT', `/dsar/cases/${id}`, { assignee: viewer })).status).toBe(
      400,
    );
    const { json: events } = await ask('editor', 'GET', `/dsar/cases/${id}/events`);
    expect(JSON.stringify(events)).toContain('assigned');
    await app.platform.datastore.db
      .updateTable('outbox_mails')
      .set({ about: 'licences/1', status: 'dead', sent_at: null })
      .where('kind', '=', 'dsar_acknowledgement')
      .execute();
    const all = (await ask('administrator', 'GET', '/mail')).json;
    const [other] = all.filter(({ about }: { about: string }) => about === 'licences/1');
    const seen = (await ask('editor', 'GET', '/mail')).json;
    expect(seen.map((mail: { id: number }) => mail.id)).not.toContain(other.id);
    expect((await ask('editor', 'GET', '/mail?about=licences/1')).json).toEqual([]);
    expect((await ask('editor', 'POST', `/mail/${other.id}/retry`)).status).toBe(404);
  });

  it('show a viewer what the site does, and no visitor or requester', async () => {
    expect((await ask('viewer', 'GET', '/consent/stats')).status).toBe(200);
    expect((await ask('viewer', 'GET', '/dsar/metrics')).status).toBe(200);
    for (const path of ['/consent/records', '/consent/records/export', '/dsar/cases', '/mail'])
      expect((await ask('viewer', 'GET', path)).status).toBe(403);
    const listed = await app.http.request('OPTIONS', `${ROOT}/svc/v1/vendors`, {
      headers: headers.viewer,
    });
    expect(listed.headers.get('allow')).toBe('GET');
  });
});

interface Operation {
  security: object[];
}
