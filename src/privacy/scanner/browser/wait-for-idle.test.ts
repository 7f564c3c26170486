import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import {
  openScannerBrowser,
  type ScannerBrowser,
} from '../../../../test/support/scanner-browser.ts';
import type { PageVisit } from '../observation.ts';

const ask = (what: string) => `fetch('http://api.vendor.test/${what}')`;
const after = (ms: number, then: string) => `setTimeout(() => { ${then} }, ${ms});`;
const script = (code: string) => `<!doctype html><body><script>${code}</script>`;
const endOf = (id: string, what: string) =>
  `new IntersectionObserver(([entry]) => { if (entry.isIntersecting) ${ask(what)}; })
     .observe(document.getElementById('${id}'));`;
const load = (url: string) =>
  `document.head.append(Object.assign(document.createElement('script'), { src: '${url}' }));`;
/** Answers after so long. */
const slow =
  (ms: number): Page =>
  (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'access-control-allow-origin': '*' }).end(), ms);
  };

/** A page whose banner closes when it is accepted. */
const closing = (then: string) => `<!doctype html><button id="search">Search</button>
  <div id="banner" style="position:fixed;bottom:0">We use cookies.
    <button onclick="banner.remove();${then}">Accept all</button></div>`;

/** What each page asks for late, by the page's path. */
const LATE: Record<string, string> = {
  'timer-1000': script(after(1_000, ask('timer-1000'))),
  'timer-8000': script(after(8_000, ask('timer-8000'))),
  'timers-in-a-chain': script(
    `let n = 0; (function next() { if (n++ === 12) ${ask('timers-in-a-chain')}; else setTimeout(next, 100); })();`,
  ),
  'fifth-turn': script(
    `let n = 0; setInterval(() => { if (++n === 5) ${ask('fifth-turn')}; }, 900);`,
  ),
  'timer-in-a-worker': script(
    `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(after(1_500, ask('timer-in-a-worker')))}])));`,
  ),
  'timer-in-a-frame': `<iframe src="http://frame.vendor.test/"></iframe>`,
  'timer-after-a-frame-of-ours': `<iframe srcdoc="&lt;script>setTimeout(() => ${ask('timer-after-a-frame-of-ours')}, 1500)&lt;/script>"></iframe>`,
  'after-mouse': script(`onmousemove = () => { ${after(600, ask('after-mouse'))} };`),
  'after-scroll': `<body style="height:4000px">${script(
    `let timer; onscroll = () => { clearTimeout(timer); timer = ${after(250, ask('after-scroll'))} };`,
  )}`,
  'at-the-end': `<body><p style="height:7000px">long<p id="end">end${script(endOf('end', 'at-the-end'))}`,
  'at-the-end-of-a-box': `<body style="margin:0;height:100vh;overflow:hidden">
    <div style="height:100vh;overflow:auto"><p style="height:4000px">long<p id="end">end</div>
    ${script(endOf('end', 'at-the-end-of-a-box'))}`,
  'grows-when-scrolled': `<body><main id="all"></main><p id="end">end${script(
    `let n = 0;
     const grow = () => { all.append(Object.assign(document.createElement('p'), { style: 'height:1200px' })); };
     grow();
     new IntersectionObserver(([entry]) => {
       if (!entry.isIntersecting) return;
       if (++n === 3) ${ask('grows-when-scrolled')}; else grow();
     }).observe(document.getElementById('end'));`,
  )}`,
  'after-a-transition': `<style>p { transition: opacity 1s }</style><p id="fades">fades${script(
    `requestAnimationFrame(() => requestAnimationFrame(() => { fades.style.opacity = 0; }));
     fades.ontransitionend = () => ${ask('after-a-transition')};`,
  )}`,
  'after-sixty-pictures': script(
    `let n = 0; (function draw() { if (++n === 60) ${ask('after-sixty-pictures')}; else requestAnimationFrame(draw); })();`,
  ),
  'told-by-events': script(
    `new EventSource('http://site.test/events').onmessage = () => ${ask('told-by-events')};`,
  ),
  'after-a-slow-answer': script(
    `fetch('http://site.test/slow-1300').then(() => ${ask('after-a-slow-answer')});`,
  ),
  'after-a-database': script(
    `indexedDB.open('db', 1).onsuccess = () => indexedDB.open('other', 1).onsuccess = () => ${ask('after-a-database')};`,
  ),
  'when-idle': script(`requestIdleCallback(() => requestIdleCallback(() => ${ask('when-idle')}));`),
};

