import { htmlThread } from '../html/html-thread.ts';
import type { EgressProxy } from '../net/egress-proxy.ts';
import type { EgressFailure, EgressVisit } from '../net/egress-visit.ts';
import { FetchError, type FetchFailure } from '../net/fetch-error.ts';
import type { PageVisit } from '../observation.ts';
import { findBotWall, getAccessError } from '../page-access.ts';
import { isSameSite } from '../site.ts';
import type { Browser } from './browser.ts';
import { BrowserUnavailableError } from './chromium.ts';
import { isHarmful } from './click-guard.ts';
import { createIdentity } from './identity.ts';
import { MemoryLimitError } from './memory.ts';
import { toFailure } from './net-errors.ts';
import { listObservations } from './observations.ts';
import { Recorder } from './recorder.ts';
import { type GuardClick, simulateVisitor, type VisitProgress } from './simulate-visitor.ts';
import type { Tab } from './tab.ts';

export interface VisitOptions {
  proxy: EgressProxy;
  /** Appended to the browser's own. */
  userAgent: string;
  pageMs: number;
  /** What the page may take of the machine's memory, in bytes. */
  pageMemory: number;
}

/** Time reserved to read the page after the limit. */
const READING_MS = 2_500;
const CRASHED = 'The browser crashed on this page or ran out of memory.';

const FAILURES: Record<EgressFailure, FetchFailure> = {
  blocked: 'not_allowed',
  closed: 'closed',
  dns: 'no_such_host',
  refused: 'refused',
  reset: 'reset',
  timeout: 'timeout',
};

/**
 * Scans one page in its own browser context.
 * @throws BrowserUnavailableError; MemoryLimitError if another page may be the cause. Other errors are returned.
 */
export async function visitPage(
  browser: Browser,
  url: string,
  signal: AbortSignal,
  { proxy, userAgent, pageMs, pageMemory }: VisitOptions,
): Promise<PageVisit> {
  const page = new URL(url);
  page.hash = '';
  const egress = proxy.open();
  let tab: Tab | undefined;
  const recorder = new Recorder(() => tab?.mainFrame ?? '');
  recorder.onFull = () => tab?.blockRequests();
  const findings: VisitProgress = {};
  let crash: string | undefined;
  try {
    await browser.withTabs(async (tabs, chromium, discard) => {
      const limit = AbortSignal.timeout(pageMs - Math.min(READING_MS, pageMs / 3));
      const opening = tabs.open({
        proxy: { server: proxy.server, username: egress.username, password: egress.password },
        identity: createIdentity(`${chromium.userAgent} ${userAgent}`, chromium.version),
        mayNavigate: (to) => isSameSite(to, page),
        recorder,
      });
      const ends = AbortSignal.any([signal, limit]);
      tab = await Promise.race([opening, rejectOnAbort(ends)]).catch((error) => {
        // The browser would not open other pages either.
        if (!signal.aborted) discard();
        void opening.then((late) => late.close()).catch(() => {});
        throw error;
      });
      try {
        const guard: GuardClick = async (click, documents) => {
          egress.isBlocked = (method, to) =>
            isHarmful(click, { method, url: to, isDocument: false });
          await tab?.guardClick(click, documents);
        };
        await simulateVisitor(tab, recorder, page.href, ends, findings, guard);
      } finally {
        if (!(await tab.close())) discard();
      }
    });
  } catch (error) {
    if (error instanceof BrowserUnavailableError) throw error;
    if (error instanceof MemoryLimitError && !error.alone) throw error;
    crash = error instanceof MemoryLimitError ? tooMuchMemory(pageMemory) : CRASHED;
  } finally {
    egress.close();
  }

  const { main } = recorder;
  if (main?.status === undefined) findings.failure ??= 'net::ERR_TIMED_OUT';
  const error = crash ?? findProblem(page, findings, recorder, egress, tab);
  const observations = error && !crash ? [] : await listObservations(recorder, findings);
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

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Links of the latest version of the document. */
async function listPageLinks({ before, after }: VisitProgress): Promise<string[]> {
  const [page] = (after ?? before)?.frames ?? [];
  return page ? htmlThread.links(page.html, page.base) : [];
}

/** Why the page could not be scanned, as a message for the site owner. */
function findProblem(
  page: URL,
  { failure }: VisitProgress,
  { main }: Recorder,
  egress: EgressVisit,
  tab: Tab | undefined,
): string | undefined {
  if (!failure) {
    const isHtml = /^(text\/html|application\/xhtml\+xml|)$/.test(main?.mimeType ?? '');
    return isHtml ? undefined : `The page is not HTML (${main?.mimeType}).`;
  }
  if (tab?.requests.externalRedirect) {
    const { host } = new URL(tab.requests.externalRedirect);
    return `The page redirects to another site, ${host}. The scanner scans pages of the protected site only.`;
  }
  const { host } = URL.parse(main?.url ?? '') ?? page;
  const failed = (reason: FetchFailure) => new FetchError(reason, host).message;
  const denied = egress.findFailure(main?.url ?? page.href);
  if (denied) return failed(FAILURES[denied]);
  if (tab?.requests.hasRedirectLoop) return failed('too_many_redirects');
  if (/HTTP_RESPONSE_CODE/.test(failure)) return getAccessError(main ?? {}) ?? failed('broken');
  if (failure === 'net::ERR_ABORTED') return 'The page is not HTML.';
  return failed(toFailure(failure));
}

const tooMuchMemory = (bytes: number) =>
  `The page exceeded the memory limit of ${Math.round(bytes / 2 ** 20)} MB. ` +
  'Change the limit with PAVIS_SCANNER_PAGE_MEMORY.';
