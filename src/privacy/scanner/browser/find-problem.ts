import type { EgressFailure } from '../net/egress-visit.ts';
import { FetchError, type FetchFailure } from '../net/fetch-error.ts';
import { getAccessError } from '../page-access.ts';
import { toFailure } from './net-errors.ts';
import type { ClosedVisit } from './open-tab.ts';

const FAILURES: Record<EgressFailure, FetchFailure> = {
  blocked: 'not_allowed',
  closed: 'closed',
  dns: 'no_such_host',
  refused: 'refused',
  reset: 'reset',
  timeout: 'timeout',
  unreachable: 'unreachable',
};

/**
 * Why the page could not be scanned, as a message for the site owner.
 * @param failure the browser's error, if the page did not load
 */
export function findProblem(
  page: URL,
  failure: string | undefined,
  { recorder: { main }, egress, tab }: ClosedVisit,
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
