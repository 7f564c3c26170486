import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listBuiltinVendors } from './library.ts';
import { createVendorIndex, type VendorPatterns } from './match.ts';

const builtin = listBuiltinVendors();
const index = createVendorIndex(builtin);

const custom = (fields: Partial<VendorPatterns>): VendorPatterns => ({
  slug: 'own',
  isBuiltin: false,
  domains: [],
  cookies: [],
  ...fields,
});
const withOwn = (fields: Partial<VendorPatterns>) =>
  createVendorIndex<VendorPatterns>([custom(fields), ...builtin]);

describe('A host', () => {
  it.each([
    ['google-analytics.com', 'google-analytics'],
    ['www.google-analytics.com', 'google-analytics'],
    ['region1.www.google-analytics.com', 'google-analytics'],
    ['WWW.Google-Analytics.COM', 'google-analytics'],
    ['www.google-analytics.com.', 'google-analytics'],
    ['www.google-analytics.com:443', 'google-analytics'],
    ['.google-analytics.com', 'google-analytics'],
    ['analytics.google.com', 'google-analytics'],
    ['sub.tt.omtrdc.net', 'adobe-target'],
    ['sc.omtrdc.net', 'adobe-analytics'],
    ['cdnjs.cloudflare.com', 'cdnjs'],
    ['challenges.cloudflare.com', 'cloudflare'],
    ['cmp.quantcast.com', 'inmobi-choice'],
    ['userlike-cdn-widgets.s3-eu-west-1.amazonaws.com', 'userlike'],
    ['s3.amazonaws.com', 'amazon-web-services'],
    ['stats.g.doubleclick.net', 'google-doubleclick'],
    ['ep1.adtrafficquality.google', 'google-adsense'],
    ['i0.wp.com', 'jetpack-cdn'],
    ['stats.wp.com', 'jetpack-stats'],
    ['s0.wp.com', 'wordpress'],
    ['www.loom.com', 'loom'],
    ['cdn.loom.com', 'loom'],
    ['airtable.com', 'airtable'],
    ['www.eventbrite.co.uk', 'eventbrite'],
    ['img.evbuc.com', 'eventbrite'],
    ['js.chargebee.com', 'chargebee'],
    ['shop.goatcounter.com', 'goatcounter'],
    ['gc.zgo.at', 'goatcounter'],
    ['pay.google.com', 'google-pay'],
    ['s7.addthis.com', 'addthis'],
    ['tags.srv.stackadapt.com', 'stackadapt'],
    ['cdn.lgrckt-in.com', 'logrocket'],
    ['cdn.logr-i.com', 'logrocket'],
    ['try.count.ly', 'countly'],
  ])('%s belongs to %s', (host, slug) => {
    expect(index.byHost(host)?.slug).toBe(slug);
  });

  it.each([
    'evilgoogle-analytics.com',
    'google-analytics.com.evil.org',
    'google-analytics.co',
    'google.com',
    'www.google.com',
    'com',
    'localhost',
    'example.org',
    '',
    '.',
    '..',
    'google-analytics..com',
    'google-analytics.com/',
    'user@google-analytics.com',
    'google-analytics.com/ü',
    'https://google-analytics.com',
    '[::1]',
    '[::1]:80',
    '127.0.0.1',
    'a '.repeat(400),
    `${'a.'.repeat(200)}google-analytics.com`,
    '__proto__',
    'constructor',
  ])('%j has no vendor', (host) => {
    expect(index.byHost(host)).toBeNull();
  });

  it('belongs to the vendor of a listed domain above it, or to one with a longer domain', () => {
    const domains = builtin.flatMap(({ domains }) => domains);
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...domains),
        fc.array(label, { maxLength: 4 }),
        (domain, labels) => {
          const host = [...labels, domain].join('.');
          const found = index.byHost(host)?.domains ?? [];
          expect(
            found.some((each) => `.${host}`.endsWith(`.${each}`) && each.length >= domain.length),
          ).toBe(true);
        },
      ),
    );
  });

  it('with only the same suffix has no vendor', () => {
    const domains = builtin.flatMap(({ domains }) => domains);
    // Glued to a domain with three labels, the rest can still be below one with two.
    const twoLabels = domains.filter((domain) => domain.split('.').length === 2);
    fc.assert(
      fc.property(
        fc.constantFrom(...twoLabels),
        fc.stringMatching(/^[a-z]{5,12}[0-9]$/),
        (domain, letters) => {
          expect(index.byHost(letters + domain)).toBeNull();
          expect(index.byHost(`${domain}.${letters}.example`)).toBeNull();
        },
      ),
    );
  });
});

