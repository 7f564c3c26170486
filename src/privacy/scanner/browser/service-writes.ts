import type { CdpSession, Payload } from './cdp.ts';

type RequestPaused = Payload<'Fetch.requestPaused'>;

/** Requests that the browser pauses for {@link answerServiceWrite}. */
export const SERVICE_PATTERNS = ['*/svc/v1/*', '*rest_route=*'].map((urlPattern) => ({
  urlPattern,
  requestStage: 'Request' as const,
}));

/** Preflight requests are answered with the request that follows. */
const READS = new Set(['GET', 'HEAD']);

/**
 * Answers write requests to any Pavis server with success, without sending them, because the click of the scanner is
 * not consent.
 * @returns whether the request was answered
 */
export function answerServiceWrite(session: CdpSession, { requestId, request }: RequestPaused) {
  if (READS.has(request.method) || !isOfService(request.url)) return false;
  const header = (name: string) =>
    Object.entries(request.headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const origin = header('origin');
  const isPreflight = request.method === 'OPTIONS';
  const text = isPreflight ? '' : '{"id":0,"message":"Not recorded: this is a scan."}';
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    ...(origin && {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': header('access-control-request-headers') ?? '',
    }),
  };
  session.sendAndForget('Fetch.fulfillRequest', {
    requestId,
    responseCode: isPreflight ? 204 : 200,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: Buffer.from(text).toString('base64'),
  });
  return true;
}

/** By path or, with plain permalinks, by query. */
function isOfService(text: string): boolean {
  const url = URL.parse(text);
  const route = url?.searchParams.get('rest_route') ?? url?.pathname ?? '';
  return /(^|\/)svc\/v1\//i.test(route);
}
