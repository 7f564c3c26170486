import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { basic, makeUser } from '../../test/support/users.ts';
import { addApplicationPassword } from '../identity/users/index.ts';
import { listCapabilities, ROLE_NAMES, type Role } from '../platform/rest/capabilities.ts';
import { listUsableScopes, SCOPE_NAMES, type Scope } from '../platform/rest/scopes.ts';

const ROOT = '/wp-json/svc/v1';
const NEEDED = /needs the scope `([\w:-]+)`/;

describe.each(ENGINES)('Scopes of application passwords on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_CHROMIUM: 'off' });
  let made = 0;

  /** The credentials of a limited application password. */
  async function limit(login: string, scopes: readonly Scope[]) {
    const name = `limited ${++made}`;
    const { password } = await addApplicationPassword(app.platform, login, name, 'test', {
      scopes,
    });
    return basic(login, password);
  }

  /** Every route that is not public, and the scope that its description names. */
  async function listRoutes() {
    const { json } = await app.http.get(`${ROOT}/openapi.json`);
    return (
      Object.entries(json.paths as Record<string, Record<string, Operation>>)
        .flatMap(([path, item]) =>
          Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
        )
        // Not those that a setting opens to everybody, who read them without a scope.
        .filter(({ operation: { security } }) => security[0] && !security.some(isOpen))
        .map(({ method, path, operation: { description } }) => ({
          method,
          path: `/wp-json${path.replace('{id}', '1').replace(/\{\w+\}/, 'none')}`,
          name: `${method.toUpperCase()} ${path.replace('/svc/v1', '')}`,
          scope: NEEDED.exec(description)?.[1] as Scope | undefined,
          description,
        }))
    );
  }

  it('open exactly the routes whose description names them', async () => {
    const { login } = await makeUser(app.platform);
    const only = {} as Record<Scope, { authorization: string }>;
    const allBut = {} as Record<Scope, { authorization: string }>;
    for (const scope of SCOPE_NAMES) {
      only[scope] = await limit(login, [scope]);
      allBut[scope] = await limit(
        login,
        SCOPE_NAMES.filter((each) => each !== scope),
      );
    }
    const all = await limit(login, SCOPE_NAMES);
    // The permission is looked at before the body, which is no JSON: nothing is done.
    const ask = (path: string, method: string, headers: object) =>
      app.http.post(path, { headers: { ...headers, 'x-http-method-override': method }, body: '{' });
    const used = new Set<string>();
    for (const { name, method, path, scope } of await listRoutes()) {
      if (scope === undefined) {
        expect(name).toMatch(/^(?:POST|PUT|DELETE) \/users/);
        const { status, json } = await ask(path, method, all);
        expect([name, status, json.code]).toEqual([name, 403, 'rest_forbidden']);
        expect(json.message).toContain('Use one that has all rights');
        continue;
      }
      used.add(scope);
      expect([name, (await ask(path, method, only[scope])).status]).toEqual([name, 400]);
      const { status, json } = await ask(path, method, allBut[scope]);
      expect([name, status]).toEqual([name, 403]);
      expect(json).toEqual({
        code: 'rest_forbidden',
        message: `This application password lacks the scope ${scope}. Create one that has it.`,
        data: { status: 403, scope },
      });
    }
    expect([...used].toSorted()).toEqual(SCOPE_NAMES.toSorted());
  });

  it('are offered to a role if one of their routes is open to it', async () => {
    const routes = await listRoutes();
    for (const role of ROLE_NAMES) {
      const open = routes.filter(
        ({ description }) =>
          description.startsWith('For every user') ||
          /which these roles have: ([^.]+)\./.exec(description)?.[1]?.split(', ').includes(role),
      );
      const scopes = new Set(open.flatMap(({ scope }) => scope ?? []));
      const usable = listUsableScopes({ capabilities: listCapabilities(role) });
      expect([role, usable.toSorted()]).toEqual([role, [...scopes].toSorted()]);
    }
  });

  it('do not add to the rights of the role, also after the role has changed', async () => {
    const boss = await makeUser(app.platform);
    const { id, login } = await makeUser(app.platform, 'editor');
    const headers = await limit(login, ['dsar:read', 'settings:write']);
    const ask = (path: string) => app.http.get(`${ROOT}${path}`, { headers });
    expect((await ask('/dsar/cases')).status).toBe(200);
    expect((await ask('/settings')).json.data).toEqual({ status: 403, scope: 'settings:read' });
    // Not for editors, whatever the password.
    expect((await ask('/vendors')).json.data).toEqual({ status: 403 });
    const body = { roles: ['viewer'] };
    const by = basic(boss.login, boss.applicationPassword);
    expect(
      (await app.http.request('PUT', `${ROOT}/users/${id}`, { headers: by, body })).status,
    ).toBe(200);
    expect((await ask('/dsar/cases')).json.data).toEqual({ status: 403 });
    expect((await ask('/dsar/metrics')).status).toBe(200);
  });

  it('leave public routes open, and the Allow header lists what the password may do', async () => {
    const { login } = await makeUser(app.platform);
    const headers = await limit(login, ['vendors:read']);
    expect((await app.http.get(`${ROOT}/consent/status`, { headers })).status).toBe(200);
    const vendors = await app.http.get(`${ROOT}/vendors`, { headers });
    expect([vendors.status, vendors.headers.get('allow')]).toEqual([200, 'GET']);
  });

  it('limit what of the consent log is not public', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const path = `${ROOT}/consent/log/checkpoint`;
    const body = { consent_log: { public: false } };
    const headers = basic(login, applicationPassword);
    expect((await app.http.request('PUT', `${ROOT}/settings`, { headers, body })).status).toBe(200);
    const refused = await app.http.get(path, { headers: await limit(login, ['vendors:read']) });
    expect([refused.status, refused.json.data.scope]).toEqual([403, 'consent:read']);
    const answered = await app.http.get(path, { headers: await limit(login, ['consent:read']) });
    expect([200, 404]).toContain(answered.status);
  });

  it('keep a limited password out of the administration of licences', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const headers = await limit(login, SCOPE_NAMES);
    const { status, json } = await app.http.get('/console/licences', { headers });
    expect([status, json.code]).toEqual([403, 'rest_forbidden']);
    expect(json.message).toContain('Use an API token');
    const whole = basic(login, applicationPassword);
    expect((await app.http.get('/console/licences', { headers: whole })).status).toBe(200);
  });

  it('are set when the password is created, listed with it, and recorded in the security log', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const headers = basic(login, applicationPassword);
    const path = `${ROOT}/users/me/application-passwords`;
    const body = { name: 'Reports', scopes: ['scanner:read', 'consent:read', 'scanner:read'] };
    const { status, json } = await app.http.post(path, { headers, body });
    expect([status, json.scopes]).toEqual([201, ['consent:read', 'scanner:read']]);
    const listed = (await app.http.get(path, { headers })).json;
    expect(listed.map(({ name, scopes }: Named) => [name, scopes])).toEqual([
      ['tests', null],
      ['Reports', ['consent:read', 'scanner:read']],
    ]);
    const log = await app.http.get(`${ROOT}/security-log?event=application_password_added`, {
      headers,
    });
    expect(log.json[0].details).toEqual({
      name: 'Reports',
      scopes: ['consent:read', 'scanner:read'],
    });
  });

  it('that are missing are in the security log, once a minute for each scope', async () => {
    const boss = await makeUser(app.platform);
    const { login } = await makeUser(app.platform);
    const headers = await limit(login, ['vendors:read']);
    for (let count = 0; count < 3; count++) await app.http.get(`${ROOT}/scripts`, { headers });
    await app.http.post(`${ROOT}/users`, { headers });
    await app.http.get('/console/licences', { headers });
    await app.platform.securityLog.flush();
    const by = basic(boss.login, boss.applicationPassword);
    const { json } = await app.http.get(
      `${ROOT}/security-log?user=${login}&event=credential_refused`,
      {
        headers: by,
      },
    );
    const details = { method: 'application_password', reason: 'scope_missing' };
    expect(
      json.map((event: { details: object; count: number }) => [event.details, event.count]),
    ).toEqual([
      [details, 2],
      [{ ...details, scope: 'scripts:read' }, 3],
    ]);
  });

  it.each([
    [[], 'Choose at least one scope'],
    [['everything'], 'scopes[0]'],
    [['vendors:read'], 'vendors:read is of no use to the role editor. It can have: consent:read,'],
  ])('refuse %j for an editor', async (scopes, why) => {
    const { login, applicationPassword } = await makeUser(app.platform, 'editor');
    const { status, json } = await app.http.post(`${ROOT}/users/me/application-passwords`, {
      headers: basic(login, applicationPassword),
      body: { name: 'Reports', scopes },
    });
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(json.data.params.scopes).toContain(why);
  });

  it('are listed in words for each role', async () => {
    const list = async (role: Role) => {
      const { login, applicationPassword } = await makeUser(app.platform, role);
      const headers = basic(login, applicationPassword);
      return (await app.http.get(`${ROOT}/users/me/application-password-scopes`, { headers })).json;
    };
    expect(await list('subscriber')).toEqual([
      { scope: 'users:read', description: expect.stringContaining('account of the user') },
    ]);
    expect((await list('administrator')).map(({ scope }: { scope: string }) => scope)).toEqual(
      SCOPE_NAMES,
    );
  });
});

interface Operation {
  security: object[];
  description: string;
}

interface Named {
  name: string;
  scopes: string[] | null;
}

const isOpen = (way: object): boolean => Object.keys(way).length === 0;
