import type { LoadObservation } from '../observation.ts';
import type { Payload } from './cdp.ts';

type RequestWillBeSent = Payload<'Network.requestWillBeSent'>;

export const URL_MAX = 2_048;

/** By the browser's resource type. Other types are requests. */
const KINDS: Record<string, LoadObservation['kind']> = {
  Script: 'script',
  Document: 'frame',
  Image: 'image',
  Stylesheet: 'style',
  Font: 'font',
};
const VIA: Record<string, string> = { Ping: 'beacon', CSPViolationReport: 'csp-report' };

/** The fields of an observation that a request determines. */
export function describeRequest(
  { request, type = 'Other', redirectResponse, documentURL, initiator }: RequestWillBeSent,
  { worker, isMain }: { worker: boolean; isMain: boolean },
) {
  // Requests of `importScripts` have no type of their own.
  const kind = worker && type === 'Other' ? 'script' : (KINDS[type] ?? 'request');
  const isWorker = !isMain && type !== 'Document' && documentURL === request.url;
  const via = isMain
    ? 'navigation'
    : isWorker || worker
      ? 'worker'
      : kind === 'request'
        ? (VIA[type] ?? type.toLowerCase())
        : undefined;
  return {
    kind: isMain ? 'request' : isWorker ? 'script' : kind,
    url: request.url,
    method: request.method,
    ...(via && { via }),
    ...findInitiator(initiator),
    ...(redirectResponse && { redirectedFrom: redirectResponse.url }),
    // The `documentURL` of frames and workers is their own.
    isInPage: worker || isWorker || type === 'Document',
  } satisfies Partial<LoadObservation> & { isInPage: boolean };
}

/** A preflight request that the scanner answers has no type of its own. */
export const isPreflight = ({ request, type = 'Other' }: RequestWillBeSent): boolean =>
  type === 'Preflight' || (type === 'Other' && request.method === 'OPTIONS');

/** The banner replaces functions such as `fetch`, so it is above the script that calls them. */
const isBanner = (url: string): boolean => URL.parse(url)?.pathname.endsWith('/banner.js') === true;

export function findInitiator(initiator: RequestWillBeSent['initiator'] | undefined): {
  initiator?: string;
} {
  let from = initiator?.url;
  for (let trace = initiator?.stack; !from && trace; trace = trace.parent) {
    const urls = trace.callFrames.map(({ url }) => url).filter((url) => /^https?:/.test(url));
    from = urls.find((url) => !isBanner(url)) ?? urls[0];
  }
  return from ? { initiator: from.slice(0, URL_MAX) } : {};
}

export const hasLength = ({
  status,
  headers,
}: Payload<'Network.responseReceived'>['response']): boolean =>
  status === 204 || Object.keys(headers).some((name) => /^content-length$/i.test(name));

export const isOwnProxy = (headers: Record<string, string>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => /^proxy-status$/i.test(name) && value.startsWith('pavis;'),
  );

/** The `failure` of a network error; undefined for requests that the page aborted. */
export function toFailureWord(error: string): string | undefined {
  if (/ABORTED/.test(error)) return undefined;
  if (/NAME_NOT_RESOLVED/.test(error)) return 'dns';
  if (/TIMED_OUT/.test(error)) return 'timeout';
  if (/REFUSED|TUNNEL|EMPTY_RESPONSE|PROXY/.test(error)) return 'refused';
  return /BLOCKED/.test(error) ? 'blocked' : 'failed';
}
