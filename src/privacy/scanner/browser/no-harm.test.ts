import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import {
  openScannerBrowser,
  type ScannerBrowser,
} from '../../../../test/support/scanner-browser.ts';

const ORDER = 'http://site.test/order';
const order = (style = '', more = '') =>
  `<form method="post" action="${ORDER}" ${more}><button style="${style}">Order now</button></form>`;
/** Over the whole window: wherever a click lands, it orders. */
const ORDERS_ANYWHERE = order('position:fixed;inset:0;width:100%;height:100%');
const told = (what: string) => `fetch('http://api.vendor.test/${what}')`;
const byScript = `fetch('${ORDER}', { method: 'POST', body: 'item=1' })`;
const bar = (button: string) =>
  `<div style="position:fixed;bottom:0;left:0;right:0">We use cookies. ${button}</div>`;
const accepts = (script: string) =>
  `<button onclick="${script.replaceAll('"', '&quot;')}">Accept all</button>`;

/** Each page has a banner that can be accepted, and something that must not be pressed or sent. */
const ACCEPTED: Record<string, string> = {
  'frame of the same site': `${order('position:absolute;left:0;top:0;width:300px;height:80px')}
    <iframe src="/banner" style="position:absolute;left:200px;top:300px;width:600px;height:200px"></iframe>`,
  'frame of another site': `${order('position:absolute;left:0;top:0;width:300px;height:80px')}
    <iframe src="http://cmp.vendor.test/" style="position:absolute;left:200px;top:300px;width:600px;height:200px"></iframe>`,
  'frame in a frame': `${ORDERS_ANYWHERE}<iframe src="http://nest.vendor.test/" style="position:absolute;left:100px;top:400px;width:700px;height:300px"></iframe>`,
  'frame below an overlay': `<iframe src="http://cmp.vendor.test/"></iframe>${ORDERS_ANYWHERE}`,
  'scrolled page': `<body style="height:5000px">${order('position:absolute;left:0;top:0;width:900px;height:900px')}
    <div style="position:absolute;top:3000px;z-index:1000">We use cookies. ${accepts(told('agreed'))}</div>`,
  'banner below an overlay': `${bar(accepts(told('agreed')))}${order('position:fixed;inset:0;width:100%;height:100%;z-index:9;opacity:0')}`,
  'button that swaps places': `${bar(accepts(told('agreed')))}
    <script>
      const cover = () => document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(ORDERS_ANYWHERE)});
      for (const type of ['mouseover', 'pointerdown', 'mousedown']) addEventListener(type, cover, { capture: true, once: true });
    </script>`,
  'frame that comes over the button': `${bar(accepts(told('agreed')))}
    <script>
      addEventListener('mouseover', () => {
        document.body.insertAdjacentHTML('beforeend', '<iframe src="/order-frame" style="position:fixed;inset:0;width:100%;height:100%"></iframe>');
      }, { once: true });
    </script>`,
  'script that sends a form': `${bar(accepts(`${told('agreed')}; document.forms[0].submit()`))}${order()}`,
  'script that asks for a form': `${bar(accepts(`${told('agreed')}; document.forms[0].requestSubmit()`))}${order()}`,
  'form into a new window': `${bar(accepts(`${told('agreed')}; document.forms[0].submit()`))}${order('', 'target="_blank"')}`,
  'form into a frame': `${bar(accepts(`${told('agreed')}; document.forms[0].submit()`))}${order('', 'target="into"')}<iframe name="into"></iframe>`,
  'order by script': bar(accepts(`${told('agreed')}; ${byScript}`)),
  'order by a later script': bar(accepts(`${told('agreed')}; setTimeout(() => ${byScript}, 500)`)),
  'order by beacon': bar(accepts(`${told('agreed')}; navigator.sendBeacon('${ORDER}', 'item=1')`)),
  'order by a worker': bar(
    accepts(
      `${told('agreed')}; new Worker(URL.createObjectURL(new Blob(["fetch('${ORDER}', { method: 'POST' })"])))`,
    ),
  ),
  'order within the text': `<div>We use cookies. ${accepts(`${told('agreed')}; fetch('http://site.test/api/v2', { method: 'POST' }); fetch('http://shop.vendor.test/api', { method: 'POST' })`)}</div>`,
  'way to another page': bar(
    accepts(`${told('agreed')}; setTimeout(() => { location = '/cart/add?item=1' })`),
  ),
  'new window': bar(accepts(`${told('agreed')}; open('/cart/add?item=1')`)),
};

