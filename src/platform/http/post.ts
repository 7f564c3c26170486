import { lookup as resolve } from 'node:dns';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './ip-addresses.ts';

/** A host in a private network, or this machine. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly host: string;

  constructor(host: string) {
    super(`${host} is in a private network.`);
    this.host = host;
  }
}

/** No response, or only a part of one, within the time limit. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

export interface PostOptions {
  /** Whether the address may be in a private network or this machine. */
  allowsPrivate: boolean;
  headers: Readonly<Record<string, string>>;
  /** The time limit of the whole request, in milliseconds. */
  timeoutMs: number;
  /** Bytes of the response that are read. */
  responseMax: number;
  signal: AbortSignal;
}

export interface PostResponse {
  status: number;
  /** The header `Retry-After`. */
  retryAfter: string | undefined;
  text: string;
  /** False if the response is longer than was read, or broke off. */
  isWhole: boolean;
}

/**
 * Posts a text to an address that someone has entered. Unless private networks are allowed, the connection goes to a
 * public address, whatever the name resolves to (server-side request forgery). Redirects are not followed.
 * @throws PrivateAddressError; NoResponseError; the reason of the signal; the system error (`ECONNREFUSED` …)
 */
export async function post(
  url: URL,
  body: string,
  { allowsPrivate, headers, timeoutMs, responseMax, signal }: PostOptions,
): Promise<PostResponse> {
  if (!allowsPrivate) assertPublicHost(url);
  const limit = AbortSignal.timeout(timeoutMs);
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal: AbortSignal.any([signal, limit]),
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    ...(!allowsPrivate && { lookup: lookupPublic }),
  };
  try {
    return await send(url, body, options, responseMax);
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    throw new NoResponseError(`There was no response within ${timeoutMs / 1_000} seconds.`);
  }
}

function send(
  url: URL,
  body: string,
  options: RequestOptions,
  responseMax: number,
): Promise<PostResponse> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { signal } = options;
  const { promise, resolve: fulfil, reject } = Promise.withResolvers<PostResponse>();
  const sent = request(url, options, (response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (isWhole: boolean) => {
      fulfil({
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
        text: Buffer.concat(chunks).subarray(0, responseMax).toString(),
        isWhole,
      });
      sent.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > responseMax) end(false);
    });
    // The status has arrived, which is an answer without its text as well.
    response.on('error', () => end(false));
    response.on('end', () => end(true));
  });
  // Without a listener, Node.js closes such a connection without an event.
  sent.on('upgrade', ({ statusCode: status = 0 }, socket) => {
    socket.destroy();
    fulfil({ status, retryAfter: undefined, text: '', isWhole: true });
  });
  sent.on('error', reject);
  // Also if the request has ended without an event.
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  sent.end(body);
  // With a listener, the signal keeps the request in memory after its end.
  return promise.finally(() => signal?.removeEventListener('abort', abort));
}

/**
 * Names other than `localhost` are checked when they are resolved.
 * @throws PrivateAddressError
 */
export function assertPublicHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isIP(host) === 0 ? host === 'localhost' : !isPublicAddress(host);
  if (isPrivate) throw new PrivateAddressError(host);
}

/** Resolves a name to its public addresses only. */
export const lookupPublic: LookupFunction = (host, options, callback) => {
  resolve(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '');
    const addresses = found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (!first) return callback(new PrivateAddressError(host), '');
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
