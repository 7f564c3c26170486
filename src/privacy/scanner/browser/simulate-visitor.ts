import type { BannerMeasure, BannerState } from '../observation.ts';
import { type FoundBanner, IS_CLOSED } from './accept-button.ts';
import { clickAccept } from './click-accept.ts';
import type { Click } from './click-guard.ts';
import { findBanner } from './find-banner.ts';
import type { FrameResult } from './frames.ts';
import { leavePage, loadPage, runSteps, scrollPage, type Until } from './load-page.ts';
import { measureBanner } from './measure-banner.ts';
import type { Recorder } from './recorder.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import type { Tab } from './tab.ts';
import { withTimeout } from './timeouts.ts';
import { waitForIdle } from './wait-for-idle.ts';

const READ_MS = 1_200;
const MEASURE_MS = 2_500;

/** Available even if the visit ends early. */
export interface VisitProgress {
  /** A snapshot of a page that did not load in time. It is used if the page does not respond at the end. */
  loading?: Snapshot;
  before?: Snapshot;
  after?: Snapshot;
  banner?: BannerState;
  measure?: BannerMeasure;
  /** The accept button was clicked. */
  clicked?: boolean;
  /** The browser's error, if the page did not load. */
  failure?: string;
  cutShort?: boolean;
}

/** Blocks harmful requests in the browser and the proxy. */
export type GuardClick = (click: Click, documents: ReadonlyMap<string, string>) => Promise<void>;

export interface VisitorOptions {
  /** Called before the click. */
  guard: GuardClick;
  /** Accepts the banner. */
  accepts: boolean;
  /** Measures the banner, takes pictures and reads the consent string. */
  isRecorded: boolean;
  /** Called once it is known whether the mouse and scrolling made the page request more. */
  onScrolled(loadsMore: boolean): void;
}

/**
 * Loads the page, waits, scrolls, accepts the banner and waits again.
 * @param signal ends the visit; the page is then read once more
 * @throws if the page or the browser has crashed
 */
export async function simulateVisitor(
  tab: Tab,
  recorder: Recorder,
  url: string,
  signal: AbortSignal,
  findings: VisitProgress,
  options: VisitorOptions,
): Promise<void> {
  const isComplete = await runSteps(tab, signal, (until) =>
    steps(tab, recorder, url, until, findings, options),
  );
  if (isComplete) return;
  findings.cutShort = true;
  const read = await Promise.race([takeSnapshot(tab, recorder), tab.crashed]);
  const late = read.frames.length > 0 ? read : (findings.loading ?? read);
  if (findings.before) findings.after ??= late;
  else findings.before = late;
}

async function steps(
  tab: Tab,
  recorder: Recorder,
  url: string,
  until: Until,
  findings: VisitProgress,
  { guard, accepts, isRecorded, onScrolled }: VisitorOptions,
): Promise<void> {
  const { loadedAt, ...result } = await loadPage(tab, recorder, url, until);
  Object.assign(findings, result);
  if (result.failure) return;
  if (result.cutShort) findings.loading = await until(takeSnapshot(tab, recorder));
  await until(waitForIdle(tab, recorder, { lingers: false }));
  const asked = recorder.requestCount;
  await until(scrollPage(tab));
  const isActive = await until(waitForIdle(tab, recorder));
  onScrolled(recorder.requestCount > asked);
  let banner = await until(findBanner(tab));
  if (!banner?.value.button && isActive) {
    await until(waitForIdle(tab, recorder, { loadedAt }));
    banner = await until(findBanner(tab));
  }
  if (banner && isRecorded) {
    const measure = await until(withTimeout(measureBanner(tab), MEASURE_MS));
    if (measure) findings.measure = measure;
  }
  findings.before = await until(takeSnapshot(tab, recorder, { isRecorded }));
  if (accepts) findings.banner = banner ? 'not_accepted' : 'not_found';
  if (!accepts || !banner?.value.button) {
    await until(leavePage(tab));
    return;
  }
  const onPress = () => recorder.markChoice();
  findings.clicked = await acceptBanner(tab, recorder, banner, { until, guard, onPress });
  if (!findings.clicked) {
    recorder.revertChoice();
    return;
  }
  await until(waitForIdle(tab, recorder, { loadedAt }));
  findings.after = await until(takeSnapshot(tab, recorder, { isRecorded }));
  if (await until(isAccepted(banner, recorder, findings))) findings.banner = 'accepted';
}

/**
 * Clicks the accept button of a banner, with harmful requests blocked from then on.
 * @returns false if the button has gone or changed
 */
async function acceptBanner(
  tab: Tab,
  recorder: Recorder,
  banner: FrameResult<FoundBanner>,
  { until, guard, onPress }: { until: Until; guard: GuardClick; onPress(): void },
): Promise<boolean> {
  const page = new URL(recorder.main?.url ?? banner.value.url);
  const documents = new Map([
    [tab.mainFrame, page.href],
    [banner.frameId, banner.value.url],
  ]);
  await until(guard({ kind: banner.value.kind, page }, documents));
  onPress();
  return until(clickAccept(banner, await tab.main));
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
  // Cookies that were not read before would look new.
  const hasCookies = before?.cookies !== undefined;
  const names = (snapshot?: Snapshot) => [
    ...((hasCookies && snapshot?.cookies) || []).map(({ name }) => name),
    ...(snapshot?.frames ?? []).flatMap(({ local, session: own }) => [...local, ...own]),
  ];
  const known = new Set(names(before));
  const isNew = names(after).some((name) => !known.has(name));
  return isNew || recorder.loads().some(({ consentState }) => consentState === 'after');
}
