import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { listen } from '../../../test/support/pages.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { isOwnService } from './own-service.ts';

const ROOT = '/wp-json/svc/v1';

describe('The own service', () => {
  const own = {
    baseUrl: 'https://licences.example',
    restRoot: 'https://privacy.example:8443/api/wp-json/',
  };
  const PRIVACY = 'https://privacy.example:8443';
  it.each([
    [`${PRIVACY}/banner.js`],
    [`${PRIVACY}/banner.js?language=de`],
    [`${PRIVACY}/banner.preferences.js?v=a1b2&0`],
    [`${PRIVACY}/declaration.js`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/texts?language=de&version=0`],
    ['https://licences.example/banner.esm.js'],
  ])('has %s', (url) => {
    expect(isOwnService(url, own)).toBe(true);
  });

  it.each([
    ['https://privacy.example/banner.js'],
    ['https://cdn.example/banner.js'],
    [`${PRIVACY}/matomo.js`],
    [`${PRIVACY}/files/banner.js`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/records`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/status/../records`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/status%2f..%2frecords`],
    [`${PRIVACY}/api/wp-json/svc/v1/users`],
    [`${PRIVACY}/?rest_route=/svc/v1/consent/status`],
    ['not a URL'],
  ])('does not have %s', (url) => {
    expect(isOwnService(url, own)).toBe(false);
  });

  it('has all names of this machine', () => {
    const here = 'http://127.0.0.1:8787';
    const addresses = { baseUrl: here, restRoot: `${here}/wp-json` };
    const isOwn = (origin: string) => isOwnService(`${origin}/banner.js`, addresses);
    const others = [
      'http://localhost:8788',
      'http://10.0.0.1:8787',
      'http://localhost.example:8787',
    ];
    expect(['http://localhost:8787', 'http://[::1]:8787'].map(isOwn)).toEqual([true, true]);
    expect(others.map(isOwn)).toEqual([false, false, false]);
  });
});

let page = '';
const site = createServer(({ url }, response) => {
  response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(page);
});
const siteUrl = `http://127.0.0.1:${await listen(site)}`;
afterAll(() => {
  site.close();
});

describe.each(ENGINES)('A scan of a site beside this server, on %s', (engine) => {
  const asked: (string | undefined)[] = [];
  const app = useTestApp(engine, { PAVIS_SITE_URL: siteUrl }, (server) => {
    server.addHook('onRequest', async ({ raw }) => void asked.push(raw.url));
  });
  const other = '/docs/banner/of-another';

  it('finds the banner, and does not take it for a resource of a third party', async () => {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    page = `<!doctype html><title>A site</title><script src="${app.url}/banner.js"></script>
      <script src="${app.url}${other}"></script>`;
    const states = ['before', 'rejected', 'accepted', 'withdrawn'];
    const started = await ask('POST', '/scanner/start', { scan_depth: 0, states });
    const { scan_id, urls } = started.json;
    const scanned = await ask('POST', '/scanner/scan-page', { scan_id, url: urls[0] });
    expect(scanned.json.banner).toBe('accepted');
    const { json } = await ask('GET', `/scanner/results/${scan_id}`);
    const found = json.results.map(({ url }: { url: string }) => url);
    expect(
      found.filter((url: string) => /banner|\/consent/.test(url.slice(app.url.length))),
    ).toEqual([app.url + other]);
    expect(asked).toContain('/banner.js');
    expect(asked).not.toContain(other);
    const reached = { outcome: 'reached', pages: 1, ended_early: 0 };
    expect(json.outcomes).toEqual(states.map((state) => ({ state, ...reached })));
  });
});
