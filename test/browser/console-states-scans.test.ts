import { beforeAll, describe } from 'vitest';
import {
  type CookieObservation,
  type LoadObservation,
  observed,
} from '../../src/privacy/scanner/observation.ts';
import { createDsarClient } from '../support/dsar.ts';
import { fill } from '../support/filled.ts';
import {
  insertTestScan,
  makeBanner,
  makeControl,
  makeStateVisit,
  saveVisit,
} from '../support/scan-visits.ts';
import { useStates } from '../support/states.ts';

/** One colour, 1366 by 768 pixels. */
const PICTURE = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvVcW/EAcQERGIiP4HAA==', 'base64');
const SCRIPT_URL = 'https://www.google-analytics.com/g/collect?v=2&gcs=G100&gcd=13p3p3p3p5l1';
const ping = {
  url: SCRIPT_URL,
  method: 'POST',
  kind: 'request',
  at: 300,
  isAfterChoice: false,
} as const;
const script = {
  ...observed('network', 'before', 'https://example.com/'),
  evidence: [{ state: 'before', url: 'https://www.googletagmanager.com/gtag/js', at: 200 }],
  kind: 'script',
  url: 'https://www.googletagmanager.com/gtag/js',
  method: 'GET',
} satisfies LoadObservation;

describe('States of scans in the console', () => {
  const on = useStates();
  const { app, at, text, field, press, never, refuse, areForEverybody } = on;
  const dsarClient = createDsarClient(app);

  const start = async (): Promise<number> =>
    (await dsarClient.admin('POST', '/scanner/start', { scan_depth: 1 })).json.scan_id;
  const complete = (scan_id: number) => dsarClient.admin('POST', '/scanner/complete', { scan_id });
  /** Creates a scan and sets the outcome of its pages. */
  async function scanned(outcome: {
    state: 'scanned' | 'failed';
    partial?: 0 | 1;
    error?: string;
    banner?: 'accepted' | 'not_accepted';
  }): Promise<number> {
    const id = await start();
    await app.platform.datastore.db
      .updateTable('scan_pages')
      .set(outcome)
      .where('scan_id', '=', id)
      .execute();
    return id;
  }

  describe('without findings', () => {
    let failed: number;
    let quiet: number;
    let left: number;
    beforeAll(async () => {
      failed = await scanned({ state: 'failed', error: 'net::ERR_CONNECTION_REFUSED' });
      await complete(failed);
    });

    areForEverybody({
      'the only scan': async () => {
        await at(`/scanner/${failed}?view=changes`);
        return text('No other scan to compare with');
      },
      'where all pages failed': async () => {
        await at(`/scanner/${failed}`);
        await text(/^\d+ failed$/).waitFor();
        return text('No page could be scanned');
      },
      'pages that all failed': async () => {
        await at(`/scanner/${failed}?view=pages`);
        return text('net::ERR_CONNECTION_REFUSED');
      },
      'an overview after pages failed': async () => {
        await at('/');
        return text(/pages? could not be scanned/);
      },
      'an overview without open tasks': async () => {
        quiet = await scanned({ state: 'scanned' });
        await complete(quiet);
        await at('/');
        return text('No open tasks');
      },
      'no vendor': async () => {
        await at(`/scanner/${quiet}?view=vendors`);
        return text('No vendors found');
      },
      'no unknown host': async () => {
        await at(`/scanner/${quiet}?view=unknown`);
        return text('No unrecognised domains');
      },
      'an overview with a check that cannot be loaded': async () => {
        await refuse(
          '/dsar/cases?*',
          403,
          'rest_forbidden',
          'Sorry, you are not allowed to do that.',
        );
        await at('/');
        return text('Some checks could not run');
      },
      'the first scan, with a choice of scans to compare': async () => {
        await at(`/scanner/${failed}?view=changes`);
        return on.page.getByLabel('Compare with');
      },
      'a scan to compare only with one that could scan no page': async () => {
        await at(`/scanner/${quiet}?view=changes`);
        return text('No other scan to compare with');
      },
      'two scans without changes': async () => {
        quiet = await scanned({ state: 'scanned' });
        await complete(quiet);
        await at(`/scanner/${quiet}?view=changes`);
        return text('0 resources unchanged.');
      },
      'an incomplete scan whose pages are all scanned': async () => {
        left = await scanned({ state: 'scanned', partial: 1 });
        await at(`/scanner/${left}`);
        return text('All pages were visited.');
      },
      'partly scanned pages': async () => {
        await at(`/scanner/${left}?view=pages`);
        return text('Only part of this page was scanned.');
      },
      'pages whose banner was not accepted': async () => {
        const id = await scanned({ state: 'scanned', banner: 'not_accepted' });
        await at(`/scanner/${id}?view=pages`);
        await text('Found, not accepted').waitFor();
        return text(/The consent banner could not be accepted/);
      },
      'a page with an HTTP error': async () => {
        const id = await scanned({ state: 'scanned' });
        const { urls } = (await dsarClient.admin('GET', `/scanner/scans/${id}`)).json;
        const error = 'The server answered 503 (Service Unavailable) instead of the page.';
        await app.platform.datastore.db
          .updateTable('scan_pages')
          .set({ state: 'failed', http_status: 503, error })
          .where('scan_id', '=', id)
          .where('url', '=', urls.at(-1).url)
          .execute();
        await complete(id);
        await at(`/scanner/${id}`);
        return text(`1 of ${urls.length} pages could not be scanned: 503.`);
      },
      'a scan of another site, which the server cannot resume': async () => {
        const id = await insertTestScan(app.platform, 'https://other.example/', ['before']);
        await at(`/scanner/${id}`);
        await text('pavis scan https://other.example/').waitFor();
        await on.page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'hidden' });
        return on.page.getByRole('button', { name: 'Finish scan' });
      },
      'a scan with as many pages as the settings allow': async () => {
        const id = await scanned({ state: 'scanned' });
        await app.platform.datastore.db
          .updateTable('scans')
          .set({ crawl_limit: 'max_pages', engine: 'chromium' })
          .where('id', '=', id)
          .execute();
        await complete(id);
        await at(`/scanner/${id}`);
        await text('Pages left out').waitFor();
        return text(/^The setting scanner\.max_pages limits this scan/);
      },
      'pages that are not scanned yet': async () => {
        await at(`/scanner/${await start()}?view=pages`);
        return text('Not scanned yet');
      },
    });
  });

  describe('that check consent', () => {
    let checked: number;
    beforeAll(async () => {
      const url = 'https://example.com/';
      const before = makeStateVisit('before', {
        banner: makeBanner({ controls: [makeControl('accept')], clicksToReject: null }),
        picture: PICTURE,
        requests: [ping],
      });
      const rejected = makeStateVisit('rejected', { outcome: 'no_control', clicks: 0 });
      checked = await insertTestScan(app.platform, url, ['before', 'rejected']);
      await saveVisit(app.platform, checked, {
        url,
        observations: [script],
        visits: [before, rejected],
      });
      await complete(checked);
    });

    areForEverybody({
      'a banner with a shortcoming and consent signals': async () => {
        await at(`/scanner/${checked}?view=banner`);
        await text(
          'Rejected: Reached on no page; no control found on 1 page. Without it, a page has no verdict for this state.',
        ).waitFor();
        await on.page.getByRole('table', { name: 'Consent Mode' }).waitFor();
        return text('No reject option on the first layer');
      },
      'visits of which one did not reach its state': async () => {
        await at(`/scanner/${checked}?view=pages`);
        return text('Rejected: No control found');
      },
      'a rejection that ended early': async () => {
        const url = 'https://example.com/';
        const error = 'The visit took too long and was ended.';
        const id = await insertTestScan(app.platform, url, ['before', 'rejected']);
        const visits = [makeStateVisit('before'), makeStateVisit('rejected', { error })];
        await saveVisit(app.platform, id, { url, observations: [], visits });
        await complete(id);
        await at(`/scanner/${id}?view=pages`);
        await text(`Rejected: Reached in 1 click. ${error}`).waitFor();
        return text(/^Rejected: Reached on no page; the visit ended early on 1 page\. Without it/);
      },
      'a cookie that the browser rejected': async () => {
        const url = 'https://example.com/';
        const id = await insertTestScan(app.platform, url, ['before']);
        const rejected: CookieObservation = {
          ...observed('header', 'before', url),
          ...{
            kind: 'cookie',
            name: 'id',
            domain: 'example.com',
            path: '/',
            lifetimeSeconds: null,
          },
          ...{ secure: false, httpOnly: false, sameSite: 'none' },
          blockedReasons: ['SameSiteNoneInsecure'],
        };
        // As saved by earlier versions.
        const accused = {
          ...{ ...rejected, name: '_hjid', blockedReasons: ['NotStored'] },
          evidence: [{ state: 'before' as const, url, at: 905 }],
        };
        const visits = [makeStateVisit('before')];
        await saveVisit(app.platform, id, { url, observations: [rejected, accused], visits });
        await complete(id);
        await at(`/scanner/${id}`);
        await text('Not stored').waitFor();
        await text('_hjid').waitFor();
        await text('The browser rejected it: NotStored').waitFor({ state: 'detached' });
        return text('The browser rejected it: SameSiteNoneInsecure');
      },
      'the evidence pack before its download': async () => {
        await at(`/scanner/${checked}`);
        await press('Evidence pack');
        return on.page.getByRole('dialog').getByRole('link', { name: 'Download' });
      },
      'a scan in two states only': async () => {
        await at('/scanner');
        await press('New scan');
        await press('Before and after consent only');
        await on.page.getByRole('checkbox', { name: /^After rejection/, checked: false }).waitFor();
        return on.page.getByRole('button', { name: 'All five states' });
      },
      'a schedule that cannot be saved': async () => {
        await at('/scanner');
        await press('Set schedule');
        await on.page.getByLabel('Scan the site').selectOption('custom');
        await field('Cron expression').fill('61 3 * * *');
        await press('Save schedule');
        return text(/^"61 3 \* \* \*" is not a cron expression/);
      },
      'a schedule with its next scan': async () => {
        await at('/scanner');
        await press('Set schedule');
        await on.page.getByLabel('Scan the site').selectOption('weekly');
        await press('Save schedule');
        await text('Every Monday at 03:00').waitFor();
        return text(/^Next scan: /);
      },
      'a list without scans of the schedule': async () => {
        await at('/scanner?by=schedule');
        return text('No matching scans');
      },
    });
  });

  describe('in progress', () => {
    areForEverybody({
      'while it is added to the queue': async () => {
        await at('/scanner');
        await never('/scanner/scans');
        await press('New scan');
        await press('Start scan');
        return on.page.getByRole('status').filter({ hasText: 'Starting the scan' });
      },
      'with pages that fail': async () => {
        const error = 'The page took longer than 20 seconds to scan.';
        const id = await start();
        const { db } = app.platform.datastore;
        const { urls } = (await dsarClient.admin('GET', `/scanner/scans/${id}`)).json;
        await db
          .updateTable('scan_pages')
          .set({ state: 'failed', error })
          .where('scan_id', '=', id)
          .where('url', '=', urls[0].url)
          .execute();
        const lease = { lease_holder: 'another', leased_until: app.clock.now() + 60_000 };
        await db
          .updateTable('scans')
          .set({ runner: 'server', ...lease })
          .where('id', '=', id)
          .execute();
        await at(`/scanner/${id}`);
        await on.page.getByLabel('Failed', { exact: true }).waitFor();
        return on.page.getByRole('progressbar');
      },
    });
  });

  describe('with findings', () => {
    beforeAll(async () => {
      // Without resources, so that all of the next one are added.
      await complete(await scanned({ state: 'scanned' }));
      await fill(app);
    });
    const latest = async () =>
      (await dsarClient.admin('GET', '/scanner/scans?per_page=1')).json[0].scan_id;

    areForEverybody({
      'added resources': async () => {
        await at(`/scanner/${await latest()}?view=changes`);
        return on.page.getByRole('table', { name: 'Added' });
      },
      'findings before consent': async () => {
        await at(`/scanner/${await latest()}?view=findings&only=before`);
        return text('Block all until consent');
      },
      'vendors that were added to the data map': async () => {
        await at(`/scanner/${await latest()}?view=vendors`);
        await press('Add all to the data map');
        await text('In data map').waitFor();
        return on.message('added to the data map');
      },
      'the script form, filled from a finding': async () => {
        const url = encodeURIComponent('https://shop.example/js/chat.js');
        await at(`/scripts/new?url=${url}&method=type_attribute&label=chat.js`);
        return text('Found by a scan.');
      },
      'the vendor form, filled from an unknown host': async () => {
        await at('/vendors/new?domain=pixel.ad-trail.example&scan=1');
        return text('Assign pixel.ad-trail.example to a vendor.');
      },
    });
  });
});
