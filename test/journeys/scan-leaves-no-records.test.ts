import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemo } from '../support/demo.ts';
import { listen } from '../support/pages.ts';

interface Found {
  url: string;
  name: string;
  resource_type: string;
  consent_state: string;
}

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Scans one page as every client does. */
async function scanHome({ ask }: DemoServer): Promise<Found[]> {
  const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: 0 })).json;
  for (const url of urls) {
    const { json } = await ask('POST', '/scanner/scan-page', { scan_id, url });
    expect(json.error).toBeUndefined();
  }
  await ask('POST', '/scanner/complete', { scan_id });
  return (await ask('GET', `/scanner/results/${scan_id}`)).json.results;
}

async function expectNoRecords({ ask }: DemoServer): Promise<void> {
  expect((await ask('GET', '/consent/records')).json).toEqual([]);
  const { total, categories } = (await ask('GET', '/consent/stats')).json;
  const counts = Object.values<{ accepted: number; rejected: number }>(categories);
  expect([total, ...counts.map(({ accepted, rejected }) => accepted + rejected)]).toEqual([
    ...[0, 0, 0, 0, 0],
  ]);
}

const afterConsent = (found: readonly Found[]) =>
  found.filter(({ consent_state }) => consent_state === 'after').map(({ name }) => name);

describe('a scan creates no consent records', () => {
  it('on the demo site of the same process', async () => {
    const demo = await startDemo();
    closing.push(() => demo.close());
    for (let scan = 0; scan < 2; scan++) {
      const found = await scanHome(demo);
      expect(afterConsent(found)).not.toEqual([]);
      // The banner stored the choice.
      expect(found).toContainEqual(expect.objectContaining({ name: 'pavis_consent' }));
    }
    await expectNoRecords(demo);
  });

  it('on a site with the banner of another Pavis and another secret', async () => {
    let page = '';
    const site = createServer(({ url }, response) => {
      const isPage = url === '/';
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' });
      response.end(isPage ? page : `document.cookie = 'held=1; max-age=86400'`);
    });
    const siteUrl = `http://localhost:${await listen(site)}`;
    closing.push(() => site.close());
    const service = await startDemo({ PAVIS_SITE_URL: siteUrl });
    closing.push(() => service.close());
    page = `<!doctype html><title>A site</title><script src="${service.server.url}/banner.js"></script>
      <script type="text/plain" data-category="analytics" src="/held.js"></script><h1>A site</h1>`;
    const { host } = new URL(service.server.url);
    const scanner = await startDemo({
      PAVIS_SITE_URL: siteUrl,
      PAVIS_SCANNER_CONNECT_TO: `${host}=${host}`,
    });
    closing.push(() => scanner.close());

    for (let scan = 0; scan < 2; scan++) {
      const found = await scanHome(scanner);
      expect(afterConsent(found)).toContain('held');
      expect(found).toContainEqual(
        expect.objectContaining({
          resource_type: 'api_call',
          url: `${service.server.url}/wp-json/svc/v1/consent`,
        }),
      );
    }
    await expectNoRecords(service);
    await expectNoRecords(scanner);
  });
});
