import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { assertPublicHost, lookupPublic } from './post.ts';

/** Bytes. */
const RESPONSE_MAX = 1_000_000;

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Returns a fetch for the addresses that a configured server names. Those of its own origin may be in a private
 * network; all others are reached over https at public addresses only, so that the server cannot lead requests into
 * the network of this machine. Redirects are not followed.
 * @param origin of the configured server
 * @throws PrivateAddressError; Error for http and for a response of more than a megabyte
 */
export const createGuardedFetch =
  (origin: string) =>
  (address: string, { method, headers, body, signal }: FetchOptions): Promise<Response> => {
    const url = new URL(address);
    const isOwn = url.origin === origin;
    if (!isOwn) {
      assertPublicHost(url);
      if (url.protocol !== 'https:') throw new Error(`${url.origin} is not reached over https.`);
    }
    return send(url, body === undefined || body === null ? '' : String(body), {
      method,
      headers,
      agent: false,
      ...(signal && { signal }),
      ...(!isOwn && { lookup: lookupPublic }),
    });
  };

function send(url: URL, body: string, options: RequestOptions): Promise<Response> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((fulfil, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > RESPONSE_MAX) sent.destroy(new Error(`${url.origin} sends too much.`));
      });
      response.on('error', reject);
      response.on('end', () => {
        const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        const { statusCode: status = 0 } = response;
        const content = [204, 205, 304].includes(status) ? null : Buffer.concat(chunks);
        try {
          fulfil(new Response(content, { status, headers }));
        } catch (error) {
          // The status is not between 200 and 599.
          reject(error);
        }
      });
    });
    // Without a listener, Node.js closes such a connection without an event.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error(`${url.origin} changes the protocol.`));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