describe('A URL', () => {
  it.each([
    ['https://www.googletagmanager.com/gtm.js?id=GTM-ABC123', 'google-tag-manager'],
    ['https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234&l=dataLayer', 'google-analytics'],
    ['https://www.googletagmanager.com/gtag/js?id=UA-12345-1', 'google-analytics'],
    ['https://www.googletagmanager.com/gtag/js?id=AW-123456789', 'google-ads'],
    ['https://www.googletagmanager.com/gtag/js?id=DC-1234567', 'google-doubleclick'],
    ['https://www.google.com/maps/embed?pb=!1m18', 'google-maps'],
    ['https://www.google.com/maps?q=Bern&output=embed', 'google-maps'],
    ['https://www.google.com/recaptcha/api.js', 'google-recaptcha'],
    ['https://www.gstatic.com/recaptcha/releases/x/recaptcha__en.js', 'google-recaptcha'],
    ['https://www.google.com/pagead/1p-user-list/1/?value=0', 'google-ads'],
    ['https://docs.google.com/forms/d/e/1/viewform', 'google-forms'],
    ['https://www.facebook.com/tr?id=1&ev=PageView', 'facebook-pixel'],
    ['https://connect.facebook.net/en_US/fbevents.js', 'facebook-pixel'],
    ['wss://ws.hotjar.com/api/v2/client/ws', 'hotjar'],
    ['HTTPS://FONTS.GOOGLEAPIS.COM:443/css2?family=Inter', 'google-fonts'],
    ['https://example.org/stats/matomo.js', 'matomo'],
    ['https://example.org/piwik.php?idsite=1', 'matomo'],
    ['https://cdn.jsdelivr.net/npm/matomo.js', 'jsdelivr'],
    ['https://www.youtube-nocookie.com/embed/x', 'youtube'],
  ])('%s belongs to %s', (url, slug) => {
    expect(index.byUrl(url)?.slug).toBe(slug);
  });

  it.each([
    'https://www.google.com/',
    'https://www.google.com/mapsandmore',
    'https://www.google.com/search?q=/maps/',
    'https://example.org/?u=https://www.google-analytics.com/',
    'https://google-analytics.com@example.org/',
    'https://example.org/notmatomo.js',
    'https://example.org/matomo.js/x',
    'https://example.org/google.com/maps/',
    'data:text/javascript,1',
    'about:blank',
    'blob:https://www.youtube.com/1',
    '/analytics.js',
    '//www.youtube.com/embed/x',
    'https://',
    '',
  ])('%s has no vendor', (url) => {
    expect(index.byUrl(url)).toBeNull();
  });
});

