import autocannon from 'autocannon';
import { createVisitorId, type LoadOptions, type LoadResult, type Request } from './load-result.ts';

/**
 * Loads a server with autocannon. It is slower than the servers, so ratios of requests per second are too good.
 * @throws Error if a response was not 2xx or a connection failed
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
