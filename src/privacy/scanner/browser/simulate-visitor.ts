import type { BannerState } from '../observation.ts';
import { FIND_BANNER, type FoundBanner, IS_CLOSED } from './accept-button.ts';
import type { CdpSession } from './cdp.ts';
import { clickAccept } from './click-accept.ts';
import type { Click } from './click-guard.ts';
import { SCROLLED } from './frame-scripts.ts';
import { evaluateInFrames, type FrameResult, getIsolatedWorld } from './frames.ts';
import type { Recorder } from './recorder.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import type { Tab } from './tab.ts';
import { withTimeout } from './timeouts.ts';
import { waitForIdle } from './wait-for-idle.ts';

const LOAD_MS = 8_000;
const LOOK_MS = 3_000;
const READ_MS = 1_200;
const WHEEL_TURNS = 12;
const WHEEL_STILL = 3;

/** Available even if the visit ends early. */
export interface VisitProgress {
  before?: Snapshot;
  after?: Snapshot;
  banner?: BannerState;
  /** The browser's error, if the page did not load. */
  failure?: string;
  cutShort?: boolean;
}

/** Blocks harmful requests in the browser and the proxy. */
export type GuardClick = (click: Click, documents: ReadonlyMap<string, string>) => Promise<void>;

class TimeLimitError extends Error {}

/**
 * Loads the page, waits, scrolls, accepts the banner and waits again.
 * @param guard called before the click
 * @param signal ends the visit; the page is then read once more
 * @throws if the page or the browser has crashed
 */
export async function simulateVisitor(
  tab: Tab,
  recorder: Recorder,
  url: string,
  signal: AbortSignal,
  findings: VisitProgress,
  guard: GuardClick,
): Promise<void> {
  const up = Promise.withResolvers<never>();
  up.promise.catch(() => {});
  const onAbort = () => up.reject(new TimeLimitError());
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const until = <T>(step: Promise<T>) => Promise.race([step, up.promise, tab.crashed]);
  try {
    await steps(tab, recorder, url, until, findings, guard);
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    findings.cutShort = true;
    const late = await Promise.race([takeSnapshot(tab, recorder), tab.crashed]);
    if (findings.before) findings.after ??= late;
    else findings.before = late;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function steps(
  tab: Tab,
  recorder: Recorder,
  url: string,
  until: <T>(step: Promise<T>) => Promise<T>,
  findings: VisitProgress,
  guard: GuardClick,
): Promise<void> {
  const main = await until(tab.main);
  recorder.begin();
  const arrived = await until(withTimeout(main.send('Page.navigate', { url }), LOAD_MS));
  if (!arrived || arrived.errorText) {
    findings.failure = arrived?.errorText ?? 'net::ERR_TIMED_OUT';
    return;
  }
  const isLoaded = await until(
    withTimeout(
      tab.loaded.then(() => true),
      LOAD_MS,
    ),
  );
  if (!isLoaded) findings.cutShort = true;
  const loadedAt = Date.now();
  await until(waitForIdle(tab, recorder, { lingers: false }));
  await until(withTimeout(scrollPage(tab, main), LOOK_MS));
  const isActive = await until(waitForIdle(tab, recorder));
  let banner = await until(findBanner(tab));
  if (!banner?.value.button && isActive) {
    await until(waitForIdle(tab, recorder, { loadedAt }));
    banner = await until(findBanner(tab));
  }
  findings.before = await until(takeSnapshot(tab, recorder));
  findings.banner = banner ? 'not_accepted' : 'not_found';
  if (!banner?.value.button) return;
  const page = new URL(recorder.main?.url ?? url);
  const documents = new Map([
    [tab.mainFrame, page.href],
    [banner.frameId, banner.value.url],
  ]);
  await until(guard({ kind: banner.value.kind, page }, documents));
  recorder.markChoice();
  if (!(await until(clickAccept(banner, main)))) {
    recorder.revertChoice();
    return;
  }
  await until(waitForIdle(tab, recorder, { loadedAt }));
  findings.after = await until(takeSnapshot(tab, recorder));
  if (await until(isAccepted(banner, recorder, findings))) findings.banner = 'accepted';
}

/** Moves the mouse and scrolls to the end of the page, in at most 12 steps. */
async function scrollPage(tab: Tab, main: CdpSession): Promise<void> {
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

async function findBanner(tab: Tab): Promise<FrameResult<FoundBanner> | undefined> {
  const found = await evaluateInFrames<FoundBanner>(tab, FIND_BANNER);
  const rank = ({ value }: FrameResult<FoundBanner>) =>
    value.button?.rank ?? Number.POSITIVE_INFINITY;
  return found.toSorted(
    (a, b) => rank(a) - rank(b) || Number(b.isMainFrame) - Number(a.isMainFrame),
  )[0];
}

/** Whether the click closed the banner or made the page load or store more. */
async function isAccepted(
  { session, contextId }: FrameResult<FoundBanner>,
  recorder: Recorder,
  { before, after }: VisitProgress,
): Promise<boolean> {
  const closing = session.send('Runtime.evaluate', { expression: IS_CLOSED, contextId });
  const closed = await withTimeout(closing, READ_MS);
  // No response if the banner reloaded the page.
  if (closed?.result.value !== false) return true;
  const names = (snapshot?: Snapshot) => [
    ...(snapshot?.cookies ?? []).map(({ name }) => name),
    ...(snapshot?.frames ?? []).flatMap(({ local, session: own }) => [...local, ...own]),
  ];
  const known = new Set(names(before));
  const isNew = names(after).some((name) => !known.has(name));
  return isNew || recorder.loads().some(({ consentState }) => consentState === 'after');
}
