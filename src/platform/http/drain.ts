import { setImmediate as turnOfTheLoop, setTimeout as wait } from 'node:timers/promises';
import type { FastLanes } from './fast-lane.ts';
import type { Routes } from './scope.ts';

/** How long kept-alive clients have to hear that they should open a new connection elsewhere. */
const FAREWELL_MS = 300;
/** How long nobody must have connected before the door is shut, and how long that is waited for. */
const QUIET_MS = 100;
const LONGEST_HOLD_MS = 1_000;
const LONGEST_DRAIN_MS = 25_000;

export interface Drain {
  draining(): boolean;
  /** Finishes what is in flight, then closes the server. Calling it again changes nothing. */
  start(): Promise<void>;
}

/**
 * Ends a server without losing a request: for a moment every answer says `Connection: close`, so
 * that no client is left with an idle connection on which its next request would be cut off.
 */
export function drainOf(app: Routes, lanes: FastLanes): Drain {
  let done: Promise<void> | undefined;
  let held: PromiseWithResolvers<void> | undefined;
  let connectedAt = 0;
  app.server.on('connection', () => {
    connectedAt = performance.now();
  });
  app.addHook('onRequest', (_request, _reply, next) => {
    if (held) held.promise.then(() => next());
    else next();
  });
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (done) reply.header('connection', 'close');
    next();
  });
  /**
   * The kernel resets who stands before the door when it is shut: connected, but not let in yet. So
   * requests are held until nobody new has come for a moment, then the door is shut and they are answered.
   */
  async function shutTheDoor(): Promise<void> {
    held = Promise.withResolvers();
    const heldSince = performance.now();
    connectedAt = heldSince;
    let now = heldSince;
    while (now - connectedAt < QUIET_MS && now - heldSince < LONGEST_HOLD_MS) {
      await wait(1);
      now = performance.now();
    }
    const closed = app.close();
    while (app.server.listening) await turnOfTheLoop();
    held.resolve();
    await closed;
  }
  async function drain(): Promise<void> {
    await wait(FAREWELL_MS);
    const deadline = setTimeout(() => app.server.closeAllConnections(), LONGEST_DRAIN_MS).unref();
    await shutTheDoor();
    clearTimeout(deadline);
  }
  return {
    draining: () => done !== undefined,
    start() {
      lanes.close();
      done ??= drain();
      return done;
    },
  };
}
