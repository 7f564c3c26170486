import type { Logger } from '../../platform/log.ts';
import type { Engine } from './engine.ts';
import type { CnameLookup } from './net/cnames.ts';
import { type ConnectTo, findConnectTo } from './net/connect-to.ts';
import type { Fetch } from './net/guarded-fetch.ts';
import { isOwnService, type OwnAddresses } from './own-service.ts';

/** Settings of the scan engine. */
export interface EngineSettings {
  /** The public URLs of this server. */
  addresses: () => OwnAddresses;
  /** Path of a Chromium, or `off`. Undefined: find one. */
  chromium: string | undefined;
  /** Called when the first scan starts. */
  connectTo: () => readonly ConnectTo[];
  /** Where the browser that came with Pavis is unpacked. */
  dataDir: string;
  /** Accepts invalid certificates. */
  insecure: boolean;
  /** What one page may take of the machine's memory, in bytes. */
  pageMemory: number;
  /** The version of Pavis, for the name of the scanner. */
  version: string;
}

/** The engine for the pages of a site, and the guarded network functions. */
export interface ScanEngine {
  engine: Engine;
  fetch: Fetch;
  /** User agent of the scanner. */
  userAgent: string;
  /** Looks up CNAME records of subdomains. */
  lookUpCnames: CnameLookup;
}

/** Creates the engine for one site. Modules are loaded on the first scan. */
export async function createEngine(
  { addresses, chromium, connectTo, dataDir, insecure, pageMemory, version }: EngineSettings,
  siteUrl: string,
  log: Logger,
): Promise<ScanEngine> {
  const { createGuard } = await import('./net/guard.ts');
  const { guardedFetch, getScannerUserAgent } = await import('./net/guarded-fetch.ts');
  const { createHtmlEngine } = await import('./html/html-engine.ts');
  const guard = createGuard({
    siteOrigin: new URL(siteUrl).origin,
    connectTo: connectTo(),
    isOwnService: (url) => isOwnService(url, addresses()),
  });
  const userAgent = getScannerUserAgent(version);
  const fetch: Fetch = (url, options) =>
    guardedFetch(url, { ...options, guard, userAgent, insecure });
  const html = createHtmlEngine({ fetch });
  const { createCnameLookup } = await import('./net/cnames.ts');
  const cnames = createCnameLookup();
  // DNS does not apply to hosts with a configured address.
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
