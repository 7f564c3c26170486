import type { PageVisit, ScanState, StateVisit } from '../observation.ts';
import type { Semaphore } from '../semaphore.ts';
import type { Browser } from './browser.ts';
import { visitFirst } from './first-visit.ts';
import { completeMeasure } from './measure-banner.ts';
import { mergeObservations } from './merge-observations.ts';
import type { VisitOptions } from './open-tab.ts';
import { type StateResult, visitState, withoutVisit } from './state-visit.ts';

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
 * Scans one page: a visit for `before`, `accepted` and `withdrawn`, and one each for `rejected` and `gpc`.
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
  const scrolls = Promise.withResolvers<boolean>();
  const first = visitFirst(browser, url, page, ends, { ...options, states, scrolls }).finally(() =>
    scrolls.resolve(true),
  );
  const others = (states ?? []).filter(hasOwnContext).map(async (state): Promise<StateResult> => {
    if (isSequential) await first;
    return ownVisits.run(isSequential ? 1 : OWN_VISITS_AT_ONCE, async () => {
      if (ends.aborted) return withoutVisit(state, 'failed', OVERDUE);
      return visitState(browser, page, state, ends, options, scrolls.promise);
    });
  });
  try {
    const [{ visited, withdrawn }, ...own] = await Promise.all([first, ...others]);
    const more = [...own, ...(withdrawn ? [withdrawn] : [])];
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

const hasOwnContext = (state: ScanState): state is 'rejected' | 'gpc' =>
  state === 'rejected' || state === 'gpc';

/** Completes the measure of the banner with what its rejection showed. */
function withSecondLayer(visit: StateVisit, others: readonly StateResult[]): StateVisit {
  const rejected = others.find(({ visit: { state } }) => state === 'rejected');
  if (!visit.banner || !rejected) return visit;
  const banner = completeMeasure(visit.banner, rejected.visit, rejected.secondLayer);
  return { ...visit, banner };
}
