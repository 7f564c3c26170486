import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listBuiltinVendors } from '../../vendors/library.ts';
import type {
  ContainerObservation,
  CookieObservation,
  FormObservation,
  LoadObservation,
  Observation,
  StorageObservation,
} from '../observation.ts';
import { classify } from './classify.ts';
import { needsConsent, RESOURCE_TYPES } from './finding.ts';
import { listSubdomains } from './proxied-vendors.ts';
import { createVendorLookup } from './vendor-lookup.ts';

const SITE = 'https://shop.example';
const PAGE = `${SITE}/page`;

const builtin = listBuiltinVendors().map((vendor, at) => ({
  ...vendor,
  id: at + 1,
  extension: null,
  dataCategories: [...vendor.dataCategories],
  domains: [...vendor.domains],
}));
const own = (slug: string, more: { domains?: string[]; cookies?: string[] } = {}) => ({
  id: 9_000,
  slug,
  name: slug.toUpperCase(),
  purpose: '',
  category: 'marketing',
  dataCategories: [],
  defaultRetention: '',
  domains: [],
  cookies: [],
  isBuiltin: false,
  extension: null,
  ...more,
});
const library = createVendorLookup(builtin);

const seen = {
  sources: ['html' as const],
  consentState: 'before' as const,
  frameUrl: PAGE,
  blockedUntilConsent: false,
};
const load = (
  kind: LoadObservation['kind'],
  url: string,
  more: Partial<LoadObservation> = {},
): LoadObservation => ({ ...seen, kind, url, method: 'GET', ...more });
const script = (url: string, more: Partial<LoadObservation> = {}) => load('script', url, more);
const image = (url: string, more: Partial<LoadObservation> = {}) => load('image', url, more);
const cookie = (name: string, more: Partial<CookieObservation> = {}): CookieObservation => ({
  ...seen,
  kind: 'cookie',
  name,
  domain: 'shop.example',
  path: '/',
  lifetimeSeconds: null,
  secure: true,
  httpOnly: false,
  sameSite: 'lax',
  blockedReasons: [],
  ...more,
});
const storage = (name: string, origin = SITE): StorageObservation => ({
  ...seen,
  kind: 'storage',
  area: 'local',
  name,
  origin,
});
const container = (id: string, more: Partial<ContainerObservation> = {}): ContainerObservation => ({
  ...seen,
  kind: 'container',
  id,
  tags: [],
  ...more,
});
const form = (action: string, more: Partial<FormObservation> = {}): FormObservation => ({
  ...seen,
  kind: 'form',
  action,
  method: 'POST',
  personalFields: ['email'],
  ...more,
});

const judge = (observations: Observation[], vendors = library, siteUrl = SITE) =>
  classify({ observations, url: PAGE }, siteUrl, vendors).findings;
const network = { sources: ['network' as const] };
/** Each finding as `type vendor`. */
const told = (...observations: Observation[]) =>
  judge(observations).map(({ resourceType, vendor }) => `${resourceType} ${vendor?.slug ?? '-'}`);

describe('A resource that the policy of the page forbids', () => {
  const url = 'https://px.nobody.example/collect?u=1';
  const unsent = load('request', url, { ...network, failure: 'policy' });

  it('is not before consent', () => {
    expect(judge([unsent])).toMatchObject([
      { consentState: 'after', details: { failure: 'policy' } },
    ]);
  });

  it('is before consent if another request for it was sent', () => {
    const sent = load('request', `${url}2`, network);
    const [finding] = judge([unsent, sent]);
    expect(finding).toMatchObject({ consentState: 'before' });
    expect(finding?.details).not.toHaveProperty('failure');
  });

  it('stays forbidden where the markup mentions it too', () => {
    const mentioned = load('request', `${url}2`, { sources: ['html'] });
    expect(judge([mentioned, unsent])).toMatchObject([{ details: { failure: 'policy' } }]);
  });

  it('is not forbidden if another request for it was sent and failed', () => {
    const failed = load('request', `${url}2`, {
      ...network,
      failure: 'dns',
      consentState: 'after',
    });
    expect(judge([unsent, failed])).toMatchObject([{ details: { failure: 'dns' } }]);
  });

  it('is forbidden as a container too', () => {
    const tag = 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC123';
    const forbidden = script(tag, { ...network, failure: 'policy' });
    const inline = container('GTM-ABC123', { sources: ['html'], url: tag });
    expect(judge([forbidden, inline])).toMatchObject([
      { resourceType: 'script', details: { failure: 'policy' } },
      { resourceType: 'gtm_tag', details: { failure: 'policy' } },
    ]);
  });
});

