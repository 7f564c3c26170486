import type { CdpSession, Payload } from './cdp.ts';

type RequestPaused = Payload<'Fetch.requestPaused'>;

/** What the browser has to pause so that `answerServiceWrite` sees every write. */
export const SERVICE_PATTERNS = ['*/svc/v1/*', '*rest_route=*'].map((urlPattern) => ({
  urlPattern,
  requestStage: 'Request' as const,
}));

/** Both without an effect of their own; a preflight is answered with the write that it asks for. */
const READS = new Set(['GET', 'HEAD']);

/**
 * Answers in the browser what a page would write to a Pavis server, whichever server that is: the
 * scanner's click on "Accept all" is nobody's consent. The page is told that its request succeeded,
 * so that it goes on as after a visitor's choice.
 * @returns whether the request was one of these, and is answered
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

/** By its path or, with plain permalinks, by its query. */
function isOfService(text: string): boolean {
  const url = URL.parse(text);
  const route = url?.searchParams.get('rest_route') ?? url?.pathname ?? '';
  return /(^|\/)svc\/v1\//i.test(route);
}
