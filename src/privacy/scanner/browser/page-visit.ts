import { htmlThread } from '../html/html-thread.ts';
import { DEFAULT_STATES, type PageVisit, type ScanState, type StateVisit } from '../observation.ts';
import { findBotWall } from '../page-access.ts';
import type { Semaphore } from '../semaphore.ts';
import type { Browser } from './browser.ts';
import type { VisitPhases } from './evidence.ts';
import { findProblem } from './find-problem.ts';
import { completeMeasure } from './measure-banner.ts';
import { mergeObservations } from './merge-observations.ts';
import { listObservations } from './observations.ts';
import { type ClosedVisit, type VisitOptions, withTab } from './open-tab.ts';
import { simulateVisitor, type VisitProgress } from './simulate-visitor.ts';
import { toRecording } from './state-observations.ts';
import { type OwnState, type StateResult, visitState } from './state-visit.ts';

/** Limit for all states of a page, in milliseconds. */
const ALL_STATES_MS = 40_000;
/** Memory and processors limit these, in addition to the pages that are visited at once. */
const OWN_VISITS_AT_ONCE = 3;

export interface PageVisitOptions extends VisitOptions {
  states?: readonly ScanState[] | undefined;
  /** Limits the visits in states with a visit of their own, of all pages. */
  ownVisits: Semaphore;
  /** Visits the states one after the other. */
  isSequential?: boolean;
}

/**
 * Scans one page: a visit for `before` and `accepted`, and one for each other state.
 * @throws BrowserUnavailableError; MemoryLimitError if another page may be the cause. Other errors are returned.
 */
export async function visitPage(
  browser: Browser,
  url: string,
  signal: AbortSignal,
  { states, ownVisits, isSequential = false, ...options }: PageVisitOptions,
): Promise<PageVisit> {
  const page = new URL(url);
  page.hash = '';
  const over = new AbortController();
  const ends = AbortSignal.any([signal, over.signal, AbortSignal.timeout(ALL_STATES_MS)]);
  const hints = {
    scrolls: Promise.withResolvers<boolean>(),
    banner: Promise.withResolvers<Banner>(),
  };
  const first = visitFirst(browser, url, page, ends, { ...options, states, hints }).finally(() => {
    hints.scrolls.resolve(true);
    hints.banner.resolve('unknown');
  });
  const others = (states ?? []).filter(isOwnState).map(async (state): Promise<StateResult> => {
    if (isSequential) await first;
    // What cannot be accepted cannot be withdrawn.
    const banner = state === 'withdrawn' ? await hints.banner.promise : 'found';
    if (banner === 'no_banner' || banner === 'no_control') return withoutVisit(state, banner);
    return ownVisits.run(isSequential ? 1 : OWN_VISITS_AT_ONCE, async () => {
      if (ends.aborted) return withoutVisit(state, 'failed', OVERDUE);
      return visitState(browser, page, state, ends, options, hints.scrolls.promise);
    });
  });
  try {
    const [visited, ...more] = await Promise.all([first, ...others]);
    if (more.length === 0) return visited;
    return {
      ...visited,
      observations: mergeObservations([
        ...visited.observations,
        ...more.flatMap(({ observations }) => observations),
      ]),
      visits: [
        ...(visited.visits ?? []).map((visit) => withSecondLayer(visit, more)),
        ...more.map(({ visit }) => visit),
      ],
    };
  } finally {
    over.abort();
    await Promise.allSettled([first, ...others]);
  }
}

const OVERDUE = `The page took longer than ${ALL_STATES_MS / 1_000} seconds in all states.`;

type Banner = 'no_banner' | 'no_control' | 'found' | 'unknown';

const isOwnState = (state: ScanState): state is OwnState =>
  state !== 'before' && state !== 'accepted';

