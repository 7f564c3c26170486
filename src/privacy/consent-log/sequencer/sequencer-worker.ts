import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { LogLoss } from '../lost-log/schemas.ts';
import { LogLossError } from '../lost-log/service.ts';
import { type AppenderOrder, openAppender } from './open.ts';

/** How often it looks for new rows. */
const EVERY_MS = 1_000;
/** An idle thread takes memory. */
const IDLE_MS = 60_000;

/** `started`: its code is loaded. `logged`: after each run that did not fail. */
export type ThreadMessage =
  | { started: true }
  | { logged: number }
  | { error: string; loss?: LogLoss };

/** The worker thread of `Sequencer`. It ends after a minute without new rows, after a failure, and when it is told to finish. */
const finishing = new AbortController();
parentPort?.on('message', () => finishing.abort());

async function run(): Promise<void> {
  parentPort?.postMessage({ started: true } satisfies ThreadMessage);
  const appender = await openAppender(workerData as AppenderOrder);
  try {
    let workedAt = performance.now();
    for (;;) {
      // Before: what was committed until the order to finish must be seen by the last run.
      const isFinishing = finishing.signal.aborted;
      const { logged, hasMore } = await appender.append(Date.now());
      parentPort?.postMessage({ logged } satisfies ThreadMessage);
      if (logged > 0 || hasMore) workedAt = performance.now();
      else if (isFinishing || performance.now() - workedAt > IDLE_MS) return;
      if (!hasMore) {
        await wait(EVERY_MS, undefined, { signal: finishing.signal }).catch(() => {});
      }
    }
  } finally {
    await appender.close();
  }
}

run()
  .catch((error: Error) => {
    const loss = error instanceof LogLossError && { loss: error.loss };
    parentPort?.postMessage({ error: error.message, ...loss } satisfies ThreadMessage);
  })
  .finally(() => parentPort?.close());
