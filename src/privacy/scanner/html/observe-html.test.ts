import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../observation.ts';
import { type HtmlPage, observeHtml } from './observe-html.ts';

const pageUrl = 'https://site.example/shop/page';

function observe(html: string, page: Partial<HtmlPage> = {}): Observation[] {
  return observeHtml(html, { pageUrl, setCookies: [], headers: {}, ...page });
}

/** What is loaded, in a line each. */
const loads = (html: string): string[] =>
  observe(html).flatMap((each) =>
    'url' in each && each.kind !== 'container'
      ? [
          [
            each.kind,
            each.url,
            ...('via' in each && each.via ? [each.via] : []),
            ...(each.blockedUntilConsent ? ['waits'] : []),
            ...('inNoscript' in each && each.inNoscript ? ['noscript'] : []),
          ].join(' '),
        ]
      : [],
  );

describe('observeHtml', () => {
  it.each([
    ['<script src="https://cdn.example/a.js">', ['script https://cdn.example/a.js']],
    ['<script src="own.js">', ['script https://site.example/shop/own.js']],
    [
      '<base href="/deep/er/"><script src="own.js">',
      ['script https://site.example/deep/er/own.js'],
    ],
    ['<script type=module src="//m.example/m.js">', ['script https://m.example/m.js']],
    ['<link rel=modulepreload href="https://m.example/m.js">', ['script https://m.example/m.js']],
    [
      '<link rel=preload as=script href="https://m.example/m.js">',
      ['script https://m.example/m.js'],
    ],
    ['<link rel=preload as=font href="https://f.example/f">', ['font https://f.example/f']],
    ['<link rel=stylesheet href="https://f.example/css">', ['style https://f.example/css']],
    [
      '<link rel=preconnect href="https://h.example"><link rel=dns-prefetch href="//h.example">',
      [],
    ],
    [
      '<script type="application/ld+json" src="https://x.example/x">{"a":"https://x.example/y.js"}',
      [],
    ],
    ['<iframe src="https://v.example/e#t=1">', ['frame https://v.example/e']],
    ['<iframe src="about:blank"></iframe><iframe src="javascript:0"></iframe>', []],
    [
      '<object data="https://o.example/o"></object><embed src="https://e.example/e">',
      ['frame https://o.example/o object', 'frame https://e.example/e embed'],
    ],
    ['<img src="https://i.example/i.png">', ['image https://i.example/i.png']],
    [
      '<img src="data:image/gif;base64,R0" data-src="https://i.example/lazy.png">',
      ['image https://i.example/lazy.png'],
    ],
    [
      '<img srcset="https://i.example/1.png 1x, https://i.example/2.png 2x">',
      ['image https://i.example/1.png'],
    ],
    [
      '<video src="https://v.example/v.mp4" poster="https://v.example/p.jpg">',
      ['image https://v.example/p.jpg', 'request https://v.example/v.mp4 media'],
    ],
    ['<a href="/x" ping="https://p.example/p">', ['request https://p.example/p beacon']],
    [
      '<style>@import "https://c.example/c.css"; @font-face{src:url(https://f.example/f.woff2)}</style>',
      ['style https://c.example/c.css', 'font https://f.example/f.woff2'],
    ],
    [
      '<div style="background:url(\'https://b.example/b.png\')">',
      ['image https://b.example/b.png'],
    ],
    [
      '<iframe srcdoc="<iframe srcdoc=\'<script src=https://s.example/s.js>\'></iframe>">',
      ['script https://s.example/s.js'],
    ],
    ['<a href="https://linked.example/page.js">', []],
  ])('reports resources: %s', (html, expected) => {
    expect(loads(html)).toEqual(expected);
  });

  it.each([
    [
      '<script type="text/plain" src="https://t.example/t.js">',
      'script https://t.example/t.js waits',
    ],
    [
      '<script type="text/plain" data-src="https://t.example/t.js">',
      'script https://t.example/t.js waits',
    ],
    ['<script data-src="https://t.example/t.js">', 'script https://t.example/t.js waits'],
    ['<iframe data-src="https://t.example/t">', 'frame https://t.example/t waits'],
    [
      '<iframe data-cmplz-src="https://t.example/t" src="about:blank">',
      'frame https://t.example/t waits',
    ],
    [
      '<script type="text/plain">fetch("https://t.example/t")</script>',
      'request https://t.example/t fetch waits',
    ],
  ])('reports resources blocked until consent: %s', (html, expected) => {
    expect(loads(html)).toEqual([expected]);
  });

  it.each([
    [`fetch('https://a.' + host + '/x')`, []],
    ['fetch(`https://$' + '{host}/x`)', []],
    [`fetch("https://".concat(host))`, []],
    ['fetch(`https://a.example/x/$' + '{id}`)', ['request https://a.example/x/ fetch']],
    [`fetch('https://a.example/x/' + id)`, ['request https://a.example/x/ fetch']],
    [`fetch('https://a.example/x?id=' + id)`, ['request https://a.example/x?id= fetch']],
    [`fetch('https://a.example')`, ['request https://a.example/ fetch']],
  ])('reports incomplete URLs of inline code: %s', (code, expected) => {
    expect(loads(`<script>${code}</script>`)).toEqual(expected);
  });

  it('does not treat lazy loading as blocked until consent', () => {
    expect(
      loads(
        '<iframe class="lazyload" data-src="https://v.example/e"></iframe><script type="rocketlazyloadscript" data-rocket-src="https://d.example/d.js"></script>',
      ),
    ).toEqual(['frame https://v.example/e', 'script https://d.example/d.js']);
  });

  it('reports resources in noscript', () => {
    expect(
      loads(
        '<head><noscript><link rel=stylesheet href=https://c.example/c></noscript></head><body><noscript><img width=1 height=1 src="https://www.facebook.com/tr?id=1&amp;noscript=1"></noscript>',
      ),
    ).toEqual([
      'style https://c.example/c noscript',
      'image https://www.facebook.com/tr?id=1&noscript=1 noscript',
    ]);
  });

  it('reports the size of images and whether they are hidden', () => {
    const images = observe(
      `<img src="https://i.example/1" width="1" height="1"><img src="https://i.example/2" style="width:2px; height: 2px;display:none">
       <div hidden><p><img src="https://i.example/3"></p></div><img src="https://i.example/4" width="100%" height=3>`,
    );
    expect(images).toMatchObject([
      { size: { width: 1, height: 1 }, visible: true },
      { size: { width: 2, height: 2 }, visible: false },
      { visible: false },
      { visible: true },
    ]);
    expect(images[3]).not.toHaveProperty('size');
  });

  it('reports URLs that inline code requests', () => {
    expect(
      loads(`<script>
        fetch('https://a.example/f?x=1'); navigator.sendBeacon("https:\\/\\/b.example\\/b", data);
        x.open('POST', "//c.example/x"); new WebSocket('wss://d.example/'); import("https://e.example/m");
        new Image().src = 'https://f.example/p.gif'; s=document.createElement('iframe'); s.src='https://g.example/e';
        (function(h,o){o.createElement('script')})(window,document,'https://h.example/hotjar-');
      </script>`),
    ).toEqual([
      'request https://a.example/f?x=1 fetch',
      'request https://b.example/b beacon',
      'request https://c.example/x xhr',
      'request wss://d.example/ websocket',
      'script https://e.example/m',
      'image https://f.example/p.gif',
      'frame https://g.example/e',
      'script https://h.example/',
    ]);
  });

  it('ignores other URLs in inline code', () => {
    expect(
      loads(`<script>var config = {logo: "https://a.example/logo.png", "@context":'https://schema.org'};
        var e = document.createElementNS("http://www.w3.org/2000/svg", 'svg'); var l = document.createElement('a');
        l.setAttribute('href', 'https://b.example/'); l.href = "https://c.example/"; // "https://d.example/"
      </script>`),
    ).toEqual([]);
  });

  it('reports each container once, with its URL', () => {
    const containers = observe(
      `<script>(function(w,d,s,l,i){w[l].push({'gtm.start':1});j.src='https://www.googletagmanager.com/gtm.js?id='+i;})(window,document,'script','dataLayer','GTM-AB12CD');</script>
       <noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-AB12CD"></iframe></noscript>
       <script type="text/plain" src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script>`,
    ).filter(({ kind }) => kind === 'container');
    expect(containers).toMatchObject([
      {
        id: 'GTM-AB12CD',
        sources: ['script', 'html'],
        blockedUntilConsent: false,
        url: 'https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD',
      },
      {
        id: 'G-ABCDEF1234',
        blockedUntilConsent: true,
        url: 'https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234',
      },
    ]);
  });

  it('reports forms with their action and personal data fields', () => {
    const forms = observe(
      `<form action="https://list.example/s" method=post><input name="EMAIL"><input name="firstName"><input type=hidden name=phone></form>
       <form><input type=search name=q></form>
       <form id=late><button formaction="https://other.example/x" formmethod=post>Go</button></form>
       <input form=late name="geburtsdatum"><input form=late autocomplete="section-a shipping street-address">
       <form action="javascript:void(0)"><input type=tel><input type=password><input type=file><select name=country></select></form>`,
    ).map((each) => each.kind === 'form' && [each.method, each.action, each.personalFields.join()]);
    expect(forms).toEqual([
      ['POST', 'https://list.example/s', 'email,name'],
      ['GET', pageUrl, ''],
      ['GET', pageUrl, 'birth_date,address'],
      ['POST', 'https://other.example/x', 'birth_date,address'],
      ['GET', pageUrl, 'phone,password,file'],
    ]);
  });

  it('reports cookies of headers without values, and none of markup, which browsers ignore', () => {
    const cookies = observe('<meta http-equiv="Set-Cookie" content="meta=SECRET; Max-Age=60">', {
      setCookies: [
        { header: 'sid=SECRET; Path=/; HttpOnly', url: pageUrl },
        { header: 'lang=SECRET; Domain=.site.example', url: 'https://www.site.example/' },
        { header: 'gone=SECRET; Max-Age=0', url: pageUrl },
      ],
    });
    expect(cookies).toMatchObject([
      { name: 'sid', domain: 'site.example', httpOnly: true, sources: ['header'], setBy: pageUrl },
      { name: 'lang', domain: 'site.example', setBy: 'https://www.site.example/' },
    ]);
    expect(JSON.stringify(cookies)).not.toContain('SECRET');
  });

  it('reports CSP and Reporting API endpoints', () => {
    const headers = {
      'content-security-policy': "default-src 'self'; report-uri https://r.example/csp /own",
      'reporting-endpoints': 'main="https://e.example/r"',
    };
    const urls = observe('', { headers }).map((each) => 'url' in each && each.url);
    expect(urls).toEqual([
      'https://r.example/csp',
      'https://site.example/own',
      'https://e.example/r',
    ]);
  });

  it('accepts any markup and never reports credentials in URLs', () => {
    const piece = fc.constantFrom(
      '<script src="',
      'https://u:p@h.example/x',
      '">',
      '</script>',
      '<iframe srcdoc="',
      '<noscript>',
      '<form>',
      '<input name=',
      '<img srcset=',
      "'",
      '<style>@import ',
      'url(',
      '<base href=',
      '\u0000',
      '<table>',
      '<svg>',
      '</',
      '=',
      ' ',
      '<template>',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        for (const each of observe(pieces.join(''))) {
          const url = 'url' in each && each.url ? new URL(each.url) : undefined;
          expect(url?.protocol ?? 'https:').toMatch(/^(https?|wss?):$/);
          expect(url?.username ?? '').toBe('');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('parses adversarial markup within the time limit', () => {
    const started = performance.now();
    for (const html of [
      '<div>'.repeat(200_000),
      '<b>'.repeat(200_000),
      '<iframe srcdoc="'.repeat(50_000),
      '<style>url('.repeat(50_000),
      `<script>${'"https://'.repeat(50_000)}`,
      `<script>${'createElement('.repeat(50_000)}`,
      `<style>${'@import '.repeat(60_000)}`,
    ]) {
      observe(html);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
