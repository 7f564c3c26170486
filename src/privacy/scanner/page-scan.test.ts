import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { readSettings } from '../settings/index.ts';
import { createPageScan } from './page-scan.ts';
import { getScan } from './scans.ts';
import { insertScan } from './store.ts';
import type { CrawlLimit } from './tables.ts';

const SITE = 'https://shop.example';

describe.each(ENGINES)('The pages that a scanned page links to, on %s', (name) => {
  const app = useTestApp(name);

  it.each<[CrawlLimit | null, string[], CrawlLimit | null]>([
    [null, ['/a'], null],
    [null, ['/a', '/b'], 'max_pages'],
    ['sitemaps', ['/a'], 'sitemaps'],
    ['sitemaps', ['/a', '/b'], 'max_pages'],
    ['variants', ['/a', '/b'], 'max_pages'],
    ['time', ['/a', '/b'], 'time'],
  ])(
    'leave the limit of the crawl, or replace it by that of the pages (%s, %s)',
    async (crawlLimit, links, expected) => {
      const { platform } = app;
      const { datastore, clock } = platform;
      const scanId = await datastore.transaction((trx) =>
        insertScan(
          trx,
          {
            ...{ siteUrl: SITE, depth: 1, engine: 'html', robotsExcluded: 0, crawlLimit },
            ...{ runner: 'client', states: ['before'], startedBy: 'request' },
            startedAt: clock.now(),
          },
          [{ url: `${SITE}/`, distance: 0 }],
        ),
      );
      const engine = {
        name: 'html',
        visit: async (url: string) => ({ url, finalUrl: url, observations: [], partial: false }),
        close: async () => {},
      };
      const fetch = () => Promise.reject(new Error('nothing is fetched'));
      const lookUpCnames = async () => new Map();
      const urls = links.map((path) => new URL(path, SITE));
      const scanPage = createPageScan(platform, {
        siteUrl: () => SITE,
        addresses: () => ({ baseUrl: app.url, restRoot: app.url }),
        openEngine: async () => ({ engine, fetch, userAgent: 'test', lookUpCnames }),
        planner: {
          crawl: () => Promise.reject(new Error('the scan is planned')),
          findLinkedPages: async () => ({ urls, distance: 1 }),
        },
        readCurrent: () => readSettings(datastore.db, app.url),
        readLimits: async () => ({ maxPages: 2, ignoreRobots: false }),
      });
      expect((await scanPage(scanId, `${SITE}/`)).discovered).toEqual([`${SITE}/a`]);
      expect((await getScan(datastore.db, scanId)).crawlLimit).toBe(expected);
    },
  );
});
