import { setTimeout as wait } from 'node:timers/promises';

/** Ends with the pause after the latest chunk. */
let last: Promise<void> = Promise.resolve();

/**
 * Creates the chunks of all exports of the process one at a time, with a pause as long as each took, so that requests
 * get half of the time regardless of the number of exports.
 */
export async function* queueExport<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await takeTurn(() => iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function takeTurn<T>(make: () => Promise<T>): Promise<T> {
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  await before;
  const startedAt = performance.now();
  try {
    return await make();
  } finally {
    void wait(performance.now() - startedAt).then(resolve);
  }
}
