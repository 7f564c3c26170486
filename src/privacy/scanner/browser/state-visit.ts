import type { BannerControl, Observation, StateVisit } from '../observation.ts';
import { findBotWall, getAccessError } from '../page-access.ts';
import type { Browser } from './browser.ts';
import { type Choice, type ChoiceResult, makeChoice } from './choice/make-choice.ts';
import { findProblem } from './find-problem.ts';
import { leavePage, loadPage, reloadPage, runSteps, scrollPage, type Until } from './load-page.ts';
import {
  type ClosedVisit,
  CRASHED,
  type OpenedTab,
  type VisitOptions,
  withTab,
} from './open-tab.ts';
import { Recorder } from './recorder.ts';
import { isWithoutCookies, type Snapshot, takeSnapshot } from './snapshot.ts';
import {
  type ChoiceSnapshots,
  listAfterChoice,
  listWithGpc,
  toRecording,
} from './state-observations.ts';
import { waitForIdle } from './wait-for-idle.ts';

/** The states that follow the visit of `before` and `accepted`, or have a browser context of their own. */
export type FurtherState = 'rejected' | 'withdrawn' | 'gpc';

export interface StateResult {
  visit: StateVisit;
  observations: Observation[];
  /** Controls of the banner that were shown after its settings had been opened. */
  secondLayer: BannerControl[];
}

interface StateProgress extends ChoiceSnapshots {
  choice?: ChoiceResult;
  /** The browser's error, if the page did not load. */
  failure?: string;
  /** Why the page was not read completely. */
  incomplete?: string;
}

interface Steps extends Pick<OpenedTab, 'tab' | 'recorder' | 'guard'> {
  until: Until;
  /** Whether the page loads more when it is scrolled. */
  scrolls: Promise<boolean>;
}

/** Without documents and images: only what is stored. */
const STORED = { detail: 'stored' } as const;
const LIMITED = 'The page requested more than the scanner reads. It was read in part.';
const WITHOUT_COOKIES = 'The cookies of the browser could not be read in time.';
/** Without the document: the visit of `before` and `accepted` has read it. */
const FINAL = { detail: 'frames', isRecorded: true } as const;

/**
 * Visits a page with a rejection or with Global Privacy Control, in its own browser context.
 * @param scrolls whether the page loads more when it is scrolled
 * @throws BrowserUnavailableError; MemoryLimitError if another page may be the cause. Other errors are returned.
 */
export async function visitState(
  browser: Browser,
  page: URL,
  state: 'rejected' | 'gpc',
  signal: AbortSignal,
  options: VisitOptions,
  scrolls: Promise<boolean>,
): Promise<StateResult> {
  const progress: StateProgress = {};
  const settings = { ...options, sendsGpc: state === 'gpc' };
  const closed = await withTab(browser, page, signal, settings, (opened) =>
    runWithin(opened, opened.ends, progress, async (until) => {
      const { tab, recorder } = opened;
      const { loadedAt, failure, cutShort } = await loadPage(tab, recorder, page.href, until);
      if (cutShort) progress.incomplete = 'The page did not finish loading.';
      if (failure !== undefined) {
        progress.failure = failure;
        return;
      }
      const steps = { ...opened, until, scrolls };
      if (state === 'gpc') {
        await readPage(steps, loadedAt, progress);
        return;
      }
      await until(waitForIdle(tab, recorder));
      progress.before = await until(takeSnapshot(tab, recorder, STORED));
      await choose(steps, 'reject', loadedAt, progress);
    }),
  );
  return toResult(page, state, progress, closed);
}

/**
 * Withdraws the consent that the visit of a tab has given.
 * @param accepted what the page stored with consent
 */
export async function withdraw(
  opened: OpenedTab,
  page: URL,
  accepted: Snapshot,
  scrolls: Promise<boolean>,
): Promise<StateResult> {
  const { tab, guard, egress } = opened;
  const recorder = new Recorder(() => tab.mainFrame);
  recorder.onFull = () => tab.blockRequests();
  recorder.begin(opened.recorder.main);
  tab.record(recorder);
  // Its time was that of the first visit.
  const progress: StateProgress = { before: { ...accepted, at: 0, readAt: 0 } };
  const closed: ClosedVisit = { recorder, egress, tab };
  try {
    await runWithin({ tab, recorder }, opened.restartLimit(), progress, (until) =>
      choose({ tab, recorder, guard, until, scrolls }, 'withdraw', performance.now(), progress),
    );
  } catch {
    closed.crash = CRASHED;
  }
  return toResult(page, 'withdrawn', progress, closed);
}

