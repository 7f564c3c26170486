import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import {
  openScannerBrowser,
  type ScannerBrowser,
} from '../../../../test/support/scanner-browser.ts';
import type { PageVisit } from '../observation.ts';

const CONSENT = 'https://privacy.vendor.test/wp-json/svc/v1/consent';
const post = (url: string, more = '') =>
  `fetch('${url}', { method: 'POST', keepalive: true, headers: { 'content-type': 'application/json', 'idempotency-key': 'k' }, body: '{}' ${more} })`;
/** Tells what came of a request, by a request that is not held back. */
const told = (promise: string, name: string) =>
  `${promise}.then(async (a) => fetch('/told-${name}-' + a.status + '-' + (await a.json()).id), () => fetch('/told-${name}-failed'));`;

const accept = (script: string) =>
  `<div style="position:fixed;bottom:0">We use cookies. <button onclick="agreed()">Accept all</button></div>
   <script>function agreed() { ${script} }</script>`;

/** The service of the site: answers as Pavis does and would store whatever reaches it. */
const stored: string[] = [];
const service: Page = (request, response) => {
  const origin = { 'access-control-allow-origin': request.headers.origin ?? '*' };
  if (request.method === 'POST') stored.push(request.url ?? '');
  response
    .writeHead(200, {
      ...origin,
      'access-control-allow-headers': 'Content-Type, Idempotency-Key',
      'access-control-allow-credentials': 'true',
      'content-type': 'application/json',
      ...(request.method === 'POST' && { 'set-cookie': 'pavis_consent=1; Path=/' }),
    })
    .end('{"id":77,"enabled":true}');
};

const PAGES: Record<string, Page> = {
  [CONSENT]: service,
  [`${CONSENT}/`]: service,
  [`${CONSENT}/status`]: service,
  'https://privacy.vendor.test/': service,
  'https://site.test/wp-json/svc/v1/consent': service,
  'https://frame.vendor.test/': `<script>${post(CONSENT)}</script>`,
  'https://site.test/worker.js': post(CONSENT),
  'https://site.test/service.js': `onfetch = () => {}; ${post(CONSENT)}`,
  'https://site.test/': accept(`
    ${told(post(CONSENT), 'cross')}
    ${told(post('/wp-json/svc/v1/consent'), 'same')}
    ${told(post(CONSENT, `, credentials: 'include'`), 'credentials')}
    fetch('${CONSENT}/status').then((a) => a.json()).then(({ id }) => fetch('/told-status-' + id));
    ${post(`${CONSENT}/`)};
    ${post('https://privacy.vendor.test/?rest_route=/svc/v1/consent')};
    ${post('https://privacy.vendor.test/?rest_route=%2Fsvc%2Fv1%2Fconsent')};
    navigator.sendBeacon('${CONSENT}', new Blob(['{}'], { type: 'application/json' }));
    navigator.sendBeacon('/wp-json/svc/v1/consent', new URLSearchParams({ visitor_id: 'v' }));
    const request = new XMLHttpRequest();
    request.open('POST', '${CONSENT}');
    request.send('consent_action=accept_all');
    new Worker('/worker.js');
    navigator.serviceWorker.register('/service.js');
    document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://frame.vendor.test/' }));
    const form = Object.assign(document.createElement('form'), { method: 'post', action: '${CONSENT}', target: 'hidden' });
    document.body.append(Object.assign(document.createElement('iframe'), { name: 'hidden' }), form);
    form.submit();
    setTimeout(() => document.head.append(Object.assign(document.createElement('script'), { src: 'https://cdn.vendor.test/gated.js' })), 300);
  `),
  'https://site.test/leaving': accept(`
    addEventListener('pagehide', () => navigator.sendBeacon('${CONSENT}', '{}'));
    ${post(CONSENT)};
    location.reload();
  `),
};

let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;

beforeAll(async () => {
  pages = await servePages(PAGES);
  engine = await openScannerBrowser({
    siteOrigin: 'https://site.test',
    connectTo: pages.connectTo,
    insecure: true,
  });
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

const visit = (path: string): Promise<PageVisit> =>
  engine.visit(`https://site.test${path}`, new AbortController().signal);

test('consent records that a page sends during a scan do not leave the browser', async () => {
  const seen = await visit('/');
  expect(stored).toEqual([]);
  expect(seen).toMatchObject({ status: 200, partial: false });
  // The page is told that all went well, and may read what it could read before.
  expect(pages.asked).toEqual(
    expect.arrayContaining([
      'https://site.test/told-cross-200-0',
      'https://site.test/told-same-200-0',
      'https://site.test/told-credentials-200-0',
      'https://site.test/told-status-77',
      'https://cdn.vendor.test/gated.js',
    ]),
  );
  const urls = seen.observations.flatMap((each) => ('url' in each ? [each.url] : []));
  expect(urls).toContain(CONSENT);
  // A preflight request is part of the request that follows.
  const scripts = seen.observations.filter(({ kind }) => kind === 'script');
  expect(scripts.filter((each) => 'url' in each && each.url === CONSENT)).toEqual([]);
});

test('nor do those sent on unload', async () => {
  await visit('/leaving');
  expect(stored).toEqual([]);
});