/** Asks with what every clock says after eight seconds, in a page, a frame or a worker. */
const CLOCKS = (where: string) => `
  const clocks = () => [Date.now(), +new Date(), performance.timeOrigin + performance.now(), Date.parse(Date())];
  const start = clocks();
  setTimeout((event) => {
    const went = clocks().map((at, index) => Math.round((at - start[index]) / 1000));
    const apart = Math.round(Math.abs(Date.now() - performance.timeOrigin - performance.now()) / 100);
    fetch('http://api.vendor.test/clocks-${where}?went=' + went + '&apart=' + apart);
  }, 8000);`;

const PAGES: Record<string, Page> = {
  'http://site.test/clocks': `<script>${CLOCKS('page')}
      setTimeout(() => requestAnimationFrame((at) => {
        addEventListener('tick', ({ timeStamp }) => {
          const apart = [at, timeStamp].map((each) => Math.round(Math.abs(performance.now() - each) / 1000));
          fetch('http://api.vendor.test/stamps?' + apart);
        }, { once: true });
        dispatchEvent(new Event('tick'));
      }), 5000);
      setTimeout(() => {
        document.cookie = 'hour=1; path=/; expires=' + new Date(Date.now() + 3600000).toUTCString();
        fetch('http://api.vendor.test/date-' + (new Date() instanceof Date && new Date().constructor === Date &&
          /native code/.test(Date) && Date.length === 7 && new Date(0).getTime() === 0 && typeof Date() === 'string'));
      }, 9000);
      new Worker(URL.createObjectURL(new Blob([${JSON.stringify(CLOCKS('worker'))}])));
    </script><iframe src="http://frame.vendor.test/clocks"></iframe>`,
  'http://frame.vendor.test/clocks': `<script>${CLOCKS('frame')}</script>`,
  ...Object.fromEntries(
    Object.entries(LATE).map(([path, page]) => [`http://site.test/${path}`, page]),
  ),
  'http://frame.vendor.test/': script(after(1_500, ask('timer-in-a-frame'))),
  'http://site.test/events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    setTimeout(() => response.write('data: news\n\n'), 900);
  },
  'http://site.test/slow-1300': slow(1_300),
  'http://site.test/slow-400': slow(400),
  'http://site.test/consent': `<div style="position:fixed;bottom:0">We use cookies.
    <button onclick="agreed()">Accept all</button></div>
    <script>
      function agreed() { ${load('http://cdn.vendor.test/one.js')} }
      ${after(3_000, ask('before'))}
    </script>`,
  'http://site.test/banner-comes-late': script(
    after(
      2_500,
      `document.body.insertAdjacentHTML('beforeend',
         '<div>We use cookies <button onclick="fetch(\\'http://api.vendor.test/agreed\\')">Accept all</button></div>')`,
    ),
  ),
  'http://cdn.vendor.test/one.js': after(800, load('http://cdn.vendor.test/two.js')),
  'http://cdn.vendor.test/two.js': after(1_200, ask('after')),
  'http://site.test/reloads-on-consent': `<div style="position:fixed;bottom:0">We use cookies.
    <button onclick="localStorage.agreed = 1; location.reload()">Accept all</button></div>
    <script>if (localStorage.agreed) ${after(700, ask('reloaded'))}</script>`,
  'http://site.test/falls-back': script(
    `const late = setTimeout(() => ${ask('fallback')}, 600);
     fetch('http://site.test/slow-400').then(() => { clearTimeout(late); ${ask('as-planned')}; });`,
  ),
  'http://site.test/moves-on': `<form action="http://forms.vendor.test/"><input name="email"></form>
    ${script(after(5_000, `location = '/elsewhere';`))}`,
  'http://site.test/elsewhere': script(ask('elsewhere')),
  'http://site.test/throws': script(
    `onerror = (message) => { fetch('http://api.vendor.test/error?message=' + message); };
     setTimeout(function (a, b) { if (this === window && a + b === 3) throw new Error('as ever'); }, 900, 1, 2);`,
  ),
  'http://site.test/closes': closing(''),
  'http://site.test/focuses': closing('search.focus();'),
  'http://site.test/cleared': script(
    `clearTimeout(${after(900, ask('cleared')).slice(0, -1)});
     clearInterval(setInterval(() => ${ask('cleared')}, 900));
     fetch('http://api.vendor.test/' + /native code/.test(setTimeout));`,
  ),
};

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

