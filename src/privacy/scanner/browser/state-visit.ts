import type { BannerControl, Observation, StateVisit } from '../observation.ts';
import { findBotWall, getAccessError } from '../page-access.ts';
import type { Browser } from './browser.ts';
import { type Choice, type ChoiceResult, makeChoice } from './choice/make-choice.ts';
import { findBanner } from './find-banner.ts';
import { findProblem } from './find-problem.ts';
import { loadPage, reloadPage, runSteps, scrollPage, type Until } from './load-page.ts';
import { type ClosedVisit, type VisitOptions, withTab } from './open-tab.ts';
import type { Recorder } from './recorder.ts';
import { acceptBanner, type GuardClick } from './simulate-visitor.ts';
import { takeSnapshot } from './snapshot.ts';
import {
  type ChoiceSnapshots,
  listAfterChoice,
  listWithGpc,
  toRecording,
} from './state-observations.ts';
import type { Tab } from './tab.ts';
import { waitForIdle } from './wait-for-idle.ts';

/** The states with a visit of their own. */
export type OwnState = 'rejected' | 'withdrawn' | 'gpc';

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

interface Steps {
  tab: Tab;
  recorder: Recorder;
  until: Until;
  guard: GuardClick;
  /** Whether the page loads more when it is scrolled. */
  scrolls: Promise<boolean>;
}

/** Without the document: the visit of `before` and `accepted` has read it. */
const LIGHT = { withHtml: false };
const DETAILED = { withHtml: false, isDetailed: true };

/**
 * Visits a page in one more state, in its own browser context.
 * @param scrolls whether the page loads more when it is scrolled
 * @throws BrowserUnavailableError; MemoryLimitError if another page may be the cause. Other errors are returned.
 */
export async function visitState(
  browser: Browser,
  page: URL,
  state: OwnState,
  signal: AbortSignal,
  options: VisitOptions,
  scrolls: Promise<boolean>,
): Promise<StateResult> {
  const progress: StateProgress = {};
  const settings = { ...options, sendsGpc: state === 'gpc' };
  const closed = await withTab(browser, page, signal, settings, async (opened) => {
    const { tab, recorder, ends, guard } = opened;
    const isComplete = await runSteps(tab, ends, async (until) => {
      const { loadedAt, failure, cutShort } = await loadPage(tab, recorder, page.href, until);
      if (cutShort) progress.incomplete = 'The page did not finish loading.';
      if (failure !== undefined) {
        progress.failure = failure;
        return;
      }
      const steps = { tab, recorder, until, guard, scrolls };
      if (state === 'gpc') await readPage(steps, loadedAt, progress);
      else if (state === 'rejected' || (await accept(steps, progress))) {
        await choose(steps, state === 'rejected' ? 'reject' : 'withdraw', loadedAt, progress);
      }
    });
    if (isComplete) return;
    progress.incomplete = `The visit took longer than ${options.pageMs / 1_000} seconds and was ended.`;
    progress.after ??= await Promise.race([takeSnapshot(tab, recorder, LIGHT), tab.crashed]);
  });
  const error = findError(page, progress, closed);
  const { recorder } = closed;
  const isReached = progress.choice !== undefined || (state === 'gpc' && progress.after);
  const isFailed = !isReached || (error !== undefined && error !== progress.incomplete);
  return {
    visit: {
      state,
      outcome: isFailed ? 'failed' : (progress.choice?.outcome ?? 'reached'),
      ...(error !== undefined && { error }),
      clicks: progress.choice?.clicks ?? 0,
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

/** Gives the consent that is withdrawn later. */
async function accept(
  { tab, recorder, until, guard }: Steps,
  progress: StateProgress,
): Promise<boolean> {
  await until(waitForIdle(tab, recorder));
  const banner = await until(findBanner(tab));
  const onPress = () => {};
  const isAccepted =
    banner?.value.button && (await acceptBanner(tab, recorder, banner, { until, guard, onPress }));
  if (isAccepted) return true;
  const outcome = banner ? 'no_control' : 'no_banner';
  progress.choice = { outcome, clicks: 0, settingsClicks: 0, controls: [] };
  return false;
}

/** Rejects or withdraws, loads the page once more unless the banner did, and reads it. */
async function choose(
  steps: Steps,
  choice: Choice,
  loadedAt: number,
  progress: StateProgress,
): Promise<void> {
  const { tab, recorder, until, guard } = steps;
  await until(waitForIdle(tab, recorder));
  progress.before = await until(takeSnapshot(tab, recorder, LIGHT));
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
  progress.pressed = await until(takeSnapshot(tab, recorder, LIGHT));
  progress.choice = result;
  if (recorder.navigations === navigations) {
    await reloadPage(tab, recorder.main?.url ?? '', until);
  }
  await readPage(steps, Date.now(), progress);
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
  progress.after = await until(takeSnapshot(tab, recorder, DETAILED));
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
