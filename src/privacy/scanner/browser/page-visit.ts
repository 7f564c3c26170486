import type { EgressProxy } from '../net/egress-proxy.ts';
import type { EgressFailure, EgressVisit } from '../net/egress-visit.ts';
import { FetchFailed, type FetchFailure } from '../net/fetch-failed.ts';
import type { PageVisit } from '../observation.ts';
import { isSameSite } from '../site.ts';
import type { Browser } from './browser.ts';
import { NoChromium } from './chromium.ts';
import { type Findings, walkThrough } from './procedure.ts';
import { Recorder } from './recorder.ts';
import { observationsOf } from './sights.ts';
import type { Tab } from './tab.ts';

export interface VisitOptions {
  proxy: EgressProxy;
  insecure: boolean;
  /** Appended to the browser's own. */
  userAgent: string;
  /** For everything together. */
  pageMs: number;
}

/** What is kept of the time for reading the page when it is up. */
const READING_MS = 2_500;
const CRASHED = 'The browser gave up on this page: it crashed or needed too much memory.';

const FAILURES: Record<EgressFailure, FetchFailure> = {
  blocked: 'not_allowed',
  dns: 'no_such_host',
  refused: 'refused',
  timeout: 'timeout',
};

/**
 * One page, in a browser context that nothing else shares.
 * @throws NoChromium; anything else is the visit's `error`
 */
export async function visitPage(
  browser: Browser,
  url: string,
  signal: AbortSignal,
  { proxy, insecure, userAgent, pageMs }: VisitOptions,
): Promise<PageVisit> {
  const page = new URL(url);
  page.hash = '';
  const egress = proxy.open();
  let tab: Tab | undefined;
  const recorder = new Recorder(() => tab?.mainFrame ?? '');
  recorder.onFull = () => tab?.cutOff();
  const findings: Findings = {};
  let crashed = false;
  try {
    await browser.withTabs(async (tabs, chromium, discard) => {
      const limit = AbortSignal.timeout(pageMs - Math.min(READING_MS, pageMs / 3));
      tab = await tabs.open({
        proxy: { server: proxy.server, username: egress.username, password: egress.password },
        insecure,
        userAgent: `${chromium.userAgent} ${userAgent}`,
        mayNavigate: (to) => isSameSite(to, page),
        recorder,
      });
      try {
        const ends = AbortSignal.any([signal, limit]);
        await walkThrough(tab, recorder, page.href, ends, findings);
      } finally {
        if (!(await tab.close())) discard();
      }
    });
  } catch (error) {
    if (error instanceof NoChromium) throw error;
    crashed = true;
  } finally {
    egress.close();
  }

  const { main } = recorder;
  const error = crashed ? CRASHED : whyNoPage(findings, recorder, egress, page, tab?.leavesTo);
  const observations =
    findings.failure || isOther(main?.mimeType) ? [] : observationsOf(recorder, findings);
  for (const seen of observations) {
    if (!('method' in seen) || seen.kind === 'form' || seen.status !== undefined) continue;
    const failure = egress.failureOf(seen.url);
    if (failure) seen.failure = failure;
  }
  return {
    url,
    finalUrl: main?.url ?? page.href,
    ...(main?.status !== undefined && { status: main.status }),
    observations,
    partial: crashed || recorder.full || egress.exceeded || findings.cutShort === true,
    ...(error !== undefined && { error }),
  };
}

const isOther = (mimeType: string | undefined): boolean =>
  mimeType !== undefined && !/^(text\/html|application\/xhtml\+xml|)$/.test(mimeType);

/** One sentence for the owner of the site; undefined when there was a page. */
function whyNoPage(
  { failure }: Findings,
  { main }: Recorder,
  egress: EgressVisit,
  page: URL,
  leavesTo: string | undefined,
): string | undefined {
  if (!failure) {
    return isOther(main?.mimeType) ? `The page is not HTML but ${main?.mimeType}.` : undefined;
  }
  if (leavesTo) {
    return `The page redirects to another site, ${new URL(leavesTo).host}, which is not scanned.`;
  }
  const { host } = URL.parse(main?.url ?? '') ?? page;
  const denied = egress.failureOf(main?.url ?? page.href);
  if (denied) return new FetchFailed(FAILURES[denied], host).message;
  if (/ABORTED|NO_CONTENT/.test(failure)) return 'The page is not HTML.';
  if (/TOO_MANY_REDIRECTS/.test(failure))
    return new FetchFailed('too_many_redirects', host).message;
  if (/CERT|SSL/.test(failure)) return new FetchFailed('certificate', host).message;
  if (/TIMED_OUT/.test(failure)) return new FetchFailed('timeout', host).message;
  return new FetchFailed('broken', host).message;
}