const visit = (path: string) =>
  engine.visit(`http://site.test/${path}`, new AbortController().signal);
const asked = ({ observations }: PageVisit, what: string) =>
  observations.find(
    (seen) =>
      seen.kind === 'request' &&
      seen.url.startsWith(`http://api.vendor.test/${what}`) &&
      seen.sources.includes('network'),
  );

test.each(Object.keys(LATE))('what a page asks for late is seen (%s)', async (path) => {
  const seen = await visit(path);
  expect(seen).toMatchObject({ status: 200, partial: false });
  expect(asked(seen, path)).toMatchObject({ consentState: 'before' });
});

// Chromium reports no idle time after a focus until it renders.
test('a banner that moves the focus does not delay the visit', async () => {
  const took = async (path: string) => {
    const startedAt = performance.now();
    await visit(path);
    return performance.now() - startedAt;
  };
  // On a busy machine any visit can be slow, so the best of three pairs counts.
  let delay = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && delay >= 1_000; turn++) {
    const [closes, focuses] = await Promise.all([took('closes'), took('focuses')]);
    delay = focuses - closes;
  }
  expect(delay).toBeLessThan(1_000);
});

test('a clock that is set back does not delay the visit', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const seen = await visit('told-by-events');
  expect(seen).toMatchObject({ partial: false });
  expect(asked(seen, 'told-by-events')).toBeDefined();
});

describe('consent', () => {
  test('is given after early requests and before blocked ones load', async () => {
    const seen = await visit('consent');
    expect(asked(seen, 'before')).toMatchObject({ consentState: 'before' });
    expect(asked(seen, 'after')).toMatchObject({ consentState: 'after' });
  });

  test('is given to a late banner', async () => {
    expect(asked(await visit('banner-comes-late'), 'agreed')).toMatchObject({
      consentState: 'after',
    });
  });

  test('may reload the page', async () => {
    expect(asked(await visit('reloads-on-consent'), 'reloaded')).toMatchObject({
      consentState: 'after',
    });
  });
});

describe("a page's clock", () => {
  test('waits for pending responses before it advances', async () => {
    const seen = await visit('falls-back');
    expect(asked(seen, 'as-planned')).toBeDefined();
    expect(asked(seen, 'fallback')).toBeUndefined();
  });

  test('does not navigate', async () => {
    const seen = await visit('moves-on');
    expect(seen.observations.find(({ kind }) => kind === 'form')).toBeDefined();
    expect(asked(seen, 'elsewhere')).toBeUndefined();
  });

  test('runs callbacks and reports their errors', async () => {
    expect(asked(await visit('throws'), 'error')).toBeDefined();
  });

  test('advances all clocks by the same time', async () => {
    const seen = await visit('clocks');
    for (const where of ['page', 'frame', 'worker']) {
      const url = asked(seen, `clocks-${where}`);
      expect(url).toMatchObject({ url: expect.stringMatching(/went=8,8,8,8&apart=0$/) });
    }
    expect(asked(seen, 'stamps')).toMatchObject({ url: expect.stringMatching(/\?0,0$/) });
    expect(asked(seen, 'date-true')).toBeDefined();
  });

  test('keeps the lifetime of cookies', async () => {
    const { observations } = await visit('clocks');
    const cookie = observations.find((each) => each.kind === 'cookie' && each.name === 'hour');
    expect(cookie).toMatchObject({ lifetimeSeconds: expect.closeTo(3600, -1) });
  });

  test('drops cleared timers and is not detectable', async () => {
    const seen = await visit('cleared');
    expect(asked(seen, 'cleared')).toBeUndefined();
    expect(asked(seen, 'true')).toBeDefined();
  });
});
