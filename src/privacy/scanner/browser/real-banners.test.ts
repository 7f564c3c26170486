import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import {
  openScannerBrowser,
  type ScannerBrowser,
} from '../../../../test/support/scanner-browser.ts';
import type { PageVisit } from '../observation.ts';

const installed = (path: string) =>
  fileURLToPath(new URL(`../../../../node_modules/${path}`, import.meta.url));
/** The folders of real consent banners, as npm installed them. */
const LIBRARIES: Record<string, string> = {
  vanilla: installed('vanilla-cookieconsent/dist'),
  klaro: installed('klaro/dist'),
  osano: installed('cookieconsent/build'),
  tarteaucitron: installed('tarteaucitronjs'),
  orejime: installed('orejime/dist'),
  beyonk: installed('@beyonk/gdpr-cookie-consent-banner/dist'),
  notice: installed('cookie-notice/dist'),
  shaack: installed('cookie-consent-js'),
};

const style = (path: string) => `<link rel="stylesheet" href="/lib/${path}">`;
const script = (path: string) => `<script src="/lib/${path}"></script>`;
const run = (code: string) => `<script>${code}</script>`;
const tracked = `document.head.append(Object.assign(document.createElement('script'), { src: 'http://cdn.vendor.test/tracker.js' }));`;
const klaro = (config: string, lang = 'en') =>
  `${run(`var klaroConfig = { lang: '${lang}', privacyPolicy: '/privacy', ${config}
      services: [{ name: 'tracker', title: 'Tracker', purposes: ['analytics'], default: true }],
      translations: { ${lang}: { purposes: { analytics: 'Analytics' } } } };`)}
   <script type="text/plain" data-type="application/javascript" data-name="tracker" data-src="http://cdn.vendor.test/tracker.js"></script>
   ${script('klaro/klaro.js')}`;
const vanilla = (modal: string) => `${style('vanilla/cookieconsent.css')}
  <script type="text/plain" data-category="analytics" src="http://cdn.vendor.test/tracker.js"></script>
  ${script('vanilla/cookieconsent.umd.js')}${run(`CookieConsent.run({
    categories: { necessary: { enabled: true, readOnly: true }, analytics: {} },
    language: { default: 'en', translations: { en: {
      consentModal: { title: 'We use cookies', description: 'For analytics.', ${modal} },
      preferencesModal: { title: 'Preferences', acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all',
        savePreferencesBtn: 'Save', closeIconLabel: 'Close', sections: [] },
    } } },
  });`)}`;
const osano = (
  type: string,
) => `${style('osano/cookieconsent.min.css')}${script('osano/cookieconsent.min.js')}
  ${run(`cookieconsent.initialise({ type: '${type}', onStatusChange() { ${tracked} } });`)}`;

/** Each loads a tracker once its banner is accepted. */
const ACCEPTED: Record<string, string> = {
  'vanilla-cookieconsent': vanilla(
    `acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all', showPreferencesBtn: 'Manage preferences'`,
  ),
  'vanilla-cookieconsent, in words of its own': vanilla(
    `acceptAllBtn: 'Sounds good to us!', acceptNecessaryBtn: 'Rather not'`,
  ),
  'klaro, "That’s ok"': klaro(''),
  'klaro, "Accept all"': klaro('acceptAll: true,'),
  'klaro, in front of the page': klaro('mustConsent: true, acceptAll: true,'),
  'klaro, in German': klaro('acceptAll: true,', 'de'),
  'cookieconsent, to opt in': osano('opt-in'),
  'cookieconsent, to take notice': osano('info'),
  tarteaucitron: `${script('tarteaucitron/tarteaucitron.min.js')}${run(`
    tarteaucitron.init({ privacyUrl: '', hashtag: '#tarteaucitron', cookieName: 'tarteaucitron',
      orientation: 'middle', showAlertSmall: false, cookieslist: false, highPrivacy: true,
      AcceptAllCta: true, DenyAllCta: true, handleBrowserDNTRequest: false });
    tarteaucitron.services.mine = { key: 'mine', type: 'analytic', name: 'Mine', uri: '', needConsent: true,
      cookies: [], js() { ${tracked} }, fallback() {} };
    (tarteaucitron.job = tarteaucitron.job || []).push('mine');`)}`,
  orejime: `${style('orejime/orejime-standard.css')}
    ${run(`window.orejimeConfig = { privacyPolicyUrl: '/privacy', purposes: [{ id: 'analytics', title: 'Analytics', cookies: [] }] };`)}
    <template data-purpose="analytics"><script src="http://cdn.vendor.test/tracker.js"></script></template>
    ${script('orejime/orejime-standard-en.js')}`,
  'orejime, in Finnish': `${style('orejime/orejime-standard.css')}
    ${run(`window.orejimeConfig = { privacyPolicyUrl: '/privacy', purposes: [{ id: 'analytics', title: 'Analytics', cookies: [] }] };`)}
    <template data-purpose="analytics"><script src="http://cdn.vendor.test/tracker.js"></script></template>
    ${script('orejime/orejime-standard-fi.js')}`,
  '@beyonk/gdpr-cookie-consent-banner': `
    <cookie-consent-banner cookie-name="beyonk" description="We use cookies."></cookie-consent-banner>
    <script type="module" src="/lib/beyonk/index.js"></script>
    ${run(`addEventListener('consent:analytics', () => { ${tracked} });`)}`,
  'cookie-notice': `${script('notice/cookie.notice.min.js')}${run(`
    document.addEventListener('click', () => { ${tracked} }, { once: true });`)}`,
  'cookie-consent-js': `${style('shaack/src/cookie-consent.css')}${script('shaack/src/cookie-consent.js')}
    ${run(`new CookieConsent({ contentUrl: '/lib/shaack/cookie-consent-content', privacyPolicyUrl: '/privacy',
      postSelectionCallback() { ${tracked} } });`)}`,
};

