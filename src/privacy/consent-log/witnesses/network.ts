import { lookup as resolve } from 'node:dns';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { formatErrorMessage } from '../../../platform/hooks/timeout.ts';
import { isPublicAddress } from '../../../platform/http/ip-addresses.ts';

const TIMEOUT_MS = 10_000;
const RESPONSE_MAX = 65_536;

/** A request that got no response. The message is for people. */
export class WitnessUnreachableError extends Error {
  override name = 'WitnessUnreachableError';
}

export interface WitnessResponse {
  status: number;
  text: string;
}

/**
 * Posts a text. Unless private networks are allowed, the connection goes to a public address, whatever the name
 * resolves to. Only this machine is reached without TLS.
 * @throws WitnessUnreachableError
 */
export async function postText(
  url: URL,
  body: string,
  { allowsPrivate, signal }: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<WitnessResponse> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw isPrivate(host);
  if (!allowsPrivate && host === 'localhost') throw isPrivate(host);
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal: AbortSignal.any([signal, limit]),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    },
    ...(!allowsPrivate && { lookup: lookupPublic }),
  };
  try {
    return await send(url, options, body);
  } catch (error) {
    if (error instanceof WitnessUnreachableError) throw error;
    throw new WitnessUnreachableError(
      limit.aborted
        ? `The witness did not answer within ${TIMEOUT_MS / 1_000} seconds.`
        : `The witness cannot be reached: ${formatErrorMessage(error)}`,
    );
  }
}

function send(url: URL, options: RequestOptions, body: string): Promise<WitnessResponse> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > RESPONSE_MAX) {
          response.destroy(new WitnessUnreachableError('The response of the witness is too long.'));
        }
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Resolves a name to its public addresses only. */
const lookupPublic: LookupFunction = (host, options, callback) => {
  resolve(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '');
    const addresses = found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (!first) return callback(isPrivate(host), '');
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

const isPrivate = (host: string): WitnessUnreachableError =>
  new WitnessUnreachableError(
    `${host} is in a private network. Set PAVIS_PRIVATE_WITNESSES=on to allow that.`,
  );
