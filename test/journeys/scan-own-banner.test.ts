import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { startDemo } from '../support/demo.ts';
import { listen } from '../support/pages.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

it('A Google tag that the own banner loads after consent is reported as loaded after consent', async () => {
  let page = '';
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  const siteUrl = `http://localhost:${await listen(site)}`;
  closing.push(() => site.close());
  const { server, close } = await startDemo({ PAVIS_SITE_URL: siteUrl });
  closing.push(close);
  page = `<!doctype html><title>A site</title><script src="${server.url}/banner.js"></script>
    <script type="text/plain" data-category="analytics"
      src="https://www.googletagmanager.com/gtag/js?id=G-ABC123DEF4"></script>
    <script type="text/plain" data-category="analytics">
      window.dataLayer = [['config', 'AW-123456789']];
    </script>`;
  const { host } = new URL(server.url);
  const scanner = await startDemo({
    PAVIS_SITE_URL: siteUrl,
    PAVIS_SCANNER_CONNECT_TO: `${host}=${host}`,
  });
  closing.push(() => scanner.close());

  const { scan_id, urls } = (await scanner.ask('POST', '/scanner/start', { scan_depth: 0 })).json;
  const scanned = await scanner.ask('POST', '/scanner/scan-page', { scan_id, url: urls[0] });
  expect(scanned.json.banner).toBe('accepted');
  const { results, urls: pages } = (await scanner.ask('GET', `/scanner/results/${scan_id}`)).json;
  expect(pages).toMatchObject([{ url: urls[0], banner: 'accepted' }]);
  const google = results.filter(({ host }: { host: string }) => /google/.test(host));
  expect(
    google
      .map((found: Record<string, unknown>) => [
        found.resource_type,
        found.name,
        found.consent_state,
        found.needs_consent,
      ])
      .sort(),
  ).toEqual([
    ['gtm_tag', 'AW-123456789', 'after', false],
    ['gtm_tag', 'G-ABC123DEF4', 'after', false],
    ['script', 'Google Analytics', 'after', false],
  ]);
});
