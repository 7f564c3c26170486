import type { CdpSession } from './cdp.ts';
import { SCROLLED } from './frame-scripts.ts';
import { evaluateInFrames, getIsolatedWorld } from './frames.ts';
import type { Recorder } from './recorder.ts';
import type { Tab } from './tab.ts';
import { withTimeout } from './timeouts.ts';

const LOAD_MS = 8_000;
const LOOK_MS = 3_000;
const WHEEL_TURNS = 12;
const WHEEL_STILL = 3;

class TimeLimitError extends Error {}

/** Ends a step with the visit, or when the page has crashed. */
export type Until = <T>(step: Promise<T>) => Promise<T>;

/**
 * Takes the steps of a visit.
 * @param signal ends the visit
 * @returns false if the signal ended it
 * @throws if the page or the browser has crashed
 */
export async function runSteps(
  tab: Tab,
  signal: AbortSignal,
  steps: (until: Until) => Promise<void>,
): Promise<boolean> {
  const up = Promise.withResolvers<never>();
  up.promise.catch(() => {});
  const onAbort = () => up.reject(new TimeLimitError());
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    await steps((step) => Promise.race([step, up.promise, tab.crashed]));
    return true;
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    return false;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export interface LoadResult {
  /** The browser's error, if the page did not load. */
  failure?: string;
  /** Its `load` event did not come in time. */
  cutShort?: boolean;
  /** As `performance.now()` gives it. */
  loadedAt: number;
}

/** Loads a page, at most for 8 s until it begins and for 8 s until its `load` event. */
export async function loadPage(
  tab: Tab,
  recorder: Recorder,
  url: string,
  until: Until,
): Promise<LoadResult> {
  const main = await until(tab.main);
  recorder.begin();
  const arrived = await until(withTimeout(main.send('Page.navigate', { url }), LOAD_MS));
  if (!arrived || arrived.errorText) {
    return { failure: arrived?.errorText ?? 'net::ERR_TIMED_OUT', loadedAt: performance.now() };
  }
  const isLoaded = await until(
    withTimeout(
      tab.loaded.then(() => true),
      LOAD_MS,
    ),
  );
  return { ...(!isLoaded && { cutShort: true }), loadedAt: performance.now() };
}

/**
 * Tells the page that the visitor leaves it, and it cannot be used any more. The browser does not report what a page sends
 * while it unloads.
 */
export async function leavePage(tab: Tab): Promise<void> {
  await evaluateInFrames(tab, 'globalThis.leave?.()');
}

/** Loads the page that a tab shows once more, with a GET request. */
export async function reloadPage(tab: Tab, url: string, until: Until): Promise<void> {
  const main = await until(tab.main);
  const loaded = tab.prepareReload();
  const arrived = await until(withTimeout(main.send('Page.navigate', { url }), LOAD_MS));
  if (arrived && !arrived.errorText) await until(withTimeout(loaded, LOAD_MS));
}

/** Moves the mouse and scrolls to the end of the page, in at most 12 steps and 3 s. */
export async function scrollPage(tab: Tab): Promise<void> {
  const main = await tab.main;
  await withTimeout(scroll(tab, main), LOOK_MS);
}

async function scroll(tab: Tab, main: CdpSession): Promise<void> {
  const spots = [
    [200, 150],
    [500, 300],
    [640, 420],
  ] as const;
  await Promise.all(
    spots.map(([x, y]) => main.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })),
  );
  const { cssContentSize, cssVisualViewport } = await main.send('Page.getLayoutMetrics');
  const { height } = cssContentSize;
  const contextId = await getIsolatedWorld(main, tab.mainFrame);
  // Half a window, so that shorter elements are entirely visible once.
  const half = cssVisualViewport.clientHeight / 2;
  const deltaY = Math.max(half, Math.min(2_000, height / WHEEL_TURNS));
  // Frames may be rendered before the scroll.
  for (let turn = 0, still = 0; turn < WHEEL_TURNS && still < WHEEL_STILL; turn++) {
    await main.send('Input.dispatchMouseEvent', {
      type: 'mouseWheel',
      x: 640,
      y: 420,
      deltaX: 0,
      deltaY,
    });
    const { result } = await main.send('Runtime.evaluate', {
      expression: SCROLLED,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    still = result.value?.moved ? 0 : still + 1;
  }
}
