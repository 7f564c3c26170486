import { setTimeout as wait } from 'node:timers/promises';
import type { FastLanes } from './fast-lane.ts';
import type { Routes } from './scope.ts';

/** How long kept-alive clients have to hear that they should open a new connection elsewhere. */
const FAREWELL_MS = 300;
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
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (done) reply.header('connection', 'close');
    next();
  });
  async function drain(): Promise<void> {
    await wait(FAREWELL_MS);
    const deadline = setTimeout(() => app.server.closeAllConnections(), LONGEST_DRAIN_MS).unref();
    await app.close();
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
