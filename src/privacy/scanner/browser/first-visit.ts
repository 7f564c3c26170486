import { htmlThread } from '../html/html-thread.ts';
import {
  DEFAULT_STATES,
  isLoad,
  isUnsent,
  type PageVisit,
  type ScanState,
  type StateVisit,
} from '../observation.ts';
import { findBotWall } from '../page-access.ts';
import type { Browser } from './browser.ts';
import type { VisitPhases } from './evidence.ts';
import { findProblem } from './find-problem.ts';
import { listObservations } from './observations.ts';
import { type ClosedVisit, type VisitOptions, withTab } from './open-tab.ts';
import { simulateVisitor, type VisitProgress } from './simulate-visitor.ts';
import { isWithoutCookies } from './snapshot.ts';
import { toRecording } from './state-observations.ts';
import { type StateResult, withdraw, withoutVisit } from './state-visit.ts';

export interface FirstOptions extends VisitOptions {
  states: readonly ScanState[] | undefined;
  /** Resolved with whether the page loads more when it is scrolled. */
  scrolls: PromiseWithResolvers<boolean>;
}

/**
 * The visit for `before` and `accepted`, after which its consent is withdrawn.
 * @throws BrowserUnavailableError; MemoryLimitError if another page may be the cause. Other errors are returned.
 */
export async function visitFirst(
  browser: Browser,
  url: string,
  page: URL,
  signal: AbortSignal,
  { states, scrolls, ...options }: FirstOptions,
): Promise<{ visited: PageVisit; withdrawn: StateResult | undefined }> {
  const accepts = (states ?? DEFAULT_STATES).includes('accepted');
  const withdraws = states?.includes('withdrawn') === true;
  const findings: VisitProgress = {};
  let withdrawn: StateResult | undefined;
  const closed = await withTab(
    browser,
    page,
    signal,
    { ...options, sendsGpc: false },
    async (opened) => {
      const { tab, recorder, ends, guard } = opened;
      await simulateVisitor(tab, recorder, page.href, ends, findings, {
        guard,
        accepts: accepts || withdraws,
        isRecorded: states !== undefined,
        onScrolled: scrolls.resolve,
      });
      if (!withdraws) return;
      withdrawn =
        findings.banner === 'accepted' && findings.after
          ? await withdraw(opened, page, findings.after, scrolls.promise)
          : withoutConsent(findings);
    },
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
    if (!isLoad(seen) || seen.status !== undefined || isUnsent(seen)) continue;
    const failure = egress.findFailure(seen.url);
    if (failure) seen.failure = failure;
  }
  const { status, headers = {}, body: html = '' } = main ?? {};
  const botWall = status === undefined ? undefined : findBotWall({ status, headers, html });
  const visited: PageVisit = {
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
      [findings.before, findings.after].some(isWithoutCookies) ||
      main?.incomplete === true,
    ...(error !== undefined && { error }),
  };
  // The reason why the page could not be visited says more.
  const isFailed = withdraws && error !== undefined;
  return { visited, withdrawn: isFailed ? withoutVisit('withdrawn', 'failed', error) : withdrawn };
}

const NOT_ACCEPTED = 'The banner was not accepted, so there is no consent to withdraw.';

/** Without consent there is nothing to withdraw. */
const withoutConsent = ({ banner, failure }: VisitProgress): StateResult =>
  banner === 'not_found' && failure === undefined
    ? withoutVisit('withdrawn', 'no_banner')
    : withoutVisit('withdrawn', 'failed', NOT_ACCEPTED);

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
    durationMs: (after ?? before)?.at ?? recorder.elapsed,
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
