import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePages } from '../../../test/support/pages.ts';
import { openScannerBrowser, type ScannerBrowser } from '../../../test/support/scanner-browser.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { createGuard } from './net/guard.ts';
import { guardedFetch } from './net/guarded-fetch.ts';
import { createPlanner } from './planner.ts';

const SITE = 'http://site.test';
const HOME = `<!doctype html><a href="/static">In the HTML</a><script>
  document.body.append(Object.assign(document.createElement('a'), { href: '/scripted' }));
</script>`;
const userAgent = 'PavisScanner/test';

const app = useTestApp('sqlite');
let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;
beforeAll(async () => {
  const page = '<!doctype html><p>A page</p>';
  pages = await servePages({
    [`${SITE}/`]: HOME,
    [`${SITE}/static`]: page,
    [`${SITE}/scripted`]: page,
  });
  engine = await openScannerBrowser({ siteOrigin: SITE, connectTo: pages.connectTo });
  // The start of the browser would count towards the time limit of the crawl.
  await engine.visit(`${SITE}/static`, AbortSignal.timeout(30_000));
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

it('plans pages that only scripts of the home page link to', async () => {
  const guard = createGuard({ siteOrigin: SITE, connectTo: pages.connectTo });
  const planner = createPlanner(
    app.platform,
    () => SITE,
    async () => ({
      engine,
      userAgent,
      fetch: (url, options) => guardedFetch(url, { ...options, guard, userAgent }),
      lookUpCnames: async () => new Map(),
    }),
  );
  const plan = await planner.crawl({
    depth: 1,
    maxPages: 10,
    deadlineMs: 30_000,
    ignoreRobots: false,
  });
  expect(plan.pages.map(({ url }) => url)).toEqual([
    `${SITE}/`,
    `${SITE}/static`,
    `${SITE}/scripted`,
  ]);
});