describe('Resources of a page', () => {
  it.each<[string, Observation, string[]]>([
    [
      'a script of a vendor',
      script('https://connect.facebook.net/en_US/fbevents.js'),
      ['script facebook-pixel'],
    ],
    ['a script of somebody unknown', script('https://cdn.nobody.example/x.js'), ['script -']],
    ['a script of the site', script(`${SITE}/app.js`), []],
    ['a script of its other host', script('https://cdn.shop.example/app.js'), []],
    ['a vendor’s script on the site', script(`${SITE}/js/matomo.js`), ['script matomo']],
    [
      'a loader of tags',
      script('https://www.googletagmanager.com/gtm.js?id=GTM-ABC123'),
      ['script google-tag-manager', 'gtm_tag google-tag-manager'],
    ],
    [
      'a loader of measurement',
      script('https://www.googletagmanager.com/gtag/js?id=G-ABC123DEF4'),
      ['script google-analytics', 'gtm_tag google-analytics'],
    ],
    [
      'the frame of a tag manager',
      load('frame', 'https://www.googletagmanager.com/ns.html?id=GTM-ABC123'),
      ['gtm_tag google-tag-manager'],
    ],
    [
      'the same, from a server of somebody else',
      load('frame', 'https://tags.nobody.example/gtm/ns.html?id=GTM-ABC123'),
      ['gtm_tag google-tag-manager'],
    ],
    ['a frame by that name', load('frame', 'https://nobody.example/ns.html?id=7'), ['iframe -']],
    ['a video', load('frame', 'https://www.youtube.com/embed/x'), ['iframe youtube']],
    ['a frame of the site', load('frame', `${SITE}/frame`), []],
    ['an empty frame', load('frame', 'about:blank'), []],
    [
      'a form in a frame',
      load('frame', 'https://form.typeform.com/to/x'),
      ['iframe typeform', 'form typeform'],
    ],
    [
      'a known pixel',
      image('https://www.facebook.com/tr?id=1&ev=PageView'),
      ['pixel facebook-pixel'],
    ],
    [
      'a tiny image',
      image('https://a.nobody.example/a', { size: { width: 1, height: 1 }, visible: true }),
      ['pixel -'],
    ],
    [
      'a hidden image',
      image('https://a.nobody.example/a', { size: { width: 50, height: 5 }, visible: false }),
      ['pixel -'],
    ],
    [
      'an image without scripts',
      image('https://a.nobody.example/a', { inNoscript: true }),
      ['pixel -'],
    ],
    [
      'an image that was never shown',
      image('https://a.nobody.example/a', { sources: ['network'] }),
      ['pixel -'],
    ],
    ['an image with an id', image('https://a.nobody.example/a?uid=12345'), ['pixel -']],
    [
      'a picture',
      image('https://a.nobody.example/hero.jpg', {
        size: { width: 600, height: 400 },
        visible: true,
      }),
      ['api_call -'],
    ],
    ['a picture of unknown size', image('https://a.nobody.example/hero.jpg?w=600'), ['api_call -']],
    [
      'a picture that did not arrive',
      image('https://a.nobody.example/hero.jpg', {
        sources: ['dom'],
        size: { width: 0, height: 0 },
        visible: false,
        failure: 'dns',
      }),
      ['api_call -'],
    ],
    [
      'a background',
      image('https://a.nobody.example/bg.jpg', {
        sources: ['network'],
        initiator: `${SITE}/style.css?v=1`,
      }),
      ['api_call -'],
    ],
    [
      'a counting request',
      load('request', 'https://www.google-analytics.com/g/collect?v=2'),
      ['pixel google-analytics'],
    ],
    [
      'a request that an image answers',
      load('request', 'https://api.nobody.example/', { via: 'fetch', mimeType: 'image/gif' }),
      ['api_call -'],
    ],
    ['a request of the site', load('request', `${SITE}/api`), []],
    ['its own counter', load('request', `${SITE}/matomo.php?idsite=1`), ['pixel matomo']],
    [
      'a socket',
      load('request', 'wss://live.nobody.example/', { via: 'websocket' }),
      ['api_call -'],
    ],
    [
      'a font of a vendor',
      load('font', 'https://fonts.gstatic.com/s/x.woff2'),
      ['api_call google-fonts'],
    ],
    ['a style of nobody', load('style', 'https://cdn.nobody.example/x.css'), ['api_call -']],
    ['a style of the site', load('style', 'https://cdn.shop.example/x.css'), []],
    ['a host in half', script('https://cdn./x.js'), []],
    ['a template', image('https://{{cdn}}/x.png'), []],
    ['a public suffix', load('request', 'https://co.uk/'), []],
    [
      'a host in half that was asked for',
      load('request', 'https://cdn/', { sources: ['network'] }),
      ['api_call -'],
    ],
    ['data in the page', image('data:image/gif;base64,R0lGODlhAQABAAAAACw='), []],
  ])('%s', (_what, observation, findings) => {
    expect(told(observation)).toEqual(findings);
  });

  it('a redirect from one pixel to another is two pixels', () => {
    const hop = 'https://sync.nobody.example/a';
    const next = 'https://match.other.example/b';
    const findings = judge([
      image(hop, { sources: ['network'] }),
      image(next, { sources: ['network'], redirectedFrom: hop }),
    ]);
    expect(findings.map(({ resourceType, url }) => [resourceType, url])).toEqual([
      ['pixel', hop],
      ['pixel', next],
    ]);
    expect(findings[1]?.details).toMatchObject({ redirected_from: hop });
  });

  it('reports the subtype of styles, fonts and requests', () => {
    const [style, call] = judge([
      load('style', 'https://fonts.googleapis.com/css2?family=Inter'),
      load('request', 'https://api.nobody.example/v1', { method: 'POST', via: 'fetch' }),
    ]);
    expect(style).toMatchObject({ resourceType: 'api_call', details: { subtype: 'style' } });
    expect(call?.details).toEqual({ method: 'POST', via: 'fetch' });
  });

  it('styles, fonts and images of an unknown host are one finding each, without consent', () => {
    const findings = judge([
      load('style', 'https://cdn.nobody.example/a.css'),
      load('style', 'https://cdn.nobody.example/b.css'),
      load('font', 'https://cdn.nobody.example/c.woff2'),
      image('https://img.nobody.example/d.jpg', {
        size: { width: 300, height: 200 },
        visible: true,
      }),
    ]);
    expect(findings.map(({ url, host, details }) => [url, host, details])).toEqual([
      ['https://cdn.nobody.example/', 'cdn.nobody.example', { subtype: 'style' }],
      ['https://cdn.nobody.example/', 'cdn.nobody.example', { subtype: 'font' }],
      ['https://img.nobody.example/', 'img.nobody.example', { subtype: 'image' }],
    ]);
    expect(findings.filter(needsConsent)).toEqual([]);
  });

  it('on an IP address, another port is a third party', () => {
    const local = 'http://127.0.0.1:8080';
    expect(judge([script(`${local}/a.js`)], library, local)).toEqual([]);
    expect(judge([script('http://127.0.0.1:8081/a.js')], library, local)).toMatchObject([
      { resourceType: 'script', host: '127.0.0.1:8081', thirdParty: true },
    ]);
  });
});

