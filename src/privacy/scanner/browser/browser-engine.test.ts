import { readFileSync } from 'node:fs';
import { Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import {
  openScannerBrowser,
  type ScannerBrowser,
} from '../../../../test/support/scanner-browser.ts';
import { isLoad, type Observation, type PageVisit } from '../observation.ts';

const PAGE_MS = 6_000;
const GIF = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
const gif: Page = (_request, response) =>
  response
    .writeHead(200, {
      'content-type': 'image/gif',
      'set-cookie': 'uid=1; Domain=.vendor.test; Max-Age=86400; SameSite=None; Secure',
    })
    .end(GIF);
const banner = (button: string, script: string) =>
  `<div style="position:fixed;bottom:0">We use cookies. ${button}</div>
   <script>function agreed() { ${script} }</script>`;
const load = (url: string) =>
  `const script = document.createElement('script'); script.src = '${url}'; document.head.append(script);`;

const PAGES: Record<string, Page> = {
  'http://site.test/': (_request, response) =>
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': ['session=1; HttpOnly; SameSite=Lax', 'gone=; Max-Age=0'],
      })
      .end(`<!doctype html><body style="height:5000px">
        <script src="http://cdn.vendor.test/early.js"></script>
        <script type="text/plain" data-src="http://cdn.vendor.test/gated.js"></script>
        <script type="text/plain" data-src="http://cdn.vendor.test/never.js"></script>
        <script>
          document.cookie = 'inline=private; max-age=600';
          localStorage.setItem('visitor', 'private');
          new Image().src = 'http://px.vendor.test/hop?id=1';
          navigator.sendBeacon('http://px.vendor.test/beacon');
          new WebSocket('ws://ws.vendor.test/socket');
          new EventSource('http://sse.vendor.test/events');
          new Worker('/worker.js');
          open('http://popup.vendor.test/');
          document.body.append(Object.assign(document.createElement('iframe'), {
            srcdoc: '<form action="http://forms.vendor.test/send"><input type=email name=email></form>',
          }));
          onscroll = () => { onscroll = null; fetch('http://api.vendor.test/scrolled'); };
          onmousemove = () => { onmousemove = null; fetch('http://api.vendor.test/moved'); };
          setTimeout(() => fetch('http://api.vendor.test/later'), 1500);
        </script>
        <iframe src="http://frame.vendor.test/"></iframe>
        <object data="http://frame.vendor.test/object"></object>
        <embed src="http://frame.vendor.test/embed">
        <img src="http://cdn.vendor.test/hero.gif" width="300" height="200">
        <img src="http://cdn.vendor.test/lazy.gif" loading="lazy" width="1" height="1" style="margin-top:4000px">
        <script src="http://gtm.vendor.test/gtm.js?id=GTM-ABC123"></script>
        ${banner(
          '<button onclick="agreed()">Accept all</button>',
          load('http://cdn.vendor.test/gated.js'),
        )}`),
  'http://site.test/worker.js': `fetch('http://api.vendor.test/from-worker')`,
  'http://cdn.vendor.test/early.js': `document.cookie = 'from_vendor=private; max-age=3600';`,
  'http://cdn.vendor.test/gated.js': `document.cookie = 'after_consent=1';`,
  'http://cdn.vendor.test/hero.gif': gif,
  'http://cdn.vendor.test/lazy.gif': gif,
  'http://px.vendor.test/hop': (_request, response) =>
    response.writeHead(302, { location: 'http://px2.vendor.test/end.gif' }).end(),
  'http://px2.vendor.test/end.gif': gif,
  'http://frame.vendor.test/': `<script>
    sessionStorage.setItem('framed', '1');
    fetch('http://api.vendor.test/from-frame');
    document.cookie = 'framed=1';
  </script>`,
  'http://frame.vendor.test/object': '<p>Object</p>',
  'http://frame.vendor.test/embed': '<p>Embed</p>',
  'http://gtm.vendor.test/gtm.js': `var data = {"resource":{"tags":[{"function":"__gaawe","vtp_measurementId":"G-ABCD123456"}],"predicates":[]}};google_tag_manager = {};`,

  'https://site.test/': `<script src="https://cdn.vendor.test/early.js"></script>
    <img src="https://px.vendor.test/pixel.gif"><iframe src="https://frame.vendor.test/"></iframe>
    <script>navigator.serviceWorker.register('/service.js')</script>`,
  'https://site.test/service.js': `fetch('https://api.vendor.test/from-service-worker')`,
  'https://cdn.vendor.test/early.js': `cookieStore.set('stored', 'private');`,
  'https://px.vendor.test/pixel.gif': gif,
  'https://frame.vendor.test/': `<script>document.cookie = 'framed=private; SameSite=None; Secure; Max-Age=60';</script>`,

  'http://site.test/shadow': `<body><div id="host"></div><script>
    const root = document.getElementById('host').attachShadow({ mode: 'open' });
    root.innerHTML = '<div style="position:fixed;bottom:0">Wir verwenden Cookies <button>Alle akzeptieren</button></div>';
    root.querySelector('button').onclick = (event) => {
      if (event.isTrusted) { ${load('http://cdn.vendor.test/gated.js')} }
    };
  </script>`,
  'http://site.test/cmp': `<iframe src="http://cmp.vendor.test/"></iframe>`,
  'http://cmp.vendor.test/': banner(
    '<button onclick="agreed()">Tout accepter</button>',
    `fetch('http://api.vendor.test/cmp')`,
  ),
  'http://site.test/no-banner': `<p>Terms: <button onclick="fetch('/agreed')">I agree</button></p>
    <form><input name="email">We use cookies <button>Accept all</button></form>
    <p>Our cookie policy: <a href="/elsewhere">Accept cookies</a></p>`,

  'http://site.test/moved': (_request, response) =>
    response.writeHead(301, { location: 'http://www.site.test/new' }).end(),
  'http://www.site.test/new': '<p>here</p>',
  'http://site.test/leaves': (_request, response) =>
    response.writeHead(302, { location: 'http://other.test/' }).end(),
  'http://site.test/runs-away': `<script src="http://cdn.vendor.test/early.js"></script>
    <script>location = 'http://other.test/run';</script>`,
  'http://site.test/report.pdf': '%PDF-1.7',
  'http://site.test/strict': (_request, response) =>
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy':
          "script-src 'unsafe-inline'; img-src http://px.vendor.test; connect-src http://api.vendor.test",
      })
      .end(`<script src="http://gtm.vendor.test/gtm.js?id=GTM-ABC123"></script>
        <script>
          new Image().src = 'http://px.vendor.test/hop?id=1';
          fetch('http://api.vendor.test/allowed').catch(() => {});
        </script>`),

  'http://site.test/spins': `<script src="http://cdn.vendor.test/early.js"></script><script>for (;;);</script>`,
  'http://site.test/alerts': `<script>for (let i = 0; ; i++) alert(i);</script>`,
  'http://site.test/circles': (_request, response) =>
    response.writeHead(302, { location: '/circles' }).end(),
  'http://site.test/reloads': `<script>setTimeout(() => location.reload(), 10);</script>`,
  'http://site.test/endless': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<script src="http://cdn.vendor.test/early.js"></script>');
    const more = setInterval(() => response.write('<p>more</p>'.repeat(100)), 20);
    response.on('close', () => clearInterval(more));
  },
  'http://site.test/breaks-off': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
    response.write('<script src="http://cdn.vendor.test/early.js"></script>');
    setTimeout(() => response.destroy(), 300);
  },
  'http://site.test/resets': (request) => request.socket.resetAndDestroy(),
  'http://site.test/hangs-up': (request) => request.socket.end(),
  'http://site.test/challenge': (_request, response) =>
    response.writeHead(403, { 'cf-mitigated': 'challenge' }).end('<title>Just a moment...</title>'),
  'http://site.test/menu': `<a href="/static">A</a><nav></nav><script>
    setTimeout(() => {
      document.querySelector('nav').innerHTML = '<a href="scripted?x=1">B</a>';
      document.body.append(Object.assign(document.createElement('div'), { id: 'host' }));
      document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<a href="/shadow">C</a>';
    }, 300);
  </script>`,
  'http://site.test/silent': () => {},
  'http://site.test/waits': `<script src="http://site.test/silent"></script>`,
  'http://site.test/huge': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<script src="http://cdn.vendor.test/early.js"></script><!--');
    response.end('x'.repeat(50_000_000));
  },
  'http://site.test/flood': `<script>
    for (let i = 0; i < 3000; i++) fetch('http://api.vendor.test/' + i).catch(() => {});
  </script>`,
  'http://site.test/hoards': `<script>const all = []; for (;;) all.push(new Array(1e6).fill({}));</script>`,
};

