import type { EgressProxy } from '../net/egress-proxy.ts';
import type { EgressVisit } from '../net/egress-visit.ts';
import { isSameSite } from '../site.ts';
import type { Browser } from './browser.ts';
import { BrowserUnavailableError } from './chromium.ts';
import { isHarmful } from './click-guard.ts';
import { createIdentity } from './identity.ts';
import { MemoryLimitError } from './memory.ts';
import { Recorder } from './recorder.ts';
import type { GuardClick } from './simulate-visitor.ts';
import type { Tab } from './tab.ts';

export interface VisitOptions {
  proxy: EgressProxy;
  /** Appended to the browser's own. */
  userAgent: string;
  /** Limit for each visit of a page, in milliseconds. */
  pageMs: number;
  /** What the page may take of the machine's memory, in bytes. */
  pageMemory: number;
}

export interface OpenedTab {
  tab: Tab;
  recorder: Recorder;
  /** Ends the visit. */
  ends: AbortSignal;
  /** The same limit, from now on. */
  restartLimit(): AbortSignal;
  egress: EgressVisit;
  guard: GuardClick;
}

/** What remains of a visit once its tab has closed. */
export interface ClosedVisit {
  recorder: Recorder;
  egress: EgressVisit;
  /** Undefined if the browser opened none. */
  tab: Tab | undefined;
  /** Why the visit ended early, as a message for the site owner. */
  crash?: string;
}

/** Time reserved to read the page after the limit. */
const READING_MS = 2_500;
export const CRASHED = 'The browser crashed on this page or ran out of memory.';

/**
 * Opens a tab in its own browser context, and closes it after the work.
 * @param sendsGpc the tab sends Global Privacy Control
 * @throws BrowserUnavailableError; MemoryLimitError if another page may be the cause. Other errors are returned.
 */
export async function withTab(
  browser: Browser,
  page: URL,
  signal: AbortSignal,
  { proxy, userAgent, pageMs, pageMemory, sendsGpc }: VisitOptions & { sendsGpc: boolean },
  work: (opened: OpenedTab) => Promise<void>,
): Promise<ClosedVisit> {
  const egress = proxy.open();
  let tab: Tab | undefined;
  const recorder = new Recorder(() => tab?.mainFrame ?? '');
  recorder.onFull = () => tab?.blockRequests();
  try {
    await browser.withTabs(async (tabs, chromium, discard) => {
      const restartLimit = () =>
        AbortSignal.any([signal, AbortSignal.timeout(pageMs - Math.min(READING_MS, pageMs / 3))]);
      const ends = restartLimit();
      const opening = tabs.open({
        proxy: { server: proxy.server, username: egress.username, password: egress.password },
        identity: createIdentity(`${chromium.userAgent} ${userAgent}`, chromium.version),
        mayNavigate: (to) => isSameSite(to, page),
        sendsGpc,
        recorder,
      });
      const opened = await Promise.race([opening, rejectOnAbort(ends)]).catch((error) => {
        // The browser would not open other pages either.
        if (!signal.aborted) discard();
        void opening.then((late) => late.close()).catch(() => {});
        throw error;
      });
      tab = opened;
      try {
        const guard: GuardClick = async (click, documents) => {
          egress.isBlocked = (method, to) =>
            isHarmful(click, { method, url: to, isDocument: false });
          await opened.guardClick(click, documents);
        };
        await work({ tab: opened, recorder, ends, restartLimit, egress, guard });
      } finally {
        if (!(await opened.close())) discard();
      }
    });
    return { recorder, egress, tab };
  } catch (error) {
    if (error instanceof BrowserUnavailableError) throw error;
    if (error instanceof MemoryLimitError && !error.alone) throw error;
    const crash = error instanceof MemoryLimitError ? tooMuchMemory(pageMemory) : CRASHED;
    return { recorder, egress, tab, crash };
  } finally {
    egress.close();
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const tooMuchMemory = (bytes: number) =>
  `The page exceeded the memory limit of ${Math.round(bytes / 2 ** 20)} MB. ` +
  'Change the limit with PAVIS_SCANNER_PAGE_MEMORY.';
