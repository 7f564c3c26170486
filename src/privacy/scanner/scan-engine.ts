import type { Logger } from '../../platform/log.ts';
import type { Engine } from './engine.ts';
import type { CnameLookup } from './net/cnames.ts';
import { type ConnectTo, findConnectTo } from './net/connect-to.ts';
import type { Fetch } from './net/guarded-fetch.ts';

/** How the scanner looks at pages. */
export interface EngineSettings {
  /** The path of a Chromium; `off`: none; undefined: one that is found. */
  chromium: string | undefined;
  /** Asked when the first scan starts. */
  connectTo: () => readonly ConnectTo[];
  /** Where the browser that came with Pavis is unpacked. */
  dataDir: string;
  /** Takes certificates that nobody vouches for. */
  insecure: boolean;
  /** What one page may take of the machine's memory, in bytes. */
  pageMemory: number;
  /** Of Pavis, as the scanner names itself. */
  version: string;
}

/** What looks at the pages of a site, and what asks for them. */
export interface ScanEngine {
  engine: Engine;
  fetch: Fetch;
  /** As the sites that are asked know the scanner. */
  userAgent: string;
  /** Where DNS leads to from subdomains of the site. */
  lookUpCnames: CnameLookup;
}

/** Opens an engine for one site. Loaded when the first scan starts: nobody else needs it. */
export async function createEngine(
  { chromium, connectTo, dataDir, insecure, pageMemory, version }: EngineSettings,
  siteUrl: string,
  log: Logger,
): Promise<ScanEngine> {
  const { createGuard } = await import('./net/guard.ts');
  const { guardedFetch, getScannerUserAgent } = await import('./net/guarded-fetch.ts');
  const { createHtmlEngine } = await import('./html/html-engine.ts');
  const guard = createGuard({ siteOrigin: new URL(siteUrl).origin, connectTo: connectTo() });
  const userAgent = getScannerUserAgent(version);
  const fetch: Fetch = (url, options) =>
    guardedFetch(url, { ...options, guard, userAgent, insecure });
  const html = createHtmlEngine({ fetch });
  const { createCnameLookup } = await import('./net/cnames.ts');
  const cnames = createCnameLookup();
  // Of hosts that are to be asked elsewhere, DNS tells nothing.
  const isInDns = (host: string) =>
    ![80, 443].some((port) => findConnectTo(connectTo(), host, port));
  const lookUpCnames: CnameLookup = (hosts) => cnames([...hosts].filter(isInDns));
  if (chromium === 'off') return { engine: html, fetch, userAgent, lookUpCnames };
  const { createBrowserEngine } = await import('./browser/browser-engine.ts');
  const engine = createBrowserEngine({
    guard,
    userAgent,
    insecure,
    chromium,
    dataDir,
    pageMemory,
    log,
    fallback: html,
  });
  return { engine, fetch, userAgent, lookUpCnames };
}
