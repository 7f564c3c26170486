import { afterAll, describe, expect, it } from 'vitest';
import { makeLicence } from '../support/makers.ts';
import { dataFolder, pavis } from '../support/process.ts';
import { sendRaw } from '../support/raw.ts';
import { useTestApp } from '../support/test-app.ts';

const BASE_URL = 'http://127.0.0.1/api/v2';

describe('a PAVIS_BASE_URL with a path', () => {
  const app = useTestApp('sqlite', { PAVIS_BASE_URL: BASE_URL });

  it('is the prefix of every route of the Licence API, and the root has none', async () => {
    const { key } = await makeLicence(app.platform);
    const request = {
      headers: { 'x-licence-key': key },
      body: { licence_key: key, site_url: 'https://example.com' },
    };
    for (const verb of ['activate', 'validate', 'deactivate']) {
      expect((await app.http.post(`/api/v2/licence/${verb}`, request)).status).toBe(200);
      expect((await app.http.post(`/licence/${verb}`, request)).status).toBe(404);
    }
    for (const [path, status] of [
      ['/health', 200],
      ['/openapi.json', 200],
      ['/licence/info', 401],
      ['/customer/licences', 401],
    ]) {
      expect([path, (await app.http.get(`/api/v2${path}`)).status]).toEqual([path, status]);
      expect([path, (await app.http.get(`${path}`)).status]).toEqual([path, 404]);
    }
  });

  it.each([
    ['GET', '/api/v2/nope', 404, 'not_found'],
    ['GET', '/api/v2', 404, 'not_found'],
    ['GET', '/api/v20/health', 404, 'not_found'],
    ['GET', '/nope', 404, 'not_found'],
    ['GET', '/api/v2/%zz', 400, 'invalid_request'],
    ['PUT', '/api/v2/health', 405, 'method_not_allowed'],
    ['POST', '/api/v2/licence/validate', 401, 'unauthorised'],
  ])('has errors in the format of the Licence API: %s %s', async (method, path, status, error) => {
    const answer = await sendRaw(
      app.url,
      `${method} ${path} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(answer.status).toBe(status);
    expect(answer.json).toStrictEqual({ error, message: expect.stringMatching(/\S/) });
  });

  it('does not change the plugin API and its errors', async () => {
    const { status, json } = await app.http.get('/wp-json/svc/v1/nope');
    expect(status).toBe(404);
    expect(json).toStrictEqual({
      code: 'rest_no_route',
      message: expect.stringMatching(/\S/),
      data: { status: 404 },
    });
  });

  it('is the server in openapi.json, whose paths do not repeat it', async () => {
    const { json } = await app.http.get('/api/v2/openapi.json');
    expect(json.servers).toEqual([{ url: BASE_URL }]);
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining([
        '/health',
        '/licence/validate',
        '/licence/info',
        '/customer/licences',
      ]),
    );
    expect(Object.keys(json.paths).filter((path) => path.startsWith('/api'))).toEqual([]);
  });

  it('is part of the documentation address in the response to an unknown path', async () => {
    const { json } = await app.http.get('/api/v2/nope');
    expect(json.message).toContain('/api/v2/openapi.json');
  });
});

describe('a PAVIS_REST_ROOT below PAVIS_BASE_URL', () => {
  const app = useTestApp('sqlite', {
    PAVIS_BASE_URL: BASE_URL,
    PAVIS_REST_ROOT: `${BASE_URL}/wp-json`,
  });

  it('gives each path the errors of the API with the longest matching prefix', async () => {
    const plugin = await app.http.get('/api/v2/wp-json/svc/v1/nope');
    expect([plugin.status, plugin.json.code]).toEqual([404, 'rest_no_route']);
    const licence = await app.http.get('/api/v2/wp-jsonx');
    expect([licence.status, licence.json.error]).toEqual([404, 'not_found']);
  });
});

describe('a path at which Pavis serves something else', () => {
  const folder = dataFolder();
  afterAll(() => folder.remove());

  it.each([
    [
      { PAVIS_REST_ROOT: 'http://127.0.0.1/admin' },
      'PAVIS_REST_ROOT is "http://127.0.0.1/admin": Pavis serves something else at /admin: set another path, for example https://example.com/path',
    ],
    [
      { PAVIS_REST_ROOT: 'http://127.0.0.1/health' },
      'PAVIS_BASE_URL or PAVIS_REST_ROOT has a path at which Pavis serves something else (/health): set another path, for example https://example.com/wp-json',
    ],
  ])('ends the start with exit code 2 and one line: %j', async (setting, message) => {
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_PORT: '0', PAVIS_CHROMIUM: 'off', ...setting };
    const { code, stderr } = await pavis(['serve', '--json'], env);
    expect([code, stderr]).toEqual([2, `pavis: ${message}\n`]);
  });

  it('is reported by config and doctor', async () => {
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_BASE_URL: 'http://127.0.0.1/admin' };
    const { code, stderr } = await pavis(['config'], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('serves something else at /admin')]);
    const { stdout } = await pavis(['doctor'], env);
    expect(stdout).toContain('FAIL  settings: PAVIS_BASE_URL is "http://127.0.0.1/admin"');
  });
});

describe.each([
  ['licence', 'PAVIS_BASE_URL', '/admin', '/health'],
  ['licence', 'PAVIS_BASE_URL', '/privacy', '/health'],
  ['plugin', 'PAVIS_REST_ROOT', '/account', '/svc/v1/consent/status'],
])('a process with the service %s only', (service, setting, path, route) => {
  const app = useTestApp('sqlite', {
    PAVIS_SERVICES: service,
    [setting]: `http://127.0.0.1${path}`,
  });

  it(`serves its API at ${path}, where the other service has a page`, async () => {
    expect((await app.http.get(path + route)).status).toBe(200);
    const lost = await app.http.get(`${path}/nope`);
    expect([lost.status, lost.json.message]).toEqual([404, expect.stringMatching(/\S/)]);
  });
});

describe('a process without the Licence API', () => {
  const app = useTestApp('sqlite', {
    PAVIS_SERVICES: 'plugin',
    PAVIS_REST_ROOT: 'http://127.0.0.1/blog/wp-json',
  });

  it('names the document of the plugin API for an unknown path', async () => {
    const { status, json } = await app.http.get('/licence/validate');
    expect([status, json.error]).toEqual([404, 'not_found']);
    const [document = ''] = json.message.match(/\/\S+\.json/);
    expect((await app.http.get(document)).json.openapi).toBe('3.1.0');
  });
});