describe('A cookie', () => {
  it('is a finding with its attributes and without its value', () => {
    const [finding] = judge([
      cookie('_ga', { lifetimeSeconds: 63_072_000, setBy: `${SITE}/a.js?token=s3cret` }),
    ]);
    expect(finding).toMatchObject({
      resourceType: 'cookie',
      name: '_ga',
      host: 'shop.example',
      thirdParty: false,
      vendor: { slug: 'google-analytics' },
      category: 'analytics',
      details: {
        domain: 'shop.example',
        path: '/',
        duration: '2 years',
        duration_seconds: 63_072_000,
        secure: true,
        http_only: false,
        same_site: 'lax',
        set_by: `${SITE}/a.js?token`,
      },
    });
  });

  it.each<[string, CookieObservation, boolean, string | null, string | null]>([
    ['of the site’s software', cookie('PHPSESSID'), false, null, 'functional'],
    ['of nobody known', cookie('basket_v2'), false, null, null],
    [
      'with a vendor’s name',
      cookie('_fbp', { lifetimeSeconds: 7_776_000 }),
      false,
      'facebook-pixel',
      'marketing',
    ],
    [
      'of a vendor’s host',
      cookie('x', { domain: '.doubleclick.net' }),
      true,
      'google-doubleclick',
      'marketing',
    ],
    [
      'that a vendor’s script set',
      cookie('whatever', { setBy: 'https://connect.facebook.net/en_US/fbevents.js' }),
      false,
      'facebook-pixel',
      'marketing',
    ],
    [
      'that came by way of a tag manager',
      cookie('whatever', { setBy: 'https://www.googletagmanager.com/gtm.js?id=GTM-ABC123' }),
      false,
      null,
      null,
    ],
    ['of somebody unknown', cookie('x', { domain: 'nobody.example' }), true, null, null],
  ])('%s', (_what, observation, thirdParty, slug, category) => {
    const [finding] = judge([observation]);
    expect(finding).toMatchObject({ resourceType: 'cookie', thirdParty, category });
    expect(finding?.vendor?.slug ?? null).toBe(slug);
  });

  it('that is deleted is not a finding', () => {
    expect(judge([cookie('_ga', { lifetimeSeconds: 0 })])).toEqual([]);
  });

  it('with the same name on two hosts is two findings', () => {
    expect(judge([cookie('a'), cookie('a', { domain: 'www.shop.example' })])).toHaveLength(2);
  });

  it('keeps the reason why the browser rejected it', () => {
    const [finding] = judge([cookie('a', { blockedReasons: ['SameSiteLax'] })]);
    expect(finding?.details).toMatchObject({ blocked_reasons: ['SameSiteLax'] });
  });

  it('is not at work before consent if the browser rejected it', () => {
    const rejected = cookie('_ga', { blockedReasons: ['SecureOnly'] });
    const request = load('request', 'https://shop.example/api', network);
    expect(judge([rejected])).toMatchObject([{ consentState: 'after' }]);
    expect(judge([rejected, request])).toMatchObject([{ consentState: 'after' }]);
    expect(judge([rejected, cookie('_ga'), request])).toMatchObject([{ consentState: 'before' }]);
  });

  it('without a name has a description in its place', () => {
    expect(judge([cookie('')])).toMatchObject([{ name: '(without a name)' }]);
  });

  it('with a long name is stored, although scripts report the beginning of its name', () => {
    const name = 'n'.repeat(300);
    const reported = cookie(name.slice(0, 256), { blockedReasons: ['NotStored'] });
    const [finding, ...others] = judge([reported, cookie(name)]);
    expect(others).toEqual([]);
    expect(finding?.details).not.toHaveProperty('blocked_reasons');
  });

  it('keeps no such reason if the browser accepted another of its pattern', () => {
    const rejected = cookie('_hjSession_111111', { blockedReasons: ['SameSiteLax'] });
    const accepted = cookie('_hjSession_222222');
    for (const cookies of [
      [rejected, accepted],
      [accepted, rejected],
    ]) {
      const [finding, ...others] = judge(cookies);
      expect(others).toEqual([]);
      expect(finding?.details).not.toHaveProperty('blocked_reasons');
    }
  });

  it.each([
    [null, 'session'],
    [1_800, '30 minutes'],
    [86_400, '1 day'],
    [7_776_000, '3 months'],
    [31_536_000, '1 year'],
    [34_300_800, '13 months'],
    [63_072_000, '2 years'],
  ])('of %s seconds lasts %s', (lifetimeSeconds, duration) => {
    expect(judge([cookie('a', { lifetimeSeconds })])[0]?.details).toMatchObject({ duration });
  });
});

