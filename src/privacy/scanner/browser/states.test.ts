import type { IncomingMessage, RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import {
  openScannerBrowser,
  type ScannerBrowser,
} from '../../../../test/support/scanner-browser.ts';
import {
  type Observation,
  type PageVisit,
  SCAN_STATES,
  type ScanState,
  type StateVisit,
} from '../observation.ts';
import { CdpSession } from './cdp.ts';

const CONSENT = 'http://site.test/wp-json/svc/v1/consent';
const ORDER = 'http://site.test/order';

/** A page with a banner that stores the choice, and with resources that load in some states only. */
const PAGE = `<!doctype html><html lang="en"><body style="min-height:3000px">
  <h1>Shop</h1>
  <form method="post" action="/order"><input name="item" value="1"></form>
  <div id="banner" role="dialog" aria-label="Cookie consent" style="position:fixed;bottom:0;left:0;right:0;background:#fff" hidden>
    We use cookies for statistics.
    <button type="button" style="font-size:20px;padding:16px;background:rgba(0,0,0,0.2);color:rgb(255,255,255)" onclick="choose('accepted')">Accept all</button>
    <button type="button" onclick="choose('rejected')">Reject all</button>
    <label><input type="checkbox" checked> Marketing</label>
  </div>
  <button type="button" id="reopen" onclick="banner.hidden = false">Cookie settings</button>
  <iframe src="http://frame.vendor.test/"></iframe>
  <script>
    const load = (name) => document.head.append(
      Object.assign(document.createElement('script'), { src: 'http://cdn.vendor.test/' + name + '.js' }));
    const banner = document.getElementById('banner');
    const [, first] = /choice=(\\w+)/.exec(document.cookie) ?? [];
    const isGpc = navigator.globalPrivacyControl === true;
    function choose(made) {
      const [, before] = /choice=(\\w+)/.exec(document.cookie) ?? [];
      const choice = before === 'accepted' && made === 'rejected' ? 'withdrawn' : made;
      document.cookie = 'choice=' + choice + '; max-age=9999';
      banner.hidden = true;
      delete localStorage.renewed_key;
      fetch('${CONSENT}', { method: 'POST', body: '{}' });
      navigator.sendBeacon('${CONSENT}', '{}');
      document.forms[0].submit();
      fetch('/order', { method: 'POST', body: 'item=1' });
      if (choice === 'rejected') {
        load('on-reject');
        document.cookie = 'leak_on_reject=1; max-age=9999';
        const frame = (attributes) =>
          document.body.appendChild(Object.assign(document.createElement('iframe'), attributes));
        frame({}).contentDocument.cookie = 'leak_of_blank=1; max-age=9999';
        frame({ srcdoc: '<script>document.cookie = "leak_of_srcdoc=1; max-age=9999"<\\/script>' });
      }
      run(choice);
    }
    function run(choice) {
      if (choice === 'accepted') {
        load('accepted');
        document.cookie = 'tracker=1; max-age=9999';
        localStorage.setItem('tracker_key', '1');
      }
    }
    load('always');
    localStorage.setItem('always_key', '1');
    localStorage.assigned_key = String(Math.random());
    localStorage.renewed_key = '1';
    if (first === undefined) localStorage.kept_key = '1';
    banner.hidden = first !== undefined;
    if (first === undefined) load('undecided');
    if (first === 'rejected') localStorage.setItem('leak_after_reject', '1');
    if (first === 'withdrawn') {
      load('withdrawn');
      document.cookie = 'tracker=2; max-age=9999';
      localStorage.setItem('tracker_key', '2');
    }
    if (!isGpc) load('without-gpc');
    new Worker('/worker.js');
    run(first);
    addEventListener('pagehide', () => navigator.sendBeacon('http://api.vendor.test/left'));
    addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') navigator.sendBeacon('http://api.vendor.test/hidden');
    });
    addEventListener('scroll', () => load('on-scroll'), { once: true });
    globalThis.__tcfapi = (command, version, callback) =>
      callback({ tcString: 'tc-' + (first ?? 'none') }, true);
  </script></body></html>`;

const told = `fetch('http://api.vendor.test/WHERE-' + (navigator.globalPrivacyControl === true ? 'gpc' : 'none'))`;
const sent: string[] = [];
/** Requests by whether they had the header of Global Privacy Control. */
const gpc = { with: new Set<string>(), without: new Set<string>() };
const note =
  (text: string, type = 'text/html'): RequestListener =>
  (request, response) => {
    const url = `http://${request.headers.host}${request.url}`;
    gpc[hasGpc(request) ? 'with' : 'without'].add(url);
    if (request.method !== 'GET') sent.push(`${request.method} ${url}`);
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(text);
  };
const hasGpc = ({ headers }: IncomingMessage) => headers['sec-gpc'] === '1';

const PAGES: Record<string, Page> = {
  'http://site.test/': note(PAGE),
  'http://site.test/worker.js': note(told.replace('WHERE', 'worker'), 'text/javascript'),
  'http://frame.vendor.test/': note(`<script>${told.replace('WHERE', 'frame')}</script>`),
  'http://api.vendor.test/worker-gpc': note(''),
  'http://api.vendor.test/frame-gpc': note(''),
  'http://site.test/leaves':
    "<script>onpagehide = () => navigator.sendBeacon('http://api.vendor.test/left')</script>",
  'http://site.test/plain': '<p>No banner here.</p>',
  'http://site.test/floods': `<div role="dialog" aria-label="Cookie consent">We use cookies.
    <button type="button" onclick="this.parentNode.remove()">Accept all</button>
    <button type="button" onclick="this.parentNode.remove(); flood()">Reject all</button></div>
    <script>function flood() {
      for (let i = 0; i < 600; i++) fetch('http://api.vendor.test/' + i).catch(() => {});
    }</script>`,
  'http://site.test/spins': '<script>for (;;);</script>',
  [CONSENT]: note('{}'),
  [ORDER]: note('{}'),
};

let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;
let seen: PageVisit;

beforeAll(async () => {
  pages = await servePages(PAGES);
  engine = await openScannerBrowser({ siteOrigin: 'http://site.test', connectTo: pages.connectTo });
  seen = await engine.visit('http://site.test/', new AbortController().signal, SCAN_STATES);
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

const visited = (state: ScanState): StateVisit => {
  const found = seen.visits?.find((each) => each.state === state);
  if (!found) throw new Error(`${state} was not visited`);
  return found;
};
const states = (found: Observation | undefined) =>
  found?.evidence?.map(({ state }) => state).toSorted();
const script = (name: string) =>
  seen.observations.find(
    (each) => 'url' in each && each.url === `http://cdn.vendor.test/${name}.js`,
  );
const request = (name: string) =>
  seen.observations.find((each) => 'url' in each && each.url === `http://api.vendor.test/${name}`);
const kept = (kind: 'cookie' | 'storage', name: string) =>
  seen.observations.find((each) => each.kind === kind && each.name === name);

describe('a page that is visited in five states', () => {
  test('reaches all of them', () => {
    expect(
      seen.visits?.map(({ state, outcome, error }) => [state, outcome, error]).toSorted(),
    ).toEqual(SCAN_STATES.toSorted().map((state) => [state, 'reached', undefined]));
    expect(seen).toMatchObject({ partial: false, banner: 'accepted' });
  });

  test.each<[string, ScanState[]]>([
    ['always', ['accepted', 'before', 'gpc', 'rejected', 'withdrawn']],
    ['undecided', ['accepted', 'before', 'gpc']],
    ['accepted', ['accepted']],
    ['on-reject', ['rejected']],
    ['withdrawn', ['withdrawn']],
    ['without-gpc', ['accepted', 'before', 'rejected', 'withdrawn']],
    ['on-scroll', ['accepted', 'before', 'gpc', 'rejected', 'withdrawn']],
  ])('names the states in which the script %s is at work', (name, expected) => {
    expect(states(script(name))).toEqual(expected);
  });

  test('names the states in which cookies and keys are set, not those in which they are left', () => {
    expect(states(kept('cookie', 'leak_on_reject'))).toEqual(['rejected']);
    expect(states(kept('cookie', 'tracker'))).toEqual(['accepted', 'withdrawn']);
    expect(states(kept('storage', 'leak_after_reject'))).toEqual(['rejected']);
    expect(states(kept('storage', 'tracker_key'))).toEqual(['accepted', 'withdrawn']);
    expect(states(kept('storage', 'always_key'))).toEqual(
      expect.arrayContaining(['before', 'rejected', 'withdrawn']),
    );
  });

  test.each(['leak_of_blank', 'leak_of_srcdoc'])(
    'names the page of the frame that set %s',
    (name) => {
      const cookies = seen.observations.filter(
        (each) => each.kind === 'cookie' && each.name === name,
      );
      expect(cookies).toMatchObject([{ domain: 'site.test', frameUrl: 'http://site.test/' }]);
      expect(states(cookies[0])).toEqual(['rejected']);
    },
  );

  test('notices keys that are written again without setItem', () => {
    const all = SCAN_STATES.toSorted();
    expect(states(kept('storage', 'assigned_key'))).toEqual(all);
    expect(states(kept('storage', 'renewed_key'))).toEqual(all);
    expect(states(kept('storage', 'kept_key'))).toEqual(['accepted', 'before', 'gpc']);
  });

  test('says of cookies that were set after the choice that the browser stored them', () => {
    for (const name of ['leak_on_reject', 'choice', 'tracker'])
      expect(kept('cookie', name)).toMatchObject({ blockedReasons: [] });
  });

  test('records what the page sends when the visitor leaves it', () => {
    for (const name of ['left', 'hidden']) {
      expect(states(request(name))).toEqual(['gpc', 'rejected', 'withdrawn']);
      const beacons = visited('rejected').requests.filter(({ url }) => url.endsWith(`/${name}`));
      // For the reload and at the end.
      expect(beacons.map(({ isAfterChoice }) => isAfterChoice)).toEqual([true, true]);
    }
  });

  test('shows Global Privacy Control to the page, its frames, its workers and every server', () => {
    expect(states(request('frame-gpc'))).toEqual(['gpc']);
    expect(states(request('worker-gpc'))).toEqual(['gpc']);
    expect(states(request('frame-none'))).not.toContain('gpc');
    expect(states(request('worker-none'))).not.toContain('gpc');
    for (const url of [
      'http://site.test/',
      'http://site.test/worker.js',
      'http://frame.vendor.test/',
    ]) {
      expect(gpc.with).toContain(url);
      expect(gpc.without).toContain(url);
    }
    for (const name of ['worker-gpc', 'frame-gpc']) {
      expect(gpc.with).toContain(`http://api.vendor.test/${name}`);
      expect(gpc.without).not.toContain(`http://api.vendor.test/${name}`);
    }
  });

  test('sends no consent record and no order in any state', () => {
    expect(sent).toEqual([]);
    expect(pages.asked).not.toContain(ORDER);
  });

  test('records the requests of each state with their moment', () => {
    for (const state of ['rejected', 'withdrawn'] as const) {
      const { requests, clicks } = visited(state);
      expect(clicks).toBeGreaterThan(0);
      const loads = requests.filter(({ url }) => url === 'http://site.test/');
      // Once more after the choice. The visit that accepts has loaded the page for the withdrawal.
      expect(loads.map(({ isAfterChoice }) => isAfterChoice)).toEqual(
        state === 'rejected' ? [false, true] : [true],
      );
      expect(requests.map(({ at }) => at)).toEqual(
        requests.map(({ at }) => at).toSorted((a, b) => a - b),
      );
    }
    expect(visited('before').requests.some(({ url }) => url.endsWith('/accepted.js'))).toBe(false);
    expect(visited('accepted').requests).toContainEqual(
      expect.objectContaining({ url: 'http://cdn.vendor.test/accepted.js', isAfterChoice: true }),
    );
  });

  test('records what is stored at the end of each state', () => {
    const names = (state: ScanState) => visited(state).cookies.map(({ name }) => name);
    expect(names('before')).toEqual([]);
    expect(names('accepted').toSorted()).toEqual(['choice', 'tracker']);
    expect(names('rejected').toSorted()).toEqual([
      'choice',
      'leak_of_blank',
      'leak_of_srcdoc',
      'leak_on_reject',
    ]);
    expect(
      visited('withdrawn')
        .storage.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['always_key', 'assigned_key', 'kept_key', 'renewed_key', 'tracker_key']);
    expect(JSON.stringify(seen)).not.toContain('choice=');
  });

  test('measures the banner before the choice', () => {
    const { banner } = visited('before');
    expect(banner).toMatchObject({
      clicksToAccept: 1,
      clicksToReject: 1,
      preTicked: ['Marketing'],
      blocksPage: false,
    });
    expect(banner?.coverage).toBeGreaterThan(0);
    expect(banner?.coverage).toBeLessThan(0.3);
    const [accept, reject] = (['accept', 'reject'] as const).map((role) =>
      banner?.controls.find((control) => control.role === role && control.layer === 1),
    );
    expect(accept).toMatchObject({
      label: 'Accept all',
      fontSize: 20,
      color: 'rgb(255, 255, 255)',
      // Translucent, on white.
      background: 'rgb(204, 204, 204)',
      isLink: false,
    });
    expect(reject).toMatchObject({ label: 'Reject all', layer: 1 });
    expect(accept?.height).toBeGreaterThan(reject?.height ?? 0);
    expect(visited('gpc').banner).toBeUndefined();
  });

  test('takes a picture of each state and reads its consent string', () => {
    for (const state of SCAN_STATES) {
      const { picture } = visited(state);
      expect(picture?.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    }
    expect(visited('before').tcString).toBe('tc-none');
    expect(visited('rejected').tcString).toBe('tc-rejected');
    expect(visited('withdrawn').tcString).toBe('tc-withdrawn');
  });
});

test('says of each state that there is no banner', async () => {
  const { visits } = await engine.visit(
    'http://site.test/plain',
    new AbortController().signal,
    SCAN_STATES,
  );
  const outcomes = Object.fromEntries(visits?.map(({ state, outcome }) => [state, outcome]) ?? []);
  expect(outcomes).toEqual({
    before: 'reached',
    accepted: 'no_banner',
    rejected: 'no_banner',
    withdrawn: 'no_banner',
    gpc: 'reached',
  });
});

test('records what a page without a banner sends when the visitor leaves it', async () => {
  const { observations } = await engine.visit(
    'http://site.test/leaves',
    new AbortController().signal,
  );
  expect(observations).toContainEqual(
    expect.objectContaining({
      url: 'http://api.vendor.test/left',
      consentState: 'before',
      sources: expect.arrayContaining(['network']),
    }),
  );
});

test('says that a state with too many requests was not read completely', async () => {
  const { visits } = await engine.visit('http://site.test/floods', new AbortController().signal, [
    'before',
    'rejected',
  ]);
  expect(visits?.find(({ state }) => state === 'rejected')).toMatchObject({
    outcome: 'reached',
    error: expect.stringContaining('in part'),
  });
});

test('a visit whose cookies the browser does not return in time is incomplete, and rejects none', async () => {
  const { send } = CdpSession.prototype;
  const sending = vi.spyOn(CdpSession.prototype, 'send').mockImplementation(function (
    this: CdpSession,
    method,
    params,
  ) {
    return method === 'Storage.getCookies'
      ? Promise.reject(new Error('overdue'))
      : send.call(this, method, params);
  });
  const visit = await engine
    .visit('http://site.test/', new AbortController().signal, SCAN_STATES)
    .finally(() => sending.mockRestore());
  expect(visit.partial).toBe(true);
  const errors = new Map(visit.visits?.map(({ state, error }) => [state, error]));
  for (const state of ['rejected', 'withdrawn', 'gpc'] as const)
    expect(errors.get(state)).toMatch(/cookies/);
  const leak = visit.observations.filter(
    (each) => each.kind === 'cookie' && each.name === 'leak_on_reject',
  );
  expect(leak).toMatchObject([{ blockedReasons: [], evidence: [{ state: 'rejected' }] }]);
});

test('a page that hangs takes no longer in five states than in one, and each state says why it failed', async () => {
  const pageMs = 6_000;
  const patient = await openScannerBrowser({
    siteOrigin: 'http://site.test',
    connectTo: pages.connectTo,
    pageMs,
  });
  // Starting a browser does not count to the time of a page.
  await patient.start?.();
  const begin = performance.now();
  const { visits } = await patient.visit(
    'http://site.test/spins',
    new AbortController().signal,
    SCAN_STATES,
  );
  expect(performance.now() - begin).toBeLessThan(3 * pageMs);
  const find = (state: ScanState) => visits?.find((each) => each.state === state);
  const reason = { error: expect.any(String) };
  expect(find('rejected')).toMatchObject({ outcome: 'failed', ...reason });
  expect(find('withdrawn')).toMatchObject({ outcome: 'failed', ...reason });
  // Reached, if what the page stored could still be read.
  expect(find('gpc')).toMatchObject({
    outcome: expect.stringMatching(/^(failed|reached)$/),
    ...reason,
  });
  await patient.close();
});
