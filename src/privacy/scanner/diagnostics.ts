import type { Logger } from '../../platform/log.ts';
import { createEngine, type EngineSettings } from './scan-engine.ts';

/**
 * Starts the browser that a scan would use, and ends it again.
 * @returns its name, as `chromium 153 bundled`, or why none can be started, if that is known
 */
export async function checkBrowser(
  settings: Omit<EngineSettings, 'addresses' | 'connectTo' | 'version' | 'pageMemory'>,
  log: Logger,
): Promise<{ name: string; sandbox: boolean } | { reason: string | undefined }> {
  const { launchChromium, BrowserUnavailableError } = await import('./browser/chromium.ts');
  try {
    const { name, sandbox, close } = await launchChromium({ ...settings, log });
    await close();
    return { name, sandbox };
  } catch (error) {
    if (!(error instanceof BrowserUnavailableError)) throw error;
    return { reason: error.cause instanceof Error ? error.cause.message : undefined };
  }
}

/**
 * Asks for the home page as the start of a scan does.
 * @throws Error that says in a sentence why it cannot be had
 */
export async function checkSite(
  settings: EngineSettings,
  siteUrl: string,
  log: Logger,
): Promise<void> {
  const { crawlSite } = await import('./crawl/crawl-site.ts');
  const { fetch, userAgent } = await createEngine({ ...settings, chromium: 'off' }, siteUrl, log);
  await crawlSite({ siteUrl, depth: 0, maxPages: 1, fetch, userAgent, deadlineMs: 5_000 });
}