/** Each page has what looks like an accept button and is not to be pressed. */
const NOT_ACCEPTED: Record<string, string> = {
  'button of a form': `<form method="post" action="${ORDER}">We use cookies. <button>Accept</button></form>`,
  'button of a form elsewhere': `<form id="f" method="post" action="${ORDER}"></form>${bar('<button form="f">Accept all</button>')}`,
  'known button of a form': `<form method="post" action="${ORDER}"><button id="onetrust-accept-btn-handler">Accept all</button></form>`,
  'element in the button of a form': `<form method="post" action="${ORDER}">We use cookies. <button><span role="button" tabindex="0">Accept all</span></button></form>`,
  'label of the button of a form': bar(
    `<form method="post" action="${ORDER}"><input type="submit" id="s" value="Go"><label for="s" class="btn">Accept all</label></form>`,
  ),
  'link elsewhere': bar('<a href="/cart/add?item=1">Accept all</a>'),
  'link to the page itself': bar('<a href="">Accept all</a>'),
  'known link elsewhere': bar('<a class="cky-btn-accept" href="/cart/add?item=1">Accept all</a>'),
  'order beside it': `<div role="dialog" style="position:fixed;inset:0">Our shop uses cookies. <button onclick="${byScript}">Accept</button> <button>Place order</button></div>`,
  'heading of an order': `<div role="dialog" style="position:fixed;inset:0"><h2>Your order</h2> We use cookies. <button onclick="${byScript}">OK</button></div>`,
  'price beside it': `<div role="dialog" style="position:fixed;inset:0">Total 49 €. See our cookie policy. <button onclick="${byScript}">I agree</button></div>`,
  'fields beside it': `<div role="dialog" style="position:fixed;inset:0"><form>We use cookies. <input name="email"><button type="button" onclick="${byScript}">Accept all</button></form></div>`,
  'order that is accepted': bar(`<button onclick="${byScript}">Accept and order</button>`),
};

const PAGES: Record<string, Page> = {};
const sent: string[] = [];
const notes: RequestListener = (request, response) => {
  sent.push(`${request.method} http://${request.headers.host}${request.url}`);
  response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{}');
};
const slug = (name: string) => name.replaceAll(' ', '-');
for (const [name, page] of Object.entries({ ...ACCEPTED, ...NOT_ACCEPTED })) {
  PAGES[`http://site.test/${slug(name)}`] = `<!doctype html>${page}`;
}
Object.assign(PAGES, {
  'http://site.test/banner': `We use cookies. ${accepts(told('agreed'))}`,
  'http://site.test/order-frame': ORDERS_ANYWHERE,
  'http://cmp.vendor.test/': `We use cookies. ${accepts(told('agreed'))}`,
  'http://nest.vendor.test/': `<p>${order()}</p><iframe src="http://cmp.vendor.test/" style="margin:50px"></iframe>`,
  'http://site.test/records': `<!doctype html>${bar(
    accepts(
      `fetch('http://consent.vendor.test/record', { method: 'POST', body: '{}' }); fetch('/wp-admin/admin-ajax.php', { method: 'POST', body: 'action=consent' })`,
    ),
  ).replace('<div', '<div id="cookie-banner"')}`,
  ...Object.fromEntries(
    [
      ORDER,
      'http://site.test/cart/add',
      'http://site.test/api/v2',
      'http://site.test/wp-admin/admin-ajax.php',
      'http://shop.vendor.test/api',
      'http://api.vendor.test/agreed',
      'http://consent.vendor.test/record',
    ].map((url) => [url, notes]),
  ),
});

let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;

beforeAll(async () => {
  pages = await servePages(PAGES);
  engine = await openScannerBrowser({ siteOrigin: 'http://site.test', connectTo: pages.connectTo });
});
afterEach(() => {
  sent.length = 0;
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

const visit = (name: string) =>
  engine.visit(`http://site.test/${slug(name)}`, new AbortController().signal);

describe('a banner is accepted, nothing else is clicked or sent', () => {
  test.each(Object.keys(ACCEPTED))('%s', async (name) => {
    const seen = await visit(name);
    expect(sent.filter((line) => line !== 'GET http://api.vendor.test/agreed')).toEqual([]);
    expect(sent).toContain('GET http://api.vendor.test/agreed');
    expect(seen).toMatchObject({ status: 200, partial: false, banner: 'accepted' });
  });
});

describe('a harmful button is not clicked', () => {
  test.each(Object.keys(NOT_ACCEPTED))('%s', async (name) => {
    const seen = await visit(name);
    expect(sent).toEqual([]);
    expect(seen.banner).not.toBe('accepted');
    expect(seen.observations.every(({ consentState }) => consentState === 'before')).toBe(true);
  });
});

test('a banner may store the choice', async () => {
  await visit('records');
  expect(sent.toSorted()).toEqual([
    'POST http://consent.vendor.test/record',
    'POST http://site.test/wp-admin/admin-ajax.php',
  ]);
});
