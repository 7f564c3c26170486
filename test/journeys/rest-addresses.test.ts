import { describe, expect, it } from 'vitest';
import { basicAuth } from '../support/makers.ts';
import { sendRaw } from '../support/raw.ts';
import { useTestApp } from '../support/test-app.ts';

const STATUS = '/svc/v1/consent/status';

/*
 * Measured on WordPress 6.1: by PATH_INFO, as behind `/index.php/`, its server decodes and cleans paths, and
 * `?rest_route=` is decoded like any parameter.
 */
describe('the addresses of the plugin API', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_CONSENT: '1' });
  /** Unchanged: `fetch` would normalise the path. */
  const get = (path: string, more = '') =>
    sendRaw(app.url, `GET ${path} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\n${more}\r\n`);

  it.each([
    `/index.php/wp-json${STATUS}`,
    `/index.php/wp-json${STATUS}/`,
    `/index.php//wp-json${STATUS}`,
    `/index.php/wp-json/svc/v1/%63onsent/status`,
    '/wp-json/svc/v1/%63onsent/status',
    '/wp-json/svc/v1/%63%6Fnsent/status?x=%63',
    '/%77p-json/svc/v1/consent/status',
    `//wp-json${STATUS}`,
    `/wp-json/${STATUS}`,
    '/wp-json/svc/v1//consent///status',
    `/wp-json${STATUS}//`,
    `/?rest_route=${STATUS}`,
    `//?rest_route=${STATUS}`,
    `/index.php/?rest_route=${STATUS}`,
    '/index.php?rest_route=/svc/v1/%63onsent/status',
    `http://pavis/wp-json${STATUS}`,
    `HTTPS://elsewhere.example:8443/index.php/wp-json${STATUS}`,
    `http://pavis?rest_route=${STATUS}`,
  ])('find the consent status at %s', async (path) => {
    const usual = await get(`/wp-json${STATUS}`);
    expect(usual.status).toBe(200);
    const { status, text, headers } = await get(path);
    expect([status, text]).toEqual([200, usual.text]);
    for (const name of usual.headers.keys()) {
      const isOwn = ['date', 'x-request-id'].includes(name);
      if (!isOwn) expect([name, headers.get(name)]).toEqual([name, usual.headers.get(name)]);
    }
  });

  it.each([
    '/index.php/wp-json',
    '/index.php/wp-json/',
    '//wp-json',
    '//wp-json//',
    '/wp-json//',
    '/?rest_route=/',
  ])('find the index at %s', async (path) => {
    expect((await get(path)).json).toMatchObject({ namespaces: ['svc/v1'] });
  });

  it.each([
    '/wp-json/svc%2Fv1/consent/status',
    '/wp-json/svc/v1/%2563onsent/status',
    '/wp-json/svc/v1/./consent/status',
    '/wp-json/svc/v1/consent/status%20',
    '/wp-json/svc/v1/x/../consent/status',
    '/wp-json/svc/v1/x/%2E%2E/consent/status',
    `/?rest_route=/${STATUS}`,
    '/?rest_route=svc/v1/consent/status',
    '/index.php/wp-json/svc/v1/nothing',
  ])('have no route at %s', async (path) => {
    const { status, json } = await get(path);
    expect([status, json.code]).toEqual([404, 'rest_no_route']);
  });

  it('ignore an empty rest_route', async () => {
    const { status, headers } = await get('/?rest_route=');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('do not affect other addresses', async () => {
    for (const path of ['/index.php', '//health', '/%68ealth/x', '/index.php/licence/validate'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('cannot bypass permissions, limits or origins by spelling', async () => {
    const admin = await basicAuth(app.platform);
    const spellings = [
      '/wp-json/svc/v1/consent/records',
      '/wp-json/svc/v1/%63onsent/records',
      '/index.php/wp-json//svc/v1/consent/%72ecords',
      'http://pavis/wp-json/svc/v1/consent/records',
    ];
    for (const path of spellings) {
      expect((await get(path)).status).toBe(401);
      expect((await get(path, `Authorization: ${admin.authorization}\r\n`)).status).toBe(200);
    }
    const post = (path: string, visitor: string, more = '') => {
      const body = JSON.stringify({ visitor_id: visitor, consent_action: 'reject_all' });
      return sendRaw(
        app.url,
        `POST ${path} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`,
      );
    };
    const ways = [
      '/wp-json/svc/v1/consent',
      '/wp-json/svc/v1/%63onsent',
      '//wp-json//svc/v1/consent',
      'http://pavis/wp-json/svc/v1/consent',
    ];
    const evil = 'Origin: https://evil.example.com\r\n';
    for (const path of ways) {
      const refused = await post(path, 'from-elsewhere', evil);
      expect([path, refused.status, refused.json.code]).toEqual([
        path,
        403,
        'rest_forbidden_origin',
      ]);
    }
    // Choices of a visitor are counted together, regardless of the route: 60 a minute.
    const statuses: number[] = [];
    for (let n = 0; n < 66; n++)
      statuses.push((await post(ways[n % ways.length] as string, 'one-visitor')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual(Array(6).fill(429));
  });

  it('are logged by route', async () => {
    await get('/index.php/wp-json//svc/v1/%76endors');
    await get('http://pavis/wp-json/svc/v1/scripts');
    for (const route of ['vendors', 'scripts'])
      expect(app.logged()).toContain(`"path":"/wp-json/svc/v1/${route}"`);
    expect(app.logged()).not.toContain('%76endors');
  });
});

describe('the addresses of a REST root in a folder', () => {
  const app = useTestApp('sqlite', { PAVIS_REST_ROOT: 'https://example.com/blog/wp-json' });
  const get = (path: string) =>
    sendRaw(app.url, `GET ${path} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\n\r\n`);

  it.each([
    `/blog/wp-json${STATUS}`,
    `/blog/?rest_route=${STATUS}`,
    `/blog?rest_route=${STATUS}`,
    `/blog/index.php?rest_route=${STATUS}`,
    `/blog//index.php/?rest_route=${STATUS}`,
    `/blog/index.php/wp-json${STATUS}`,
    `/?rest_route=${STATUS}`,
  ])('find the consent status at %s', async (path) => {
    const { status, json } = await get(path);
    expect([status, json.enabled]).toEqual([200, true]);
  });

  it.each([
    `/wp-json${STATUS}`,
    `/index.php/wp-json${STATUS}`,
    `/blogs/?rest_route=${STATUS}`,
    `/blog/x/?rest_route=${STATUS}`,
    '/blog/',
  ])('do not include %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