describe('Storage', () => {
  it('is a cookie finding, with the vendor of its key', () => {
    const vendors = createVendorLookup([...builtin, own('acme', { cookies: ['acme_*'] })]);
    const basket = { ...storage('basket'), area: 'session' as const };
    const database = { ...storage('events'), area: 'indexeddb' as const };
    const findings = judge([storage('acme_state'), basket, database], vendors);
    expect(
      findings.map(({ name, vendor, details }) => [name, vendor?.slug ?? null, details]),
    ).toEqual([
      ['acme_state', 'acme', { storage: 'local', duration: 'until cleared' }],
      ['basket', null, { storage: 'session', duration: 'session' }],
      ['events', null, { storage: 'indexeddb', duration: 'until cleared' }],
    ]);
    expect(findings.every(needsConsent)).toBe(true);
  });

  it('of the banner itself is functional', () => {
    expect(judge([storage('pavis_queue')])).toMatchObject([{ category: 'functional' }]);
  });

  it('of a vendor’s frame belongs to the vendor', () => {
    expect(judge([storage('anything', 'https://www.youtube.com')])).toMatchObject([
      { thirdParty: true, vendor: { slug: 'youtube' } },
    ]);
  });
});

describe('Names that differ from visit to visit', () => {
  it('are one finding, and the same in the next scan', () => {
    const [one, ...more] = judge([cookie('_hjSession_123'), cookie('_hjSession_456')]);
    const [again] = judge([cookie('_hjSession_789')]);
    expect(more).toEqual([]);
    expect(one?.details).toMatchObject({
      pattern: '_hjSession_*',
      names: ['_hjSession_123', '_hjSession_456'],
    });
    expect(again?.resourceKey).toBe(one?.resourceKey);
  });

  it('are listed up to a hundred', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => cookie(`visit_${100_000 + n}`));
    const findings = judge(many);
    expect(findings.map(({ details }) => (details.names as string[]).length)).toEqual([100]);
  });

  it('of unknown vendors are recognised by their form', () => {
    const keys = [
      'chk_0192f3a1-7c1e-7d3b-9a55-1c2d3e4f5a6b',
      'chk_a192f3a1-7c1e-7d3b-9a55-1c2d3e4f5a6b',
    ];
    const findings = judge(keys.map((name) => storage(name)));
    expect(findings.map(({ details }) => details.names)).toEqual([keys]);
  });

  it('in the path of a beacon are one finding, and in that of a script they are not', () => {
    const beacon = (id: string) =>
      load('request', `https://b.nobody.example/${id}/hit`, { via: 'beacon' });
    const ids = ['1764000000001', '1764000000002'];
    expect(judge(ids.map(beacon))).toHaveLength(1);
    expect(judge(ids.map((id) => script(`https://b.nobody.example/${id}.js`)))).toHaveLength(2);
  });
});