let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;

const startEngine = (insecure: boolean, limits: { pageMs?: number } = { pageMs: PAGE_MS }) =>
  openScannerBrowser({
    siteOrigin: 'http://site.test',
    connectTo: pages.connectTo,
    insecure,
    ...limits,
  });

beforeAll(async () => {
  pages = await servePages(PAGES);
  engine = await startEngine(false);
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

const visit = (path: string, signal = new AbortController().signal) =>
  engine.visit(`http://site.test${path}`, signal);

const loaded = ({ observations }: PageVisit, url: string) =>
  observations.find((seen) => 'url' in seen && seen.url === url);
const named = ({ observations }: PageVisit, kind: Observation['kind'], name: string) =>
  observations.find((seen) => seen.kind === kind && 'name' in seen && seen.name === name);

describe('a page with resources of all types', () => {
  let seen: PageVisit;
  let browser: string;
  beforeAll(async () => {
    // The product's own time limit: that of the other tests is short, for pages that never end.
    const patient = await startEngine(false, {});
    seen = await patient.visit('http://site.test/', new AbortController().signal);
    browser = patient.name;
    await patient.close();
  });

  test('is scanned completely by the bundled browser', () => {
    expect(browser).toBe('chromium 153 bundled');
    expect(seen).toMatchObject({ status: 200, partial: false, finalUrl: 'http://site.test/' });
    expect(seen.error).toBeUndefined();
  });

  test.each([
    ['http://cdn.vendor.test/early.js', { kind: 'script' }],
    ['http://px.vendor.test/beacon', { kind: 'request', via: 'beacon' }],
    ['ws://ws.vendor.test/socket', { kind: 'request', via: 'websocket' }],
    ['http://sse.vendor.test/events', { kind: 'request', via: 'eventsource' }],
    ['http://site.test/worker.js', { kind: 'script', via: 'worker' }],
    ['http://api.vendor.test/from-worker', { kind: 'request', via: 'worker' }],
    ['http://frame.vendor.test/', { kind: 'frame' }],
    ['http://frame.vendor.test/object', { kind: 'frame', via: 'object' }],
    ['http://frame.vendor.test/embed', { kind: 'frame', via: 'embed' }],
    ['http://api.vendor.test/from-frame', { frameUrl: 'http://frame.vendor.test/' }],
    ['http://api.vendor.test/scrolled', { via: 'fetch' }],
    ['http://api.vendor.test/moved', { via: 'fetch' }],
    ['http://api.vendor.test/later', { via: 'fetch' }],
    ['http://px.vendor.test/hop?id=1', { kind: 'image', status: 302 }],
    ['http://px2.vendor.test/end.gif', { redirectedFrom: 'http://px.vendor.test/hop?id=1' }],
  ])('requests %s', (url, what) => {
    expect(loaded(seen, url)).toMatchObject({ ...what, blockedUntilConsent: false });
    expect(loaded(seen, url)?.sources).toContain('network');
  });

  test('distinguishes what loads before consent, after consent and not at all', () => {
    expect(loaded(seen, 'http://cdn.vendor.test/early.js')).toMatchObject({
      consentState: 'before',
      sources: expect.arrayContaining(['network', 'html', 'dom']),
    });
    expect(loaded(seen, 'http://cdn.vendor.test/gated.js')).toMatchObject({
      consentState: 'after',
      blockedUntilConsent: false,
    });
    expect(loaded(seen, 'http://cdn.vendor.test/never.js')).toMatchObject({
      blockedUntilConsent: true,
      sources: expect.not.arrayContaining(['network']),
    });
  });

  test('names the states in which a resource was at work, since when, and by what', () => {
    const evidence = (found: Observation | undefined) =>
      found?.evidence?.map(({ state, url, initiator }) => [state, url, initiator]);
    const early = 'http://cdn.vendor.test/early.js';
    const gated = 'http://cdn.vendor.test/gated.js';
    expect(evidence(loaded(seen, early))).toEqual([
      ['before', early, 'http://site.test/'],
      ['accepted', early, 'http://site.test/'],
    ]);
    expect(evidence(loaded(seen, gated))).toEqual([['accepted', gated, 'http://site.test/']]);
    expect(loaded(seen, 'http://cdn.vendor.test/never.js')).not.toHaveProperty('evidence');
    expect(evidence(named(seen, 'cookie', 'session'))).toEqual([
      ['before', 'http://site.test/', undefined],
      ['accepted', 'http://site.test/', undefined],
    ]);
    expect(evidence(named(seen, 'cookie', 'from_vendor'))).toEqual([
      ['before', 'http://site.test/', early],
      ['accepted', 'http://site.test/', early],
    ]);
    expect(evidence(named(seen, 'cookie', 'after_consent'))).toEqual([
      ['accepted', 'http://site.test/', gated],
    ]);
    expect(evidence(named(seen, 'storage', 'framed'))?.map(([state]) => state)).toEqual([
      'before',
      'accepted',
    ]);
    const [first, last] = [early, gated].map((url) => loaded(seen, url)?.evidence?.at(-1)?.at ?? 0);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(last).toBeGreaterThan(first as number);
  });

  test('reports the rendered size of images', () => {
    expect(loaded(seen, 'http://cdn.vendor.test/hero.gif')).toMatchObject({
      size: { width: 300, height: 200 },
      visible: true,
    });
    expect(loaded(seen, 'http://cdn.vendor.test/lazy.gif')).toMatchObject({
      size: { width: 1, height: 1 },
    });
    expect(loaded(seen, 'http://px2.vendor.test/end.gif')).not.toHaveProperty('size');
  });

  test('does not take a pop-up that the browser blocked for a request', () => {
    const popup = loaded(seen, 'http://popup.vendor.test/');
    expect(popup).toMatchObject({ via: 'popup', failure: 'policy' });
    expect(popup).not.toHaveProperty('evidence');
  });

  test('reports cookies of headers and scripts, including rejected ones', () => {
    expect(named(seen, 'cookie', 'session')).toMatchObject({
      httpOnly: true,
      sameSite: 'lax',
      lifetimeSeconds: null,
      setBy: 'http://site.test/',
      blockedReasons: [],
    });
    expect(named(seen, 'cookie', 'gone')).toBeUndefined();
    expect(named(seen, 'cookie', 'from_vendor')).toMatchObject({
      domain: 'site.test',
      lifetimeSeconds: 3600,
      setBy: 'http://cdn.vendor.test/early.js',
      consentState: 'before',
    });
    expect(named(seen, 'cookie', 'after_consent')).toMatchObject({ consentState: 'after' });
    expect(named(seen, 'cookie', 'uid')).toMatchObject({
      domain: 'vendor.test',
      lifetimeSeconds: 86_400,
      blockedReasons: ['SecureOnly'],
    });
    expect(named(seen, 'cookie', 'uid')).not.toHaveProperty('evidence');
    expect(JSON.stringify(seen)).not.toContain('private');
  });

  test('reports the storage keys of each origin', () => {
    expect(named(seen, 'storage', 'visitor')).toMatchObject({ origin: 'http://site.test' });
    expect(named(seen, 'storage', 'framed')).toMatchObject({
      area: 'session',
      origin: 'http://frame.vendor.test',
    });
  });

  test('reports a form in a frame that a script created', () => {
    expect(seen.observations.find(({ kind }) => kind === 'form')).toMatchObject({
      action: 'http://forms.vendor.test/send',
      personalFields: ['email'],
    });
  });

  test('reports the tags of a container', () => {
    const containers = seen.observations.filter(({ kind }) => kind === 'container');
    expect(containers).toContainEqual(
      expect.objectContaining({ id: 'GTM-ABC123', tags: ['G-ABCD123456', '__gaawe'] }),
    );
  });
});

describe('over TLS', () => {
  test('an invalid certificate is reported', async () => {
    expect(await engine.visit('https://site.test/', new AbortController().signal)).toMatchObject({
      observations: [],
      error: expect.stringContaining('certificate of site.test is not valid'),
    });
  });

  test('an invalid certificate is accepted with `insecure`, and features of secure contexts work', async () => {
    const insecure = await startEngine(true);
    const seen = await insecure.visit('https://site.test/', new AbortController().signal);
    await insecure.close();
    expect(seen).toMatchObject({ status: 200, partial: false });
    expect(named(seen, 'cookie', 'uid')).toMatchObject({
      domain: 'vendor.test',
      sameSite: 'none',
      blockedReasons: [],
      setBy: 'https://px.vendor.test/pixel.gif',
      sources: expect.arrayContaining(['header', 'dom']),
    });
    expect(named(seen, 'cookie', 'stored')).toMatchObject({
      domain: 'site.test',
      setBy: 'https://cdn.vendor.test/early.js',
    });
    expect(named(seen, 'cookie', 'framed')).toMatchObject({
      domain: 'frame.vendor.test',
      setBy: 'https://frame.vendor.test/',
      lifetimeSeconds: 60,
    });
    expect(loaded(seen, 'https://api.vendor.test/from-service-worker')).toMatchObject({
      via: 'worker',
      sources: ['network'],
    });
    expect(JSON.stringify(seen)).not.toContain('private');
  });
});

describe('consent', () => {
  test('is given with a real click, also within a shadow root', async () => {
    expect(loaded(await visit('/shadow'), 'http://cdn.vendor.test/gated.js')).toMatchObject({
      consentState: 'after',
    });
  });

  test("is given in another site's frame", async () => {
    expect(loaded(await visit('/cmp'), 'http://api.vendor.test/cmp')).toMatchObject({
      consentState: 'after',
    });
  });

  test('is not given by unrelated buttons, submit buttons and links', async () => {
    const seen = await visit('/no-banner');
    expect(seen.observations.every(({ consentState }) => consentState === 'before')).toBe(true);
    expect(pages.asked).not.toContain('http://site.test/agreed');
    expect(pages.asked).not.toContain('http://site.test/elsewhere');
  });
});

describe('what the policy of the page forbids', () => {
  const asked = (url: string) => pages.asked.includes(url);

  test('is not at work', async () => {
    const seen = await visit('/strict');
    const gtm = 'http://gtm.vendor.test/gtm.js?id=GTM-ABC123';
    const target = 'http://px2.vendor.test/end.gif';
    for (const url of [gtm, target]) {
      const load = seen.observations.find((each) => isLoad(each) && each.url === url);
      expect(load).toMatchObject({ failure: 'policy' });
      expect(load).not.toHaveProperty('evidence');
    }
    const containers = seen.observations.filter(({ kind }) => kind === 'container');
    expect(containers.some(({ sources }) => sources.includes('network'))).toBe(false);
  });

  test('does not change what was sent, also if it redirects there', async () => {
    const seen = await visit('/strict');
    for (const url of ['http://px.vendor.test/hop?id=1', 'http://api.vendor.test/allowed']) {
      expect(asked(url)).toBe(true);
      expect(loaded(seen, url)).toMatchObject({ evidence: [expect.anything(), expect.anything()] });
      expect(loaded(seen, url)).not.toMatchObject({ failure: 'policy' });
    }
  });
});

describe('navigation', () => {
  test('follows redirects within the site', async () => {
    expect(await visit('/moved')).toMatchObject({
      finalUrl: 'http://www.site.test/new',
      status: 200,
    });
  });

  test.each(['/leaves', '/runs-away'])('to another site is blocked (%s)', async (path) => {
    const seen = await visit(path);
    expect(pages.asked.filter((url) => url.startsWith('http://other.test'))).toEqual([]);
    if (path === '/leaves') expect(seen.error).toContain('another site, other.test');
    else expect(loaded(seen, 'http://other.test/run')).toMatchObject({ failure: 'blocked' });
  });

  test.each([
    ['/report.pdf', 'The page is not HTML'],
    ['/circles', 'redirects too many times'],
    ['/silent', 'did not respond in time'],
    ['/resets', 'site.test reset the connection before it responded'],
    ['/hangs-up', 'site.test closed the connection without a response'],
  ])('reports why %s failed', async (path, error) => {
    expect(await visit(path)).toMatchObject({
      observations: [],
      error: expect.stringContaining(error),
    });
  });
});

describe('a page', () => {
  test('of a bot protection is recognised', async () => {
    expect(await visit('/challenge')).toMatchObject({ status: 403, botWall: 'Cloudflare' });
  });

  test('has the links that its scripts add', async () => {
    const { links } = await visit('/menu');
    expect(await links?.()).toEqual([
      'http://site.test/static',
      'http://site.test/scripted?x=1',
      'http://site.test/shadow',
    ]);
  });
});

describe('a page that does not become idle', () => {
  // One after the other: together, some need so much memory that the browser is ended for all that are open.
  test.each([
    ['/spins', 'http://cdn.vendor.test/early.js'],
    ['/endless', 'http://cdn.vendor.test/early.js'],
    ['/waits', 'http://site.test/silent'],
    ['/huge', 'http://cdn.vendor.test/early.js'],
    ['/alerts', 'http://site.test/alerts'],
    ['/breaks-off', 'http://cdn.vendor.test/early.js'],
    ['/flood', 'http://api.vendor.test/0'],
  ])('is read within the time limit with its findings so far (%s)', async (path, url) => {
    const start = performance.now();
    const seen = await visit(path);
    expect(performance.now() - start).toBeLessThan(PAGE_MS + 5_000);
    expect(seen).toMatchObject({ partial: true });
    expect(loaded(seen, url), seen.error).toBeDefined();
    expect(seen.observations.length).toBeLessThan(700);
  });

  test('is ended in a redirect loop', async () => {
    await visit('/reloads');
    expect(pages.asked.filter((url) => url.endsWith('/reloads')).length).toBeLessThan(15);
  });

  test('is ended when the scan is cancelled', async () => {
    const start = performance.now();
    expect(await visit('/silent', AbortSignal.timeout(300))).toMatchObject({ partial: true });
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

/** Of the scanner's browser: the tests have one of their own, which other files of this process have started. */
function browserPid(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();
  const isBrowser = (pid: string) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--proxy-server');
  return Number(children.split(' ').find(isBrowser));
}

test('a proxy that cannot start fails one page, and the next page starts it again', async () => {
  const restarted = await startEngine(false);
  onTestFinished(() => restarted.close());
  const page = () => restarted.visit('http://site.test/no-banner', new AbortController().signal);
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (
    this: Server,
  ) {
    process.nextTick(() => this.emit('error', new Error('too many open files')));
    return this;
  });
  onTestFinished(() => listen.mockRestore());
  await expect(page()).rejects.toThrow('too many open files');
  expect(await page()).toMatchObject({ status: 200 });
});

describe('a crash', () => {
  test('of a page that runs out of memory fails that page', async () => {
    expect(await visit('/hoards')).toMatchObject({ partial: true });
    expect(await visit('/new')).toMatchObject({ partial: false });
  });

  test('of the browser fails the open page, and the next page starts another browser', async () => {
    pages.asked.length = 0;
    const open = visit('/spins');
    await expect.poll(() => pages.asked.join()).toContain('/spins');
    process.kill(browserPid(), 'SIGKILL');
    expect(await open).toMatchObject({ partial: true, error: expect.stringContaining('crashed') });
    expect(await visit('/')).toMatchObject({ status: 200, partial: false });
  });

  test('of the browser before a page opens does not delay the page', async () => {
    await visit('/new');
    const stopped = browserPid();
    process.kill(stopped, 'SIGSTOP');
    const start = performance.now();
    expect(await visit('/')).toMatchObject({ partial: true, error: expect.any(String) });
    expect(performance.now() - start).toBeLessThan(PAGE_MS + 2_500);
    expect(await visit('/')).toMatchObject({ status: 200, partial: false });
  });
});
