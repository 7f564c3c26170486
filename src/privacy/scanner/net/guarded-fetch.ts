import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { connect } from './connect.ts';
import { FetchError, toFetchError } from './fetch-error.ts';
import { type Guard, getPort } from './guard.ts';

export interface FetchOptions {
  signal: AbortSignal;
  /** Limit of the decompressed body. */
  maxBytes: number;
  /** Total time, including redirects and body. */
  timeoutMs: number;
  /** Other redirects are returned as `externalRedirect`. Default: all are followed. */
  stayOn?: (url: URL) => boolean;
}

export interface GuardedFetchOptions extends FetchOptions {
  guard: Guard;
  userAgent: string;
  /** Accepts invalid certificates. */
  insecure?: boolean;
}

export interface Fetched {
  status: number;
  headers: IncomingHttpHeaders;
  /** Including those of redirects, with the URL that sent each. */
  setCookies: { header: string; url: string }[];
  body: Buffer;
  /** After redirects. */
  url: string;
  /** The target of a redirect that was not followed. */
  externalRedirect?: string;
  /** The body exceeded the limit or ended early. */
  truncated: boolean;
}

export type Fetch = (url: string, options: FetchOptions) => Promise<Fetched>;

export const getScannerUserAgent = (version: string): string =>
  `PavisScanner/${version} (+privacy scan)`;

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 64 * 1_024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Requests a page as a new visitor. Cookies are sent on redirects within a host, because some sites redirect until
 * they get them. All connections go through the guard.
 * @throws FetchError if there is no response
 */
export async function guardedFetch(
  address: string,
  options: GuardedFetchOptions,
): Promise<Fetched> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  const setCookies: Fetched['setCookies'] = [];
  let redirects = 0;
  const cookies = new Map<string, string>();
  let url = webUrl(address);
  for (;;) {
    const response = await answer(url, options, [...cookies.values()], signal).catch(
      (error: unknown) => {
        throw toFetchError(error, url.host);
      },
    );
    const { statusCode: status = 0, headers } = response;
    for (const header of headers['set-cookie'] ?? []) {
      setCookies.push({ header, url: url.href });
      const pair = header.split(';')[0] ?? '';
      cookies.set(pair.split('=')[0] ?? '', pair);
    }
    const answered = { status, headers, setCookies, url: url.href };

    const next = REDIRECTS.has(status) && URL.parse(headers.location ?? '', url);
    if (!headers.location || !next) {
      return { ...answered, ...(await read(response, options.maxBytes, signal)) };
    }
    response.destroy();
    const target = webUrl(next.href);
    if (options.stayOn && !options.stayOn(target)) {
      return {
        ...answered,
        body: Buffer.alloc(0),
        truncated: false,
        externalRedirect: target.href,
      };
    }
    if (redirects === MAX_REDIRECTS) throw new FetchError('too_many_redirects', url.host);
    redirects += 1;
    if (target.hostname !== url.hostname) cookies.clear();
    url = target;
  }
}

/** Without user, password and fragment. */
function webUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new FetchError('not_web', text.slice(0, 100));
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

/** The body is not read yet. */
async function answer(
  url: URL,
  { guard, userAgent, insecure = false }: GuardedFetchOptions,
  cookies: readonly string[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const socket = await connect(await guard.target(url.hostname, getPort(url), signal), signal);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const onAbort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const stream = url.protocol === 'https:' ? secured(socket, url.hostname, insecure) : socket;
  stream.on('error', reject);
  const request = httpRequest({
    createConnection: () => stream,
    path: url.pathname + url.search,
    maxHeaderSize: MAX_HEADER_BYTES,
    setHost: false,
    headers: {
      host: url.host,
      'user-agent': userAgent,
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'accept-encoding': 'gzip, br',
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    },
  });
  request.on('response', resolve).on('error', reject);
  // The server changes the protocol.
  request.on('upgrade', () => socket.destroy(new Error('upgraded'))).end();
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

function secured(socket: Socket, hostname: string, insecure: boolean): Duplex {
  const isName = !/^[\d.]+$|^\[/.test(hostname);
  return connectTls({
    socket,
    rejectUnauthorized: !insecure,
    // Server names cannot be IP addresses (RFC 6066).
    ...(isName && { servername: hostname }),
    checkServerIdentity: (_host, certificate) =>
      checkServerIdentity(hostname.replace(/^\[|\]$/g, ''), certificate),
  });
}

async function read(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Pick<Fetched, 'body' | 'truncated'>> {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  const onAbort = () => response.destroy(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  let truncated = false;
  try {
    for await (const chunk of decoded(response)) {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) {
        truncated = true;
        break;
      }
    }
  } catch {
    truncated = true;
  } finally {
    signal.removeEventListener('abort', onAbort);
    response.destroy();
  }
  return { body: Buffer.concat(chunks), truncated };
}

function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === 'br') return pipeline(response, createBrotliDecompress(), () => {});
  // Detects gzip and deflate.
  if (/^(x-)?gzip$|^deflate$/.test(encoding)) return pipeline(response, createUnzip(), () => {});
  return response;
}
