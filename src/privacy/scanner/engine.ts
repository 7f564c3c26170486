import type { PageVisit, ScanState } from './observation.ts';

/** Scans a page, with a browser or by reading its HTML. */
export interface Engine {
  /** The name in scans: `html`, `chromium 147 bundled`. */
  readonly name: string;
  /** Starts what visits need, such as a browser, because that does not count as time of a page. */
  start?(): Promise<void>;
  /**
   * Looks at one page of the site. Never rejects for what the page or the net does: that is the
   * visit's `error` or `partial`.
   * @param signal ends the visit; what was seen until then is answered
   * @param states in which the page is visited; default: `before` and `accepted`
   */
  visit(url: string, signal: AbortSignal, states?: readonly ScanState[]): Promise<PageVisit>;
  close(): Promise<void>;
}