describe('A container', () => {
  const GA = 'G-ABC123DEF4';

  it('is one finding, and so is each nested container', () => {
    const findings = judge([
      script('https://www.googletagmanager.com/gtm.js?id=GTM-ABC123'),
      container('GTM-ABC123', { sources: ['script'], tags: ['G-ABC123DEF4', '__html'] }),
      container('gtm-abc123', { sources: ['dom'] }),
    ]).filter(({ resourceType }) => resourceType === 'gtm_tag');
    expect(findings.map(({ name, vendor }) => [name, vendor?.slug])).toEqual([
      ['GTM-ABC123', 'google-tag-manager'],
      ['G-ABC123DEF4', 'google-analytics'],
    ]);
    expect(findings[0]?.details).toMatchObject({ tags: ['__html'] });
    expect(findings[1]?.details).toMatchObject({ container: 'GTM-ABC123' });
  });

  it('belongs to the vendor of its host, except for tag manager hosts', () => {
    const vendors = createVendorLookup([
      ...builtin,
      own('stapler', { domains: ['stapler.example'] }),
    ]);
    const containers = judge(
      [
        container('GTM-ABC123', { url: 'https://sgtm.stapler.example/gtm.js?id=GTM-ABC123' }),
        container('GTM-DEF456', { url: 'https://unknown.example/gtm.js?id=GTM-DEF456' }),
        container('G-ABC123DEF4', {
          url: 'https://www.googletagmanager.com/gtag/js?id=G-ABC123DEF4',
        }),
      ],
      vendors,
    );
    expect(containers.map(({ vendor }) => vendor?.slug)).toEqual([
      'stapler',
      'google-tag-manager',
      'google-analytics',
    ]);
  });

  it('reports its tags as inferred, unless they were observed', () => {
    const onTheWire = { sources: ['network'] } satisfies Partial<ContainerObservation>;
    const [outer, fired, waiting] = judge([
      container('GTM-ABC123', { ...onTheWire, tags: ['G-ABC123DEF4', 'AW-123456789'] }),
      container('G-ABC123DEF4', { ...onTheWire, url: `https://t.example/gtag/js?id=G-ABC123DEF4` }),
    ]);
    expect(outer).toMatchObject({ name: 'GTM-ABC123', consentState: 'before' });
    expect(fired).toMatchObject({
      url: 'https://t.example/gtag/js?id=G-ABC123DEF4',
      consentState: 'before',
      details: { container: 'GTM-ABC123' },
    });
    expect(waiting).toMatchObject({
      name: 'AW-123456789',
      consentState: 'after',
      sources: ['inferred'],
    });
  });

  it.each<[string, Observation[], string]>([
    [
      'named in inline code, then loaded after consent',
      [
        container(GA, { sources: ['script'] }),
        container(GA, { sources: ['network'], consentState: 'after' }),
      ],
      'after',
    ],
    [
      'held back in the markup, then loaded after consent',
      [
        container(GA, { sources: ['html'], blockedUntilConsent: true }),
        container(GA, { sources: ['network'], consentState: 'after' }),
      ],
      'after',
    ],
    ['named in inline code and never loaded', [container(GA, { sources: ['script'] })], 'after'],
    ['in the markup and never loaded', [container(GA, { sources: ['html'] })], 'after'],
    ['loaded at once', [container(GA, { sources: ['network', 'html'] })], 'before'],
  ])('%s', (_how, observations, consentState) => {
    const page = script(`${SITE}/a.js`, { sources: ['network'] });
    expect(judge([page, ...observations])).toMatchObject([{ name: GA, consentState }]);
  });

  it('with an invalid ID is not a finding', () => {
    expect(judge([container('<script>')])).toEqual([]);
  });
});