const bar = (inside: string) =>
  `<div style="position:fixed;bottom:0">We use cookies. ${inside}</div>`;
const onClick = (element: string) =>
  run(`${element}.addEventListener('click', () => { ${tracked} });`);
/** As other banners are made, among them ones that cannot be had from npm. */
const SHAPES: Record<string, string> = {
  'an element that listens': `${bar('<div id="yes" style="cursor:pointer">Accept all</div>')}${onClick('yes')}`,
  'a link with no way': `${bar('<a href="#" id="yes">Accept all cookies</a>')}${onClick('yes')}`,
  'shadow roots in one another': `<div id="outer"></div>${run(`
    const inner = document.createElement('div');
    outer.attachShadow({ mode: 'open' }).append(inner);
    inner.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(bar('<button>Accept all</button>'))};`)}
    ${onClick(`outer.shadowRoot.firstChild.shadowRoot.querySelector('button')`)}`,
  'a label in a slot': `${bar('<x-button id="yes">Accept all</x-button>')}${run(`
    customElements.define('x-button', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button><slot></slot></button>'; }
    });`)}${onClick(`yes.shadowRoot.querySelector('button')`)}`,
  'the body of a frame': `<iframe srcdoc="We value your privacy and use cookies. <button onclick=&quot;parent.postMessage('yes', '*')&quot;>I understand</button>"></iframe>
    ${run(`onmessage = () => { ${tracked} };`)}`,
  'Civic Cookie Control': `<div id="ccc" style="position:fixed;top:0"><h2>Our use of cookies</h2>
    <button id="ccc-recommended-settings">Accept Recommended Settings</button></div>
    ${onClick(`document.getElementById('ccc-recommended-settings')`)}`,
  'Borlabs Cookie': `<div id="BorlabsCookieBox" role="dialog" style="position:fixed;top:0">Datenschutzeinstellungen. Wir nutzen Cookies.
    <a href="#" role="button" data-cookie-accept-all>Ich akzeptiere</a> <a href="#" data-cookie-refuse>Nur essenzielle Cookies akzeptieren</a></div>
    ${onClick(`document.querySelector('[data-cookie-accept-all]')`)}`,
  'a text at the top of the page': `<section class="cookie-banner"><p>Cookies on this service.</p><button id="yes">Accept additional cookies</button>
    <button>Reject additional cookies</button></section>${onClick('yes')}`,
  'capitals in Turkish': `${bar('<button id="yes">TÜM ÇEREZLERİ KABUL ET</button>')}${onClick('yes')}`,
};
const NONE: Record<string, string> = {
  'a page without a banner':
    '<p>Our <a href="/cookies">cookie policy</a>.</p><button>Accept all challenges</button>',
  'a button that opens settings': `<div style="position:fixed;bottom:0"><button>Cookie settings</button></div>`,
};

/** Nobody can know what their buttons are for. */
const NOT_ACCEPTED: Record<string, string> = {
  '@beyonk/gdpr-cookie-consent-banner, in words of its own': `
    <cookie-consent-banner cookie-name="beyonk" description="We use cookies." accept-all-label="Bring it on"></cookie-consent-banner>
    <script type="module" src="/lib/beyonk/index.js"></script>`,
};

const slug = (name: string) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
const PAGES: Record<string, Page> = {};
for (const [name, page] of Object.entries({ ...ACCEPTED, ...SHAPES, ...NONE, ...NOT_ACCEPTED })) {
  PAGES[`http://site.test/${slug(name)}`] =
    `<!doctype html><html lang="en"><title>A site</title><body><h1>A site</h1><p>Text.</p>${page}`;
}
const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
};
for (const [library, folder] of Object.entries(LIBRARIES)) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[/\.(\w+)$/.exec(file)?.[1] ?? ''];
    if (!type) continue;
    PAGES[`http://site.test/lib/${library}/${file}`] = (_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(readFileSync(join(folder, file)));
  }
}

let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;

beforeAll(async () => {
  pages = await servePages(PAGES);
  engine = await openScannerBrowser({ siteOrigin: 'http://site.test', connectTo: pages.connectTo });
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

const visit = (name: string): Promise<PageVisit> =>
  engine.visit(`http://site.test/${slug(name)}`, new AbortController().signal);
const tracker = ({ observations }: PageVisit) =>
  observations.find(
    (seen) =>
      'url' in seen &&
      seen.url === 'http://cdn.vendor.test/tracker.js' &&
      seen.sources.includes('network'),
  );

describe('a real banner is accepted', () => {
  test.each(Object.keys(ACCEPTED))('%s', async (name) => {
    const seen = await visit(name);
    expect([seen.banner, tracker(seen)?.consentState]).toEqual(['accepted', 'after']);
  });
});

describe('a banner is accepted that is', () => {
  test.each(Object.keys(SHAPES))('%s', async (name) => {
    const seen = await visit(name);
    expect([seen.banner, tracker(seen)?.consentState]).toEqual(['accepted', 'after']);
  });
});

test.each(Object.keys(NONE))('no banner is found on %s', async (name) => {
  expect((await visit(name)).banner).toBe('not_found');
});

test.each(Object.keys(NOT_ACCEPTED))(
  'a real banner is found and not accepted: %s',
  async (name) => {
    const seen = await visit(name);
    expect(seen.banner).toBe('not_accepted');
    expect(seen.observations.every(({ consentState }) => consentState === 'before')).toBe(true);
  },
);
