import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { TEXTS } from './texts.ts';
import { OFFERS, press, READ, type Times, WATCH } from './watch.ts';

const TIMEOUT_MS = 30_000;
/** After it, a banner has loaded and moved what it will. */
const SETTLED_MS = 1_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A slow mobile network: 150 ms latency, 1.6 Mbit/s down and 0.75 Mbit/s up. In bytes a second. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 204_800,
  uploadThroughput: 96_000,
};
const SLOW_PROCESSOR = { rate: 4 };

export interface Banner {
  name: string;
  url: string;
  /** Default: true. */
  hasBanner?: boolean;
}

/** A page in a new browser profile: nothing is cached and no connection is open. */
async function open(browser: Browser, isSlow: boolean) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  // Pavis also has Brotli. The servers of the others have gzip only.
  await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': 'gzip' } });
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', SLOW_PROCESSOR);
  }
  await page.addInitScript(WATCH);
  return { page, loaded: countLoaded(session), close: () => context.close() };
}

/** The bytes of each response besides the page itself, with headers, as transferred. */
function countLoaded(session: CDPSession): number[] {
  const loaded: number[] = [];
  const requests = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (type !== 'Document' && request.url.startsWith('http')) requests.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (requests.has(requestId)) loaded.push(encodedDataLength);
  });
  return loaded;
}

const waitForBanner = (page: Page) =>
  page.waitForFunction('bench.opaque !== null', undefined, { timeout: TIMEOUT_MS });

export async function measureTimes(
  browser: Browser,
  { url, hasBanner = true }: Banner,
  isSlow: boolean,
): Promise<Times> {
  const { page, close } = await open(browser, isSlow);
  await page.goto(url);
  if (hasBanner) await waitForBanner(page);
  await wait(SETTLED_MS);
  const times = await page.evaluate<Times>(READ);
  await close();
  return times;
}

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate<{ id: string; nodes: object[] }[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, nodes }) => (nodes.length > 1 ? `${id} (${nodes.length})` : id));
}

/** What does not depend on time. */
export async function inspect(browser: Browser, { url }: Banner) {
  const first = await open(browser, false);
  await first.page.goto(url);
  await waitForBanner(first.page);
  await wait(SETTLED_MS);
  const before = [...first.loaded];
  const offers = await first.page.evaluate<{ offered: string[]; isEqual: boolean }>(OFFERS);
  await first.page.evaluate(press(TEXTS.reject));
  await wait(SETTLED_MS);
  const choice = first.loaded.slice(before.length);
  await first.close();

  const second = await open(browser, false);
  await second.page.goto(url);
  await waitForBanner(second.page);
  await wait(SETTLED_MS);
  // axe requests style sheets of other origins, which are not counted.
  const firstLayer = await findViolations(second.page);
  const until = second.loaded.length;
  await second.page.evaluate(press(TEXTS.manage));
  await wait(SETTLED_MS);
  const preferences = second.loaded.slice(until);
  const secondLayer = await findViolations(second.page);
  await second.close();
  return { ...offers, before, choice, preferences, firstLayer, secondLayer };
}