describe('A form', () => {
  it.each<[string, FormObservation, string[]]>([
    ['to a service', form('https://formspree.io/f/x'), ['form formspree']],
    ['to the site, with personal fields', form(`${SITE}/contact`), ['form -']],
    ['to the site, without', form(`${SITE}/vote`, { personalFields: [] }), []],
    [
      'a search elsewhere',
      form('https://search.nobody.example/', { method: 'get', personalFields: [] }),
      [],
    ],
    ['by mail', form('mailto:shop@example.com'), ['form -']],
  ])('%s', (_what, observation, findings) => {
    expect(told(observation)).toEqual(findings);
  });

  it('lists personal data fields without email addresses', () => {
    const findings = judge([
      form('mailto:shop@example.com', { personalFields: ['name'] }),
      form('mailto:shop@example.com', { personalFields: ['email', 'name'] }),
    ]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      url: PAGE,
      details: { method: 'POST', personal_fields: ['name', 'email'] },
    });
    expect(findings.some(needsConsent)).toBe(false);
  });
});

describe('A URL in a script’s text', () => {
  const beginning = script('https://static.nobody.example/c/tag-', { sources: ['script'] });

  it('is merged with the request that starts with it', () => {
    const asked = script('https://static.nobody.example/c/tag-123.js?v=6', {
      sources: ['network'],
    });
    expect(judge([beginning, asked])).toMatchObject([
      { url: 'https://static.nobody.example/c/tag-123.js?v', consentState: 'before' },
    ]);
  });

  it('is a finding if no request starts with it', () => {
    const other = script('https://static.nobody.example/d.js', { sources: ['network'] });
    const image = load('image', 'https://static.nobody.example/c/tag-1.gif', {
      sources: ['network'],
    });
    expect(judge([beginning, other, image]).map(({ url }) => url)).toContain(beginning.url);
  });
});

describe('An incomplete URL in a script', () => {
  const half = script('https://static.nobody.example/c/', {
    sources: ['script'],
    incomplete: true,
  });

  it('is not a finding with a browser', () => {
    const other = script('https://static.nobody.example/d.js', { sources: ['network'] });
    expect(judge([half, other])).toHaveLength(1);
  });

  it('is marked as incomplete without a browser', () => {
    expect(judge([half])).toMatchObject([
      { url: 'https://static.nobody.example/c/', details: { incomplete: true } },
    ]);
  });
});