/** A state that was not visited. */
export function withoutVisit(
  state: FurtherState,
  outcome: StateVisit['outcome'],
  error?: string,
): StateResult {
  const nothing = { clicks: 0, durationMs: 0, requests: [], cookies: [], storage: [] };
  return {
    visit: { state, outcome, ...nothing, ...(error !== undefined && { error }) },
    observations: [],
    secondLayer: [],
  };
}

/** Takes the steps until the signal ends them. What is stored then is still read. */
async function runWithin(
  { tab, recorder }: Pick<OpenedTab, 'tab' | 'recorder'>,
  ends: AbortSignal,
  progress: StateProgress,
  steps: (until: Until) => Promise<void>,
): Promise<void> {
  if (await runSteps(tab, ends, steps)) return;
  progress.incomplete = 'The visit took too long and was ended.';
  progress.after ??= await Promise.race([takeSnapshot(tab, recorder, STORED), tab.crashed]);
}

/** Rejects or withdraws, loads the page once more unless the banner did, and reads it. */
async function choose(
  steps: Steps,
  choice: Choice,
  loadedAt: number,
  progress: StateProgress,
): Promise<void> {
  const { tab, recorder, until, guard } = steps;
  let navigations: number | undefined;
  const onPress = () => {
    navigations = recorder.navigations;
    recorder.markChoice();
    recorder.allowReload();
  };
  const result = await makeChoice(tab, recorder, choice, { until, guard, loadedAt, onPress });
  if (navigations === undefined || result.outcome === 'no_control') {
    recorder.revertChoice();
    progress.choice = result;
    return;
  }
  await until(waitForIdle(tab, recorder, { lingers: false }));
  progress.pressed = await until(takeSnapshot(tab, recorder, STORED));
  progress.choice = result;
  if (recorder.navigations === navigations) {
    await until(leavePage(tab));
    await reloadPage(tab, recorder.main?.url ?? '', until);
  }
  await readPage(steps, performance.now(), progress);
}

/** Waits, scrolls where it makes the page load more, and reads it. */
async function readPage(
  { tab, recorder, until, scrolls }: Steps,
  loadedAt: number,
  progress: StateProgress,
): Promise<void> {
  await until(waitForIdle(tab, recorder, { lingers: false }));
  if (await until(scrolls)) await until(scrollPage(tab));
  await until(waitForIdle(tab, recorder, { loadedAt }));
  progress.after = await until(takeSnapshot(tab, recorder, FINAL));
  await until(leavePage(tab));
}

function toResult(
  page: URL,
  state: FurtherState,
  progress: StateProgress,
  closed: ClosedVisit,
): StateResult {
  const { recorder, egress } = closed;
  const { before, pressed, after } = progress;
  if ([before, pressed, after].some(isWithoutCookies)) progress.incomplete ??= WITHOUT_COOKIES;
  if (recorder.full || egress.exceeded || recorder.main?.incomplete) progress.incomplete = LIMITED;
  const error = findError(page, progress, closed);
  const isReached = progress.choice !== undefined || (state === 'gpc' && progress.after);
  const isFailed = !isReached || (error !== undefined && error !== progress.incomplete);
  return {
    visit: {
      state,
      outcome: isFailed ? 'failed' : (progress.choice?.outcome ?? 'reached'),
      ...(error !== undefined && { error }),
      clicks: progress.choice?.clicks ?? 0,
      ...(progress.choice?.control && { control: progress.choice.control }),
      durationMs: recorder.elapsed,
      ...toRecording(recorder, progress.after ?? progress.pressed ?? progress.before),
    },
    observations: isFailed
      ? []
      : state === 'gpc'
        ? listWithGpc(recorder, progress)
        : listAfterChoice(state, recorder, progress),
    secondLayer: progress.choice?.controls ?? [],
  };
}

/** Why the visit failed or is incomplete, as a message for the site owner. */
function findError(
  page: URL,
  { failure, incomplete }: StateProgress,
  closed: ClosedVisit,
): string | undefined {
  if (closed.crash !== undefined) return closed.crash;
  const { main } = closed.recorder;
  const { status, headers = {}, body: html = '' } = main ?? {};
  const problem = findProblem(
    page,
    failure ?? (status === undefined ? 'net::ERR_TIMED_OUT' : undefined),
    closed,
  );
  if (problem !== undefined) return problem;
  const botWall = status === undefined ? undefined : findBotWall({ status, headers, html });
  return getAccessError({ ...(status && { status }), ...(botWall && { botWall }) }) ?? incomplete;
}
