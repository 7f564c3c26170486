import { toIsoMoment } from '../../../platform/clock.ts';
import type { Recording } from '../visits/recording.ts';
import type { SavedVisit } from '../visits/store.ts';

export const HAR_COMMENT =
  'Values of query parameters and cookies, headers and bodies are not recorded, by design. Durations and sizes are not measured: 0 and -1 stand for "not recorded". Pages start at the moment at which their visits were saved; _at_ms is the exact moment of a request after its visit began. Fields that begin with _ are additions to HAR 1.2.';

/** A page of an HTTP Archive: one visit of a page in one state. */
export const toHarPage = (visit: SavedVisit) => ({
  startedDateTime: toIsoMoment(visit.visitedAt),
  id: toPageId(visit),
  title: visit.pageUrl,
  pageTimings: { onContentLoad: -1, onLoad: -1 },
  _state: visit.state,
  _outcome: visit.outcome,
});

const toPageId = ({ id, state }: SavedVisit): string => `visit_${id}_${state}`;

/** A request as an entry of an HTTP Archive (HAR 1.2). */
export function toHarEntry(visit: SavedVisit, request: Recording['requests'][number]) {
  const { url, method, kind, at, isAfterChoice, initiator, redirectedFrom, failure } = request;
  const names = [...(URL.parse(url)?.searchParams ?? [])];
  return {
    pageref: toPageId(visit),
    startedDateTime: toIsoMoment(visit.visitedAt + at),
    time: 0,
    request: {
      method,
      url,
      httpVersion: '',
      cookies: [],
      headers: [],
      queryString: names.map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status: request.status ?? 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: request.mimeType ?? '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    _state: visit.state,
    _at_ms: at,
    _after_choice: isAfterChoice,
    _resource_type: kind,
    _initiator: initiator ?? null,
    ...(redirectedFrom !== undefined && { _redirected_from: redirectedFrom }),
    ...(failure !== undefined && { _failure: failure }),
  };
}
