import autocannon from 'autocannon';
import { createVisitorId, type LoadOptions, type LoadResult, type Request } from './load-result.ts';

/**
 * Loads a server with autocannon, which is slower than what it loads and so flatters it.
 * @throws Error where an answer was not a 2xx or a connection broke
 */
export async function loadWithAutocannon(
  url: string,
  { method, path, headers = {}, body, idFormat }: Request,
  { connections, seconds }: LoadOptions,
): Promise<LoadResult> {
  const result = await autocannon({
    url: url + path,
    method,
    headers,
    requests: [
      body
        ? {
            setupRequest: (request) => ({
              ...request,
              body: body.replace('VISITOR', createVisitorId(idFormat)),
            }),
          }
        : {},
    ],
    connections,
    pipelining: 1,
    duration: seconds,
  });
  const { requests, duration, errors, non2xx, latency } = result;
  if (errors > 0 || non2xx > 0) {
    throw new Error(`${errors} connections broke and ${non2xx} answers were no success`);
  }
  return {
    requests: requests.total,
    perSecond: requests.total / duration,
    p50: latency.p50,
    p99: latency.p99,
  };
}
