import type { IncomingMessage } from 'node:http';
import { type AddressRange, getClientAddress } from '../http/client-address.ts';
import type { FindCountry } from '../http/client-country.ts';
import {
  type FastPath,
  type FastPathResponse,
  type FastPaths,
  prebuildResponse,
} from '../http/fast-path.ts';
import type { Logger } from '../log.ts';
import type { RawResponse } from './raw-request.ts';
import { JSON_TYPE } from './response.ts';
import { createHeaderFormatter, type ResponseHeaders } from './response-headers.ts';
import type { RestApi } from './rest-api.ts';
import { listMethods, type PrebuiltBody, type RestRoute } from './route.ts';

export interface RestMount {
  fastPaths: FastPaths;
  trustedProxies: readonly AddressRange[];
  findCountry?: FindCountry | undefined;
  log: Logger;
}

/** Answers a hot route without Fastify, with the same headers. */
export function toFastPath(
  route: RestRoute,
  prefix: string,
  api: RestApi,
  { trustedProxies, log }: RestMount,
): FastPath {
  const { method } = route as { method: FastPath['method'] };
  const path = `/${api.options.namespace}${route.path}`;
  const target = prefix + path;
  const formatHeaders = createHeaderFormatter(api.options);
  const prebuilt = new WeakMap<PrebuiltBody, FastPathResponse>();
  /** Headers of a plain response, by allowed origin. */
  const plain = new Map<string | undefined, string[]>();

  function formatPlainHeaders(allowedOrigin: string | undefined): string[] {
    let flat = plain.get(allowedOrigin);
    if (!flat) {
      const head = { status: 200, contentType: JSON_TYPE, headers: {}, nonce: undefined };
      flat = appendHeaders([], formatHeaders({ ...head, allowedOrigin }));
      plain.set(allowedOrigin, flat);
    }
    return flat;
  }

  function findPrebuilt({ headers }: IncomingMessage): FastPathResponse | undefined {
    if (headers.origin !== undefined || headers['if-none-match'] !== undefined) return undefined;
    const ready = route.ready?.();
    if (!ready) return undefined;
    let response = prebuilt.get(ready);
    if (!response) {
      const given = { ...ready.headers, allow: listMethods(route).join(', ') };
      const head = { status: 200, contentType: JSON_TYPE, headers: given, nonce: undefined };
      const flat = appendHeaders([], formatHeaders({ ...head, allowedOrigin: undefined }));
      response = prebuildResponse(flat, ready.json);
      prebuilt.set(ready, response);
    }
    return response;
  }

  async function answer(request: IncomingMessage, body: Buffer): Promise<FastPathResponse> {
    const { headers } = request;
    const client = () => getClientAddress(request, trustedProxies);
    const response = await api.answer({ method, target, path, headers, client, body });
    if (response.fault) log.error({ err: response.fault }, 'request failed');
    const flat = isPlain(response)
      ? appendHeaders([...formatPlainHeaders(response.allowedOrigin)], response.headers)
      : appendHeaders([], formatHeaders(response));
    return { status: response.status, headers: flat, text: String(response.text) };
  }

  return {
    method,
    path: target,
    answer: (request, body) => findPrebuilt(request) ?? answer(request, body),
  };
}

/** Whether all headers but those of the route are the same for all responses. */
const isPlain = ({ status, contentType, nonce, headers }: RawResponse): boolean =>
  contentType === JSON_TYPE &&
  status !== 304 &&
  nonce === undefined &&
  !('cache-control' in headers) &&
  !('link' in headers);

/** Appends names and values in turn. */
function appendHeaders(flat: string[], headers: ResponseHeaders): string[] {
  for (const name of Object.keys(headers)) {
    const value = headers[name] as string | string[];
    if (typeof value === 'string') flat.push(name, value);
    else for (const each of value) flat.push(name, each);
  }
  return flat;
}
