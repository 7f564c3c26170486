import type { Logger } from '../../platform/log.ts';
import type { LocalBrowser } from './browser/local-pages.ts';
import type { EngineSettings } from './scan-engine.ts';

export type { LocalBrowser } from './browser/local-pages.ts';
export type LocalBrowserSettings = Pick<EngineSettings, 'chromium' | 'dataDir'>;

/**
 * Starts a browser for pages that exist only in it, apart from that of scans.
 * @param signal ends the browser
 * @returns undefined where none can be started
 */
export async function openLocalBrowser(
  settings: LocalBrowserSettings,
  log: Logger,
  signal: AbortSignal,
): Promise<LocalBrowser | undefined> {
  if (settings.chromium === 'off') return undefined;
  const { openLocalBrowser: open } = await import('./browser/local-pages.ts');
  const { BrowserUnavailableError } = await import('./browser/chromium.ts');
  try {
    return await open({ ...settings, log }, signal);
  } catch (error) {
    if (error instanceof BrowserUnavailableError) return undefined;
    throw error;
  }
}
