import { connect as connectSocket, type Socket } from 'node:net';
import { connectOptions, type Target } from './guard.ts';

const CONNECT_LIMIT_MS = 3_000;

/** Nobody took the connection in time. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeout';
}

/**
 * A connection to a target that the guard has given. Errors after that only close it.
 * @throws ConnectTimeout, the system's error (`ECONNREFUSED` …) or the signal's reason
 */
export function connect(target: Target, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectSocket(connectOptions(target));
  const onAbort = () => socket.destroy(signal.reason);
  const limit = setTimeout(() => socket.destroy(new ConnectTimeoutError()), CONNECT_LIMIT_MS);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  socket.once('connect', () => resolve(socket));
  // Stays for the life of the socket, since one without would end the process.
  socket.on('error', reject);
  return promise.finally(() => {
    clearTimeout(limit);
    signal.removeEventListener('abort', onAbort);
  });
}