function withoutVisit(
  state: OwnState,
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

/** Completes the measure of the banner with what its rejection showed. */
function withSecondLayer(visit: StateVisit, others: readonly StateResult[]): StateVisit {
  const rejected = others.find(({ visit: { state } }) => state === 'rejected');
  if (!visit.banner || !rejected) return visit;
  const banner = completeMeasure(visit.banner, rejected.visit, rejected.secondLayer);
  return { ...visit, banner };
}

interface FirstOptions extends VisitOptions {
  states: readonly ScanState[] | undefined;
  hints: { scrolls: PromiseWithResolvers<boolean>; banner: PromiseWithResolvers<Banner> };
}

/** The visit for `before` and `accepted`. */
async function visitFirst(
  browser: Browser,
  url: string,
  page: URL,
  signal: AbortSignal,
  { states, hints, ...options }: FirstOptions,
): Promise<PageVisit> {
  const accepts = (states ?? DEFAULT_STATES).includes('accepted');
  const findings: VisitProgress = {};
  const closed = await withTab(
    browser,
    page,
    signal,
    { ...options, sendsGpc: false },
    ({ tab, recorder, ends, guard }) =>
      simulateVisitor(tab, recorder, page.href, ends, findings, {
        guard,
        accepts,
        isDetailed: states !== undefined,
        onScrolled: hints.scrolls.resolve,
        onBanner: hints.banner.resolve,
      }),
  );
  const { recorder, egress, crash } = closed;
  const { main } = recorder;
  if (main?.status === undefined) findings.failure ??= 'net::ERR_TIMED_OUT';
  const error = crash ?? findProblem(page, findings.failure, closed);
  const phases: VisitPhases = {
    before: accepts ? ['before', 'accepted'] : ['before'],
    after: accepts ? ['accepted'] : [],
  };
  const observations = error && !crash ? [] : await listObservations(recorder, findings, phases);
  for (const seen of observations) {
    if (!('method' in seen) || seen.kind === 'form' || seen.status !== undefined) continue;
    const failure = egress.findFailure(seen.url);
    if (failure) seen.failure = failure;
  }
  const { status, headers = {}, body: html = '' } = main ?? {};
  const botWall = status === undefined ? undefined : findBotWall({ status, headers, html });
  return {
    url,
    finalUrl: main?.url ?? page.href,
    ...(main?.status !== undefined && { status: main.status }),
    ...(botWall !== undefined && { botWall }),
    observations,
    ...(states && { visits: listFirstVisits(closed, findings, error, accepts) }),
    links: () => listPageLinks(findings),
    ...(findings.banner && { banner: findings.banner }),
    partial:
      crash !== undefined ||
      recorder.full ||
      egress.exceeded ||
      findings.cutShort === true ||
      main?.incomplete === true,
    ...(error !== undefined && { error }),
  };
}

const OUTCOMES = {
  accepted: 'reached',
  not_found: 'no_banner',
  not_accepted: 'no_control',
} as const;

function listFirstVisits(
  { recorder }: ClosedVisit,
  { before, after, banner, clicked, measure }: VisitProgress,
  error: string | undefined,
  accepts: boolean,
): StateVisit[] {
  const failed = error !== undefined && ({ outcome: 'failed', error } as const);
  const first: StateVisit = {
    state: 'before',
    outcome: 'reached',
    clicks: 0,
    durationMs: before?.at ?? recorder.elapsed,
    ...toRecording(recorder, before, ({ isAfterChoice }) => !isAfterChoice),
    ...(measure && { banner: measure }),
    ...failed,
  };
  if (!accepts) return [first];
  const isWithoutEffect = clicked === true && banner !== 'accepted';
  const accepted: StateVisit = {
    state: 'accepted',
    outcome: isWithoutEffect ? 'no_effect' : banner ? OUTCOMES[banner] : 'failed',
    clicks: clicked ? 1 : 0,
    durationMs: recorder.elapsed,
    ...toRecording(recorder, after ?? before),
    ...failed,
  };
  return [first, accepted];
}

/** Links of the latest version of the document. */
async function listPageLinks({ before, after }: VisitProgress): Promise<string[]> {
  const [page] = (after ?? before)?.frames ?? [];
  return page ? htmlThread.links(page.html, page.base) : [];
}