describe('A vendor on a first-party domain', () => {
  const asked = { sources: ['network' as const] };

  it('is found by the path of a proxied service', () => {
    const findings = judge([
      load('request', `${SITE}/ingest/e/?ip=0`, { ...asked, via: 'fetch', method: 'POST' }),
      script(`${SITE}/stats/js/script.js`, asked),
      load('request', `${SITE}/stats/api/event`, asked),
      load('request', `https://data.shop.example/x?v=2&tid=G-ABC123DEF4&cid=1`, asked),
      script(`${SITE}/js/app.js`, asked),
    ]);
    expect(
      findings.map(({ vendor, thirdParty, category, details }) => [
        vendor?.slug,
        thirdParty,
        category,
        details.found_by,
      ]),
    ).toEqual([
      ['posthog', false, 'analytics', 'path'],
      ['plausible', false, 'analytics', 'path'],
      ['plausible', false, 'analytics', 'path'],
      ['google-analytics', false, 'analytics', 'path'],
    ]);
    expect(findings.every(needsConsent)).toBe(true);
  });

  it('is found by CNAME, and so are its cookies', () => {
    const cnames = new Map([
      ['smetrics.shop.example', ['shop.sc.omtrdc.net']],
      ['cdn.shop.example', ['d1.cloudfront.net']],
      ['www2.shop.example', ['shop.example']],
    ]);
    const url = 'https://smetrics.shop.example/b/ss';
    const observations = [
      load('request', url, asked),
      cookie('s_unknown', { domain: 'shop.example', setBy: url }),
      script('https://cdn.shop.example/app.js', asked),
      script('https://www2.shop.example/app.js', asked),
    ];
    const { findings } = classify({ observations, url: PAGE }, SITE, library, cnames);
    expect(findings).toMatchObject([
      {
        resourceType: 'api_call',
        host: 'smetrics.shop.example',
        thirdParty: false,
        vendor: { slug: 'adobe-analytics' },
        details: { found_by: 'cname', cname: 'shop.sc.omtrdc.net' },
      },
      { resourceType: 'cookie', vendor: { slug: 'adobe-analytics' } },
    ]);
    expect(findings).toHaveLength(2);
  });

  it('is looked up for requested subdomains', () => {
    const observations = [
      script(`${SITE}/a.js`),
      script('https://www.shop.example/a.js'),
      script('https://data.shop.example/a.js'),
      script('https://nobody.example/a.js'),
    ];
    expect([...listSubdomains(observations, SITE, PAGE)]).toEqual(['data.shop.example']);
  });
});

describe('A custom vendor', () => {
  it.each([
    ['by a host', own('mine', { domains: ['nobody.example'] })],
    ['by the label that its slug names', own('nobody')],
    ['before a built-in one', own('mine', { domains: ['connect.facebook.net', 'nobody.example'] })],
  ])('is recognised %s', (_how, vendor) => {
    const vendors = createVendorLookup([...builtin, vendor]);
    const found = judge([script('https://cdn.nobody.example/x.js')], vendors);
    expect(found).toMatchObject([{ vendor: { id: 9_000 }, category: 'marketing' }]);
    if (!vendor.domains.includes('connect.facebook.net')) return;
    const other = judge([script('https://connect.facebook.net/a.js')], vendors);
    expect(other[0]?.vendor?.id).toBe(9_000);
  });
});

