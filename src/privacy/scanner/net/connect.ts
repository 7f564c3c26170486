import { connect as connectSocket, type Socket } from 'node:net';
import { connectOptions, type Target } from './guard.ts';

const CONNECT_LIMIT_MS = 3_000;

export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeout';
}

/**
 * Connects to a target that the guard has allowed. Later errors close the socket.
 * @throws ConnectTimeoutError, the system error (`ECONNREFUSED` …) or the reason of the signal
 */
export function connect(target: Target, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectSocket(connectOptions(target));
  const onAbort = () => socket.destroy(signal.reason);
  const limit = setTimeout(() => socket.destroy(new ConnectTimeoutError()), CONNECT_LIMIT_MS);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  socket.once('connect', () => resolve(socket));
  // A socket without an error listener would end the process.
  socket.on('error', reject);
  return promise.finally(() => {
    clearTimeout(limit);
    signal.removeEventListener('abort', onAbort);
  });
}
