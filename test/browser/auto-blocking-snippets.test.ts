import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { startThirdParties, type ThirdParties } from '../support/third-parties.ts';

/** Snippets as their vendors publish them, where the guides say to paste them, and what each loads. */
const HEAD = {
  'google-tag-manager': 'https://www.googletagmanager.com/gtm.js',
  'google-analytics': 'https://www.googletagmanager.com/gtag/js',
  'meta-pixel': 'https://connect.facebook.net/en_US/fbevents.js',
  hotjar: 'https://static.hotjar.com/c/hotjar-1234567.js',
  matomo: 'https://cdn.matomo.cloud/example.matomo.cloud/matomo.js',
  'tiktok-pixel': 'https://analytics.tiktok.com/i18n/pixel/events.js',
};
const BODY = {
  youtube: 'https://www.youtube.com/embed/abcdefghijk',
  'google-maps': 'https://www.google.com/maps/embed',
  'linkedin-insight': 'https://snap.licdn.com/li.lms-analytics/insight.min.js',
  hubspot: 'https://js.hs-scripts.com/1234567.js',
};
const SNIPPETS = { ...HEAD, ...BODY };
const FRAMES = ['youtube', 'google-maps'];

const FILE = readFileSync(new URL('../fixtures/vendor-snippets.txt', import.meta.url), 'utf8');
const PARTS = new Map(
  FILE.split(/^== /m).map((part) => [part.split('\n')[0], part.replace(/^.*/, '')]),
);
const read = (names: object) =>
  Object.keys(names)
    .map((name) => PARTS.get(name) ?? expect.fail(`no snippet ${name}`))
    .join('');
const LOADED = Object.values(SNIPPETS).map((url) => url.replace('https://', ''));

/** Stops the browser from reading ahead; see the guide. */
const META = '<meta http-equiv="Content-Security-Policy" content="">';
/** Notes layout shifts and long tasks from the start. */
const WATCH = `<script>window.shifts = []; window.tasks = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map((each) => each.value)))
    .observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((each) => each.duration)))
    .observe({ type: 'longtask', buffered: true });</script>`;

describe('Ten usual snippets below the banner, unchanged', () => {
  const site = useBannerSite();
  let others: ThirdParties;
  let visit: Visit;

  beforeAll(async () => {
    others = await startThirdParties();
    for (const [handle, script_url] of Object.entries(SNIPPETS)) {
      const blocking_method = FRAMES.includes(handle) ? 'iframe_placeholder' : 'type_attribute';
      const category = /google-analytics|matomo|hotjar/.test(handle) ? 'analytics' : 'marketing';
      await site.register({ handle, label: handle, category, script_url, blocking_method });
    }
    const noscript = PARTS.get('google-tag-manager-noscript');
    const body = `${noscript}<p>Above.</p>${read(BODY)}<p>Below.</p>`;
    const page = { beforeBanner: WATCH, head: META + read(HEAD), body };
    visit = await site.visit(page, others.context);
  });
  afterAll(async () => {
    await visit?.page.context().close();
    others?.close();
  });
  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const open = async () => {
    others.asked.length = visit.asked.length = 0;
    await visit.page.reload();
    await ask('pavis.ready.then(() => undefined)');
    await visit.page.waitForLoadState('networkidle');
  };
  const press = (name: string) => visit.page.getByRole('button', { name }).click();

  it('send no request before a choice, and cause no layout shift and no long task', async () => {
    await visit.page.getByRole('dialog').waitFor();
    await visit.page.waitForLoadState('networkidle');
    expect(others.asked).toEqual([]);
    expect(visit.asked.filter((each) => !each.startsWith('GET /page'))).toEqual([]);
    expect(visit.faults).toEqual([]);
    expect(await visit.page.getByText('Below.').count()).toBe(1);
    // Another process can hold the processor and lengthen a task. A long task of ours is long in each visit.
    const visits = [await ask<number[][]>('[shifts, tasks]')];
    for (let visited = 1; visited < 3; visited++) {
      await open();
      visits.push(await ask('[shifts, tasks]'));
    }
    expect(visits.map(([shifts]) => shifts)).toEqual([[], [], []]);
    expect(Math.min(...visits.map(([, tasks = []]) => Math.max(0, ...tasks)))).toBeLessThan(50);
  });

  it('send no request after rejection, also on the next page', async () => {
    await press('Reject all');
    await visit.page.waitForLoadState('networkidle');
    await open();
    expect(others.asked).toEqual([]);
  });

  it('all work after consent, in the order of the page, each once', async () => {
    visit.asked.length = 0;
    await ask('void pavis.accept()');
    await expect.poll(() => others.asked.length).toBe(LOADED.length);
    expect(others.asked.toSorted()).toEqual(LOADED.toSorted());
    const scripts = LOADED.filter((each) => !/embed/.test(each));
    await expect.poll(() => ask<string[]>('ran.length')).toBe(scripts.length);
    expect(await ask('[fbq.queue.length, _paq.length, ttq.length, shifts]')).toEqual([2, 4, 1, []]);
    const frames = () => visit.page.frames().map((frame) => new URL(frame.url()).host);
    await expect.poll(frames).toContain('www.youtube.com');
    // The page's own snippets insert their scripts above others.
    const places = await ask<string[]>(`[...document.scripts].map(({ src }) => src)`);
    const inPlace = places.flatMap((src) => scripts.filter((each) => src.includes(each)));
    const requested = visit.asked.flatMap((each) =>
      scripts.filter((script) => script.endsWith(each.replace('GET ', ''))),
    );
    expect(requested).toEqual(inPlace);
  });

  it('load at once for a visitor who has consented, each once', async () => {
    await open();
    await expect.poll(() => others.asked.length).toBe(LOADED.length);
    expect(others.asked.toSorted()).toEqual(LOADED.toSorted());
    expect(await ask(`document.querySelectorAll('[data-pavis-category]').length`)).toBe(0);
  });

  it('are gone after withdrawal, which reloads the page', async () => {
    others.asked.length = 0;
    await Promise.all([visit.page.waitForEvent('load'), ask('void pavis.withdraw()')]);
    await visit.page.waitForLoadState('networkidle');
    expect(others.asked).toEqual([]);
    expect(await ask('[typeof ran, shifts]')).toEqual(['undefined', []]);
    expect(visit.faults).toEqual([]);
  });
});