describe('Consent', () => {
  const FB = 'https://connect.facebook.net/en_US/fbevents.js';
  const after = { consentState: 'after' as const };

  it.each<[string, Observation[], object]>([
    ['at once', [script(FB)], { consentState: 'before', needs: true, blocked: false }],
    [
      'afterwards',
      [script(FB, { ...after, sources: ['network'] })],
      { consentState: 'after', needs: false, blocked: false },
    ],
    [
      'held back',
      [script(FB, { blockedUntilConsent: true })],
      { consentState: 'after', needs: false, blocked: true },
    ],
    [
      'held back, then let go',
      [script(FB, { blockedUntilConsent: true }), script(FB, { ...after, sources: ['network'] })],
      { consentState: 'after', needs: false, blocked: true },
    ],
    [
      'held back in vain',
      [script(FB, { blockedUntilConsent: true }), script(FB, { sources: ['network'] })],
      { consentState: 'before', needs: true, blocked: false },
    ],
    [
      'named in a script, and not asked for',
      [script(FB, { sources: ['script'] }), script(`${SITE}/a.js`, { sources: ['network'] })],
      { consentState: 'after', needs: false, blocked: false },
    ],
    [
      'named in a script that no browser has run',
      [script(FB, { sources: ['script'] })],
      { consentState: 'before', needs: false, blocked: false },
    ],
    [
      'in markup that a consent tool rewrites before it loads',
      [script(FB), script(`${SITE}/a.js`, { sources: ['network'] })],
      { consentState: 'after', needs: false, blocked: false },
    ],
    [
      'without scripts only',
      [
        image('https://www.facebook.com/tr?id=1', { inNoscript: true }),
        script(`${SITE}/a.js`, { sources: ['network'] }),
      ],
      { consentState: 'before', needs: true, blocked: false },
    ],
    [
      'at once as a pixel of somebody unknown',
      [image('https://a.nobody.example/a', { inNoscript: true })],
      { consentState: 'before', needs: true, blocked: false },
    ],
    [
      'of what the site needs',
      [script('https://js.stripe.com/v3/')],
      { consentState: 'before', needs: false, blocked: false },
    ],
  ])('for a resource loaded %s', (_how, observations, expected) => {
    const [finding] = judge(observations);
    expect(finding && { ...finding, needs: needsConsent(finding) }).toMatchObject(expected);
  });
});

describe('All findings of a page', () => {
  const hosts = fc.constantFrom(
    'shop.example',
    'cdn.shop.example',
    'www.facebook.com',
    'a.nobody.example',
    'www.googletagmanager.com',
  );
  const addresses = fc
    .tuple(hosts, fc.constantFrom('/', '/a.js', '/tr', '/gtm.js', '/matomo.php'), fc.string())
    .map(([host, path, value]) => {
      const url = new URL(`https://${host}${path}`);
      url.searchParams.set('token', `s3cret${value}`);
      return url.href;
    });
  const basics = fc.record({
    sources: fc.subarray(['network', 'dom', 'html', 'script', 'header', 'inferred'] as const, {
      minLength: 1,
    }),
    consentState: fc.constantFrom('before' as const, 'after' as const),
    blockedUntilConsent: fc.boolean(),
    frameUrl: fc.constant(PAGE),
  });
  const kinds = fc.constantFrom(
    ...(['script', 'frame', 'image', 'request', 'style', 'font'] as const),
  );
  const observations = fc.array(
    fc.oneof(
      fc
        .tuple(basics, kinds, addresses, addresses)
        .map(([base, kind, url, initiator]) => ({ ...load(kind, url, { initiator }), ...base })),
      fc
        .tuple(basics, fc.string(), hosts, addresses)
        .map(([base, name, domain, setBy]) => ({ ...cookie(name, { domain, setBy }), ...base })),
      fc.tuple(basics, fc.string()).map(([base, name]) => ({ ...storage(name), ...base })),
      fc.tuple(basics, fc.string()).map(([base, id]) => ({ ...container(id), ...base })),
      fc.tuple(basics, addresses).map(([base, action]) => ({ ...form(action), ...base })),
    ),
    { maxLength: 40 },
  );

  it('are unique, of a known type, without query values', () => {
    fc.assert(
      fc.property(observations, (all) => {
        const findings = judge(all);
        expect(new Set(findings.map(({ resourceKey }) => resourceKey)).size).toBe(findings.length);
        for (const finding of findings) {
          expect(RESOURCE_TYPES).toContain(finding.resourceType);
          expect(JSON.stringify({ ...finding, name: '', resourceKey: '' })).not.toContain('s3cret');
        }
      }),
    );
  });

  it('are the same for repeated observations', () => {
    fc.assert(
      fc.property(observations, (all) => {
        expect(judge([...all, ...all])).toEqual(judge(all));
      }),
    );
  });

  it('are limited to 200 per type and marked as cut', () => {
    const scripts = Array.from({ length: 250 }, (_, n) => script(`https://nobody.example/${n}.js`));
    const { findings, cut } = classify({ observations: scripts, url: PAGE }, SITE, library);
    expect([findings.length, cut]).toEqual([200, true]);
  });
});
