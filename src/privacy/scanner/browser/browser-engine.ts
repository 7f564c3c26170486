import { MINUTE_MS } from '../../../platform/durations.ts';
import type { Engine } from '../engine.ts';
import { type EgressProxy, startEgressProxy } from '../net/egress-proxy.ts';
import type { Guard } from '../net/guard.ts';
import type { PageVisit } from '../observation.ts';
import { Semaphore } from '../semaphore.ts';
import { Browser } from './browser.ts';
import type { ChromiumSettings } from './candidates.ts';
import { BrowserUnavailableError } from './chromium.ts';
import { MemoryLimitError } from './memory.ts';
import { type PageVisitOptions, visitPage } from './page-visit.ts';

const PAGE_MS = 15_000;
const PAGE_MEMORY = 1_536 * 2 ** 20;
/** A machine can lack memory or time for a browser for a while. */
const RETRY_AFTER_MS = 10 * MINUTE_MS;

export interface BrowserEngineOptions extends ChromiumSettings {
  guard: Guard;
  /** Appended to the browser's user agent. */
  userAgent: string;
  /** Hard limit for one visit of a page in milliseconds; default 15,000. */
  pageMs?: number;
  /** Memory limit for one page in bytes; default 1.5 GB. */
  pageMemory?: number;
  /** Used while no browser can be started. It is tried again after ten minutes. */
  fallback: Engine;
}

/** Scans pages with a browser, behind a proxy that denies private networks. The first page starts the browser. */
export function createBrowserEngine(options: BrowserEngineOptions): Engine {
  const { guard, fallback, userAgent, pageMemory = PAGE_MEMORY, pageMs = PAGE_MS } = options;
  const settings = { ...options, pageMemory };
  const browser = new Browser(settings);
  let proxy: Promise<EgressProxy> | undefined;
  /** The next page tries again if it fails, for example because too many files are open. */
  const startProxy = () =>
    startEgressProxy(guard).catch((error) => {
      proxy = undefined;
      throw error;
    });
  /** When none could be started, as `performance.now()` gives it. */
  let unavailableSince: number | undefined;
  const isWithoutBrowser = () =>
    unavailableSince !== undefined && performance.now() - unavailableSince < RETRY_AFTER_MS;
  const ownVisits = new Semaphore(Number.POSITIVE_INFINITY);

  /** Scans the page in its own browser, so that the memory of other pages does not count. */
  async function visitAlone(url: string, signal: AbortSignal, visiting: PageVisitOptions) {
    const own = new Browser(settings);
    try {
      const ownVisits = new Semaphore(Number.POSITIVE_INFINITY);
      return await visitPage(own, url, signal, { ...visiting, ownVisits, isSequential: true });
    } finally {
      await own.close();
    }
  }

  return {
    get name() {
      return unavailableSince === undefined ? (browser.name ?? 'chromium') : fallback.name;
    },
    async start() {
      if (isWithoutBrowser()) return;
      try {
        await browser.start();
        unavailableSince = undefined;
      } catch (error) {
        if (!(error instanceof BrowserUnavailableError)) throw error;
        unavailableSince = performance.now();
      }
    },
    async visit(url, signal, states): Promise<PageVisit> {
      if (unavailableSince !== undefined) return fallback.visit(url, signal);
      proxy ??= startProxy();
      const visiting: PageVisitOptions = {
        proxy: await proxy,
        userAgent,
        pageMs,
        pageMemory,
        states,
        ownVisits,
      };
      try {
        return await visitPage(browser, url, signal, visiting).catch((error) => {
          if (!(error instanceof MemoryLimitError)) throw error;
          return visitAlone(url, signal, visiting);
        });
      } catch (error) {
        if (!(error instanceof BrowserUnavailableError)) throw error;
        unavailableSince = performance.now();
        return fallback.visit(url, signal);
      }
    },
    async close() {
      await browser.close();
      await (await proxy)?.close();
    },
  };
}
