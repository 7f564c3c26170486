import { formatErrorMessage } from '../../../platform/hooks/timeout.ts';
import {
  NoResponseError,
  type PostResponse,
  PrivateAddressError,
  post,
} from '../../../platform/http/post.ts';

const TIMEOUT_MS = 10_000;
const RESPONSE_MAX = 65_536;

/** A request that got no response. The message is for people. */
export class WitnessUnreachableError extends Error {
  override name = 'WitnessUnreachableError';
}

export type WitnessResponse = Pick<PostResponse, 'status' | 'text'>;

/**
 * Posts a text to a witness. Only this machine is reached without TLS.
 * @param options.allowsPrivate whether the witness may be in a private network or on this machine
 * @throws WitnessUnreachableError
 */
export async function postText(
  url: URL,
  body: string,
  options: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<WitnessResponse> {
  const response = await post(url, body, {
    ...options,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    timeoutMs: TIMEOUT_MS,
    responseMax: RESPONSE_MAX,
  }).catch((error: unknown) => {
    throw new WitnessUnreachableError(describe(error));
  });
  if (response.isWhole) return response;
  throw new WitnessUnreachableError('The response of the witness is too long or incomplete.');
}

function describe(error: unknown): string {
  if (error instanceof PrivateAddressError) {
    return `${error.message} Set PAVIS_PRIVATE_WITNESSES=on to allow that.`;
  }
  if (error instanceof NoResponseError) {
    return `The witness did not answer within ${TIMEOUT_MS / 1_000} seconds.`;
  }
  return `The witness cannot be reached: ${formatErrorMessage(error)}`;
}
