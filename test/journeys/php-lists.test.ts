import imported from '@wordpress/api-fetch';
import { addQueryArgs, buildQueryString } from '@wordpress/url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import WPAPI from 'wpapi';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';
import { makeUser, signIn } from '../support/users.ts';

// Its types declare the module as its own default export.
const apiFetch = imported as unknown as typeof imported.default;

const ROOT = '/wp-json/svc/v1';
const FORM = 'application/x-www-form-urlencoded';

describe('lists as PHP and WordPress encode them', () => {
  const app = useTestApp('sqlite');
  const realFetch = globalThis.fetch;
  let headers: Record<string, string>;
  let made = 0;

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  const newVisitor = () => `php-${++made}`;

  async function recordOf(visitor: string) {
    const found = await app.http.get(`${ROOT}/consent/records?search=${visitor}`, { headers });
    expect(found.json).toHaveLength(1);
    return found.json[0];
  }

  const CHOICE = {
    consent_action: 'manage',
    categories_accepted: ['analytics', 'personalisation'],
    categories_rejected: ['marketing'],
  };
  const STORED = {
    consent_action: 'manage',
    categories_accepted: ['functional', 'analytics', 'personalisation'],
    categories_rejected: ['marketing'],
  };

  /** Form fields of a consent choice; `nameAt` names the items of each list. */
  const pairsOf = (nameAt: (list: string, at: number) => string): [string, string][] =>
    Object.entries(CHOICE).flatMap(([name, value]) =>
      typeof value === 'string'
        ? [[name, value] as [string, string]]
        : value.map((item, at): [string, string] => [nameAt(name, at), item]),
    );

  const WAYS = {
    'with indexes, as http_build_query writes them': (list: string, at: number) => `${list}[${at}]`,
    'with empty brackets': (list: string) => `${list}[]`,
    'with gaps, as array_filter leaves them': (list: string, at: number) =>
      `${list}[${at * 2 + 1}]`,
  };

  it.each(Object.entries(WAYS))('are stored completely from a form %s', async (_way, nameAt) => {
    const visitor = newVisitor();
    const body = new URLSearchParams([['visitor_id', visitor], ...pairsOf(nameAt)]).toString();
    const { status } = await app.http.post(`${ROOT}/consent`, {
      headers: { 'content-type': FORM },
      body,
    });
    expect(status).toBe(200);
    expect(await recordOf(visitor)).toMatchObject(STORED);
  });

  it.each(Object.entries(WAYS))(
    'are stored completely from a multipart form %s',
    async (_, nameAt) => {
      const visitor = newVisitor();
      const body = new FormData();
      for (const [name, value] of [['visitor_id', visitor], ...pairsOf(nameAt)] as const)
        body.append(name as string, value as string);
      const answer = await fetch(`${app.url}${ROOT}/consent`, { method: 'POST', body });
      expect(answer.status).toBe(200);
      expect(await recordOf(visitor)).toMatchObject(STORED);
    },
  );

  it.each(Object.entries(WAYS))('are stored completely from a query %s', async (_way, nameAt) => {
    const visitor = newVisitor();
    const query = new URLSearchParams([['visitor_id', visitor], ...pairsOf(nameAt)]);
    const { status } = await app.http.post(`${ROOT}/consent?${query}`);
    expect(status).toBe(200);
    expect(await recordOf(visitor)).toMatchObject(STORED);
  });

  it('are stored completely from JSON that PHP encodes as an object because of gaps', async () => {
    const visitor = newVisitor();
    const body = { ...CHOICE, visitor_id: visitor, categories_accepted: { 1: 'analytics' } };
    expect((await app.http.post(`${ROOT}/consent`, { body })).status).toBe(200);
    expect((await recordOf(visitor)).categories_accepted).toEqual(['functional', 'analytics']);
  });

  it.each([
    ['categories_accepted[k]=analytics', 'categories_accepted is not of type array.'],
    [
      'categories_accepted[k]=analytics&categories_accepted[]=x',
      'categories_accepted is not of type array.',
    ],
    ['categories_accepted[0][0]=analytics', 'categories_accepted[0] is not of type string.'],
    ['source[]=banner', 'source is not of type string.'],
  ])('are rejected where WordPress rejects them: %s', async (pairs, says) => {
    const visitor = newVisitor();
    const body = `visitor_id=${visitor}&consent_action=manage&${pairs}`;
    const { status, json } = await app.http.post(`${ROOT}/consent`, {
      headers: { 'content-type': FORM },
      body,
    });
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.values(json.data.params)).toEqual([says]);
    const found = await app.http.get(`${ROOT}/consent/records?search=${visitor}`, { headers });
    expect(found.json).toEqual([]);
  });

  it('are stored completely from @wordpress/url, sent with @wordpress/api-fetch', async () => {
    const visitor = newVisitor();
    const url = `${app.url}${ROOT}/consent`;
    const choice = { ...CHOICE, visitor_id: visitor };
    await apiFetch({ url: addQueryArgs(url, choice), method: 'POST' });
    expect(await recordOf(visitor)).toMatchObject(STORED);

    const other = newVisitor();
    const body = buildQueryString({ ...CHOICE, visitor_id: other });
    await apiFetch({ url, method: 'POST', headers: { 'Content-Type': FORM }, body });
    expect(await recordOf(other)).toMatchObject(STORED);
  });

  it('select fields and roles, by indexes and with gaps', async () => {
    const editor = await makeUser(app.platform, 'editor');
    for (const query of [
      'roles[0]=editor&_fields[0]=username&_fields[1]=roles',
      'roles[3]=editor&_fields[2]=username&_fields[7]=roles',
      'roles[]=editor&_fields[]=username&_fields[]=%20roles',
      'roles=editor&_fields=username,roles',
      'roles[0]=editor&_fields[a]=username&_fields[b]=roles',
    ]) {
      const { status, json } = await app.http.get(`${ROOT}/users?${query}`, { headers });
      expect([query, status]).toEqual([query, 200]);
      expect(json).toContainEqual({ username: editor.login, roles: ['editor'] });
      for (const user of json) expect(user.roles).toEqual(['editor']);
    }
    const refused = await app.http.get(`${ROOT}/users?roles[k]=editor`, { headers });
    expect([refused.status, refused.json.data.params]).toEqual([
      400,
      { roles: 'roles is not of type array.' },
    ]);
  });

  it('select fields and roles as @wordpress/api-fetch and wpapi send them', async () => {
    const editor = await makeUser(app.platform, 'editor');
    const admin = await makeUser(app.platform);
    const { cookie, nonce } = await signIn(app.http, admin);
    globalThis.fetch = (input, init) => {
      // Replaces the nonce of middleware that other tests of this process registered.
      const headers = new Headers(init?.headers);
      headers.set('cookie', cookie);
      headers.set('x-wp-nonce', nonce);
      return realFetch(input, { ...init, headers });
    };
    const query = { roles: ['editor'], _fields: ['username', 'roles'], per_page: 100 };
    const wanted = { username: editor.login, roles: ['editor'] };
    const listed = await apiFetch<object[]>({
      url: addQueryArgs(`${app.url}${ROOT}/users`, query),
    });
    expect(listed).toContainEqual(wanted);
    for (const user of listed) expect(Object.keys(user)).toEqual(['username', 'roles']);
    globalThis.fetch = realFetch;

    const { routes } = (await app.http.get(ROOT)).json;
    const { login: username, applicationPassword: password } = admin;
    const site = new WPAPI({ endpoint: `${app.url}/wp-json`, routes, username, password });
    const users = site.namespace('svc/v1').users();
    const found = await users.param('roles', ['editor']).param('_fields', ['username', 'roles']);
    expect(found).toContainEqual(wanted);
  });

  it('change settings from a nested form', async () => {
    const body = buildQueryString({
      consent: { languages: ['en', 'de'], translations: [{ language: 'de', title: 'Hallo' }] },
    });
    const { status, json } = await app.http.request('PUT', `${ROOT}/settings`, {
      headers: { ...headers, 'content-type': FORM },
      body,
    });
    expect([status, json.consent?.languages]).toEqual([200, ['en', 'de']]);
    expect(json.consent.translations).toEqual([{ language: 'de', title: 'Hallo' }]);
  });
});