describe('A cookie', () => {
  it.each([
    ['_ga', undefined, 'google-analytics'],
    ['_ga', 'example.org', 'google-analytics'],
    ['_ga_AB12CD34EF', undefined, 'google-analytics'],
    ['_gat_gtag_UA_1_1', undefined, 'google-analytics'],
    ['_gcl_au', undefined, 'google-ads'],
    ['_fbp', '.example.org', 'facebook-pixel'],
    ['fr', '.facebook.com', 'facebook-pixel'],
    ['IDE', '.doubleclick.net', 'google-doubleclick'],
    ['uid', '.criteo.com', 'criteo'],
    ['uid', 'track.adform.net', 'adform'],
    ['datr', '.instagram.com', 'instagram'],
    ['datr', '.facebook.com', 'facebook-pixel'],
    ['OptanonConsent', 'example.org', 'onetrust'],
    ['OptanonConsent', '.calendly.com', 'calendly'],
    ['AWSALBTG', 'example.org', 'amazon-web-services'],
    ['AWSALBTG', 'api.typeform.com', 'typeform'],
    ['S', '.emjcd.com', 'cj-affiliate'],
    ['S', 'forms.gle', 'google-forms'],
    ['SID', '.google.com', 'google-sign-in'],
    ['wordpress_logged_in_abc', undefined, 'wordpress'],
    ['_pk_id.1.1fff', undefined, 'matomo'],
    ['_pk_id.9a1f0c52-1111-4d9c-8e0b-0123456789ab.1fff', undefined, 'piwik-pro'],
    ['SL_C_23361dd035530_KEY', undefined, 'smartlook'],
    ['ph_phc_abc_posthog', undefined, 'posthog'],
    ['x_ENSIGHTEN_PRIVACY_y', undefined, 'ensighten'],
    ['___utmvc', undefined, 'imperva'],
    ['rc::a', undefined, 'google-recaptcha'],
    ['aw12345', '.awin1.com', 'awin'],
    ['aws-waf-token', 'example.org', 'amazon-web-services'],
    ['JSESSIONID', 'bam.nr-data.net', 'new-relic'],
    ['_s', 'app.link', 'branch'],
    ['fc_lang', 'wchat.freshchat.com', 'freshworks'],
    ['mf_user', 'example.org', 'mouseflow'],
    ['mf_0d8e1f2a-1111', 'example.org', 'mouseflow'],
    ['amp_6e403e', 'example.org', 'amplitude'],
    ['om-i8xm2pqv', 'example.org', 'optinmonster'],
    ['om-global-cookie', 'example.org', 'optinmonster'],
    ['om-interaction-cookie', 'example.org', 'optinmonster'],
    ['om-success-cookie', 'example.org', 'optinmonster'],
    ['lpv123451', 'example.org', 'salesforce-pardot'],
    ['visitor_id12345-hash', 'example.org', 'salesforce-pardot'],
    ['IR_gbd', 'example.org', 'impact'],
    ['IR_PI', 'example.org', 'impact'],
    ['IR_12345', 'example.org', 'impact'],
  ])('%s on %s belongs to %s', (name, host, slug) => {
    expect(index.byCookie(name, host === undefined ? {} : { host })?.vendor.slug).toBe(slug);
  });

  it.each([
    ['uid', undefined],
    ['uid', 'example.org'],
    ['uid', 'evilcriteo.com'],
    ['id', 'example.org'],
    ['lang', 'example.org'],
    ['cart', 'example.org'],
    ['JSESSIONID', 'example.org'],
    ['usprivacy', 'example.org'],
    ['PHPSESSID', 'example.org'],
    ['aw12345', 'example.org'],
    ['fc_lang', 'example.org'],
    ['fc_uid', 'example.org'],
    ['keep_alive', 'example.org'],
    ['userReferer', 'example.org'],
    ['mf_theme', 'example.org'],
    ['amp_state', 'example.org'],
    ['om-nav', 'example.org'],
    ['lpv_seen', 'example.org'],
    ['visitor_ids', 'example.org'],
    ['IR_x', 'example.org'],
    ['_GA', undefined],
    ['x_ga', undefined],
    ['_gaa', undefined],
    ['ph_posthog', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['constructor', 'example.org'],
  ])('%s on %s has no vendor', (name, host) => {
    expect(index.byCookie(name, host === undefined ? {} : { host })).toBeNull();
  });

  it('of several vendors has no vendor unless the host decides', () => {
    expect(index.byCookie('NID', { host: 'google.com' })).toBeNull();
    expect(index.byCookie('NID', { host: 'maps.google.com' })?.vendor.slug).toBe('google-maps');
  });

  it('has the matching entry of its vendor', () => {
    expect(index.byCookie('_ga_X')?.cookie).toEqual({
      name: '_ga_*',
      kind: 'cookie',
      lifetime: '2 years',
      seconds: 63_115_200,
    });
    expect(index.byCookie('wglang')?.cookie).toMatchObject({ kind: 'storage', seconds: null });
  });
});

describe('A container id', () => {
  it.each([
    ['GTM-ABC123', 'google-tag-manager'],
    ['GT-ABCDE12', 'google-tag-manager'],
    ['gtm-abc123', 'google-tag-manager'],
    ['G-ABCDEF1234', 'google-analytics'],
    ['UA-123456-12', 'google-analytics'],
    ['AW-123456789', 'google-ads'],
    ['DC-1234567', 'google-doubleclick'],
    ['OPT-ABC123', 'google-optimize'],
    ['ca-pub-1234567890123456', 'google-adsense'],
  ])('%s belongs to %s', (id, slug) => {
    expect(index.byContainerId(id)?.slug).toBe(slug);
  });

  it.each(['', 'GTM-', 'XGTM-ABC123', 'UA-1', 'G-', 'AW-abc', 'GTM-ABC123; x'])(
    '%j has no vendor',
    (id) => {
      expect(index.byContainerId(id)).toBeNull();
    },
  );
});

describe('A custom vendor', () => {
  it('wins over a built-in one with the same domain, in any order', () => {
    const both = withOwn({ domains: ['Hotjar.com.'] });
    expect(both.byHost('static.hotjar.com')?.slug).toBe('own');
    expect(both.byHost('hotjar.io')?.slug).toBe('hotjar');
  });

  it('loses to a longer domain and wins with a longer one', () => {
    const both = withOwn({ domains: ['com', 'assets.hotjar.com'] });
    expect(both.byHost('hotjar.com')?.slug).toBe('hotjar');
    expect(both.byHost('x.assets.hotjar.com')?.slug).toBe('own');
  });

  it('wins with the same cookie, but not over an exact one with a pattern', () => {
    const both = withOwn({ cookies: ['_ga', '_g*', { name: '_fbp', domain: 'shop.example' }] });
    expect(both.byCookie('_ga')?.vendor.slug).toBe('own');
    expect(both.byCookie('_gid')?.vendor.slug).toBe('google-analytics');
    expect(both.byCookie('_gxyz')?.vendor.slug).toBe('own');
    expect(both.byCookie('_fbp')?.vendor.slug).toBe('facebook-pixel');
    expect(both.byCookie('_fbp', { host: 'www.shop.example' })?.vendor.slug).toBe('own');
  });

  it('does not match all cookies with a lone *', () => {
    expect(withOwn({ cookies: ['*', '**'] }).byCookie('anything')).toBeNull();
  });

  it('is found by a name in non-Latin script', () => {
    const both = withOwn({ domains: ['bücher.example'] });
    expect(both.byUrl('https://www.bücher.example/x.js')?.slug).toBe('own');
    expect(both.byHost('www.xn--bcher-kva.example')?.slug).toBe('own');
  });

  it('can have invalid entries', () => {
    const odd = ['', '.', 'https://x.example/', '*.x.example', 'a b', '💥 x', 'x'.repeat(300)];
    const both = withOwn({
      domains: odd,
      urlPrefixes: [...odd, '/x', '//'],
      cookies: odd.map((name) => ({ name, domain: name })),
    });
    for (const text of odd) {
      expect(both.byHost(text)).toBeNull();
      expect(both.byCookie(text)).toBeNull();
      expect(both.byUrl(`https://${text}`)).toBeNull();
    }
  });

  it('does not affect other hosts and cookies', () => {
    const domains = builtin.flatMap(({ domains }) => domains);
    const names = builtin.flatMap(({ cookies }) => cookies.map(({ name }) => name));
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{3,12}$/),
        fc.constantFrom(...domains),
        fc.constantFrom(...names),
        fc.stringMatching(/^[a-z0-9]{0,5}$/),
        (word, domain, name, filling) => {
          const both = withOwn({ domains: [`${word}.test`], cookies: [`own-${word}`] });
          const cookie = name.replaceAll('*', filling);
          expect(both.byHost(domain)).toBe(index.byHost(domain));
          expect(both.byCookie(cookie, { host: domain })).toEqual(
            index.byCookie(cookie, { host: domain }),
          );
          expect(both.byCookie(cookie)).toEqual(index.byCookie(cookie));
          expect(both.byHost(`x.${word}.test`)?.slug).toBe('own');
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('A lookup', () => {
  it('accepts any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        index.byHost(a);
        index.byUrl(a);
        index.byUrl(`https://${a}/${b}`);
        index.byCookie(a, { host: b });
        index.byContainerId(a);
      }),
    );
  });

  it('is not slowed down by adversarial names', () => {
    const own = withOwn({ cookies: [`${'a*'.repeat(50)}b`] });
    const before = performance.now();
    expect(own.byCookie('a'.repeat(100_000))).toBeNull();
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
