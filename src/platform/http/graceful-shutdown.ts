import type { IncomingMessage } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setImmediate as turnOfTheLoop, setTimeout as wait } from 'node:timers/promises';
import type { Routes } from './error-format.ts';
import type { FastPaths } from './fast-path.ts';
import type { Pipelining } from './pipelining.ts';
import { READINESS_PATH } from './probes.ts';

/** How long responses say `Connection: close` before no connections are accepted. */
const CONNECTION_CLOSE_MS = 300;
/** So for a load balancer, which sends requests until it has seen, often twice, that the node is not ready. */
const BALANCED_CLOSE_MS = 3_000;
/** A client that asks for readiness twice in this time is taken for a load balancer. */
const BALANCER_ASKS_TWICE_MS = 25_000;
/**
 * For how many turns of the event loop no connection must have come before we stop accepting, and how long we wait for that.
 * Turns take about a millisecond, and longer on a busy machine, where clients need longer, too.
 */
const QUIET_TURNS = 90;
const QUIET_MAX_WAIT_MS = 2_000;
/**
 * A turn of the event loop accepts one connection (libuv). If it did, or took longer than this, others may wait to be
 * accepted.
 */
const SHORT_TURN_MS = 1;
const WAITING_MAX_MS = 5_000;
/** After this time, connections without traffic for one check are closed. */
const STALL_GRACE_MS = 20_000;
const STALL_CHECK_MS = 5_000;
/** How long a client has to close its side. */
const LINGER_MS = 1_000;

export interface GracefulShutdown {
  isShuttingDown(): boolean;
  /** Finishes requests in flight, then closes the server. */
  start(): Promise<void>;
}

/**
 * Stops a server without losing a request: first every response says `Connection: close`, so that no client sends its
 * next request on an idle connection that is about to be closed, until balancers send their requests to other nodes.
 */
export function createGracefulShutdown(
  app: Routes,
  fastPaths: FastPaths,
  pipelining: Pipelining,
): GracefulShutdown {
  let done: Promise<void> | undefined;
  let held: PromiseWithResolvers<void> | undefined;
  let connections = 0;
  let probes: readonly [earlier: number, last: number] = [-Infinity, -Infinity];
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('onRequest', ({ routeOptions }, _reply, next) => {
    if (routeOptions.url === READINESS_PATH) probes = [probes[1], performance.now()];
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
  // Responses that began before have not announced that the connection is closed.
  app.addHook('onResponse', ({ raw: { socket } }, _reply, next) => {
    if (held && !pipelining.hasWaiting(socket)) closeGently(socket);
    next();
  });
  /** Whether the connection closes after this response: not while pipelined requests wait. */
  function isLast({ socket }: IncomingMessage): boolean {
    if (pipelining.hasWaiting(socket)) return false;
    socket.destroySoon = () => closeGently(socket);
    return true;
  }
  /**
   * Closing the listening socket resets connections that the kernel has accepted and we have not. So requests are held
   * until no connection has come for a moment, then the socket is closed and they are answered.
   */
  async function stopAccepting(): Promise<void> {
    held = Promise.withResolvers();
    const heldSince = performance.now();
    let now = heldSince;
    let quietTurns = 0;
    let mayWait = false;
    const isBusy = () =>
      (mayWait && now - heldSince < WAITING_MAX_MS) ||
      (quietTurns < QUIET_TURNS && now - heldSince < QUIET_MAX_WAIT_MS);
    while (isBusy()) {
      const before = connections;
      if (!mayWait) await wait(1);
      const turnedAt = performance.now();
      const beforeTurn = connections;
      // Connections are accepted between the timers and the immediates.
      await turnOfTheLoop();
      now = performance.now();
      mayWait = connections > beforeTurn || now - turnedAt > SHORT_TURN_MS;
      quietTurns = connections > before ? 0 : quietTurns + 1;
    }
    // Only the port: `close` of the HTTP server ends idle connections first, and another can come meanwhile.
    TcpServer.prototype.close.call(app.server);
    const closed = app.close();
    pipelining.stopAccepting();
    held.resolve();
    await closed;
  }
  async function shutDown(): Promise<void> {
    const isBalanced = performance.now() - probes[0] < BALANCER_ASKS_TWICE_MS;
    await wait(isBalanced ? BALANCED_CLOSE_MS : CONNECTION_CLOSE_MS);
    const giveUp = closeStalled(sockets);
    await stopAccepting();
    clearInterval(giveUp);
  }
  return {
    isShuttingDown: () => done !== undefined,
    start() {
      fastPaths.close(isLast);
      done ??= shutDown();
      return done;
    },
  };
}

/** Closes our side first: a reset would discard responses that the client has not read yet (RFC 9112 §9.6). */
function closeGently(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

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
