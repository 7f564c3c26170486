import type { Logger } from '../../platform/log.ts';
import type { PageVisit } from './observation.ts';
import type { ScanEngine } from './scan-engine.ts';

/** Hard limit for one page. Engines stop earlier and return partial results. */
const PAGE_LIMIT_MS = 20_000;
/** Time to return partial results after the limit. */
const GRACE_MS = 1_000;

/**
 * Looks at one page. Always answers within the limit, whatever the engine does.
 * @param cancelled ends the visit
 * @returns what was seen, and the engine's name
 */
export async function visit(
  url: string,
  eyes: () => Promise<ScanEngine>,
  log: Logger,
  cancelled?: AbortSignal,
): Promise<PageVisit & { engine?: string }> {
  const overdue = Promise.withResolvers<PageVisit>();
  const timer = setTimeout(() => {
    const error = `The page took longer than ${PAGE_LIMIT_MS / 1_000} seconds to scan.`;
    overdue.resolve({ url, finalUrl: url, observations: [], partial: true, error });
  }, PAGE_LIMIT_MS + GRACE_MS);
  try {
    const { engine } = await eyes();
    const limit = AbortSignal.timeout(PAGE_LIMIT_MS);
    const signal = cancelled ? AbortSignal.any([limit, cancelled]) : limit;
    const visited = await Promise.race([engine.visit(url, signal), overdue.promise]);
    // Read after the visit: the name is known once the browser has started.
    return { ...visited, engine: engine.name };
  } catch (err) {
    log.error({ err }, 'an engine of the scanner failed');
    const error = 'The scanner failed on this page. See the server log for details.';
    return { url, finalUrl: url, observations: [], partial: true, error };
  } finally {
    clearTimeout(timer);
  }
}
