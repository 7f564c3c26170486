import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turnOfTheLoop, setTimeout as wait } from 'node:timers/promises';
import type { Routes } from './error-format.ts';
import type { FastPaths } from './fast-path.ts';
import type { Pipelining } from './pipelining.ts';

/** How long kept-alive clients have to hear that they should open a new connection elsewhere. */
const CONNECTION_CLOSE_MS = 300;
/** How long nobody must have connected before the door is shut, and how long that is waited for. */
const QUIET_MS = 100;
const QUIET_MAX_WAIT_MS = 1_000;
/** After this time connections on which nothing moves are closed, and how long that is watched for. */
const STALL_GRACE_MS = 20_000;
const STALL_CHECK_MS = 5_000;
/** How long a client has to close its side of a connection that we have closed. */
const LINGER_MS = 1_000;

export interface GracefulShutdown {
  isShuttingDown(): boolean;
  /** Finishes what is in flight, then closes the server. Calling it again changes nothing. */
  start(): Promise<void>;
}

/**
 * Ends a server without losing a request: for a moment every answer says `Connection: close`, so
 * that no client is left with an idle connection on which its next request would be cut off.
 */
export function createGracefulShutdown(
  app: Routes,
  fastPaths: FastPaths,
  pipelining: Pipelining,
): GracefulShutdown {
  let done: Promise<void> | undefined;
  let held: PromiseWithResolvers<void> | undefined;
  let connectedAt = 0;
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    connectedAt = performance.now();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('onRequest', (_request, _reply, next) => {
    if (held) held.promise.then(() => next());
    else next();
  });
  app.addHook('onSend', ({ raw }, reply, _payload, next) => {
    if (done) {
      if (isLast(raw)) reply.header('connection', 'close');
      // Fastify has set it where the server is closed already.
      else reply.raw.removeHeader('connection');
    }
    next();
  });
  // An answer that began before the drain has not said that its connection is closed.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, next) => {
    if (held && !pipelining.hasWaiting(socket)) closeGently(socket);
    next();
  });
  /** Whether the connection of a request is closed after its answer: not before those that wait behind it have theirs. */
  function isLast({ socket }: IncomingMessage): boolean {
    if (pipelining.hasWaiting(socket)) return false;
    socket.destroySoon = () => closeGently(socket);
    return true;
  }
  /**
   * The kernel resets who stands before the door when it is shut: connected, but not let in yet. So
   * requests are held until nobody new has come for a moment, then the door is shut and they are answered.
   */
  async function stopAccepting(): Promise<void> {
    held = Promise.withResolvers();
    const heldSince = performance.now();
    connectedAt = heldSince;
    let now = heldSince;
    while (now - connectedAt < QUIET_MS && now - heldSince < QUIET_MAX_WAIT_MS) {
      await wait(1);
      // After a stall of the loop those who came meanwhile are let in first.
      await turnOfTheLoop();
      now = performance.now();
    }
    app.server.close();
    const closed = app.close();
    pipelining.stopAccepting();
    held.resolve();
    await closed;
  }
  async function drain(): Promise<void> {
    await wait(CONNECTION_CLOSE_MS);
    const giveUp = closeStalled(sockets);
    await stopAccepting();
    clearInterval(giveUp);
  }
  return {
    isShuttingDown: () => done !== undefined,
    start() {
      fastPaths.close(isLast);
      done ??= drain();
      return done;
    },
  };
}

/**
 * Closes our side of a connection, and all of it when the client has closed its own: what the client may be sending
 * still would else make the kernel reset the connection, and the client would lose answers that it has not read yet
 * (RFC 9112 §9.6).
 */
function closeGently(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Closes connections on which no byte has moved for a while, once the drain takes long. */
function closeStalled(sockets: ReadonlySet<Socket>): NodeJS.Timeout {
  const startedAt = performance.now();
  let moved = new Map<Socket, number>();
  return setInterval(() => {
    const before = moved;
    moved = new Map([...sockets].map((each) => [each, each.bytesRead + each.bytesWritten]));
    if (performance.now() - startedAt < STALL_GRACE_MS) return;
    for (const [socket, bytes] of moved) if (before.get(socket) === bytes) socket.destroy();
  }, STALL_CHECK_MS).unref();
}
