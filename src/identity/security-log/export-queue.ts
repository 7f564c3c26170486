import { setTimeout as wait } from 'node:timers/promises';

/** The end of the last piece that was begun. */
let last: Promise<void> = Promise.resolve();

/**
 * Makes the pieces of all exports of this process one at a time, with a pause after each that is as long as it took,
 * so that half of the time belongs to requests, however many exports run.
 */
export async function* queueExport(pieces: AsyncIterable<string>): AsyncGenerator<string> {
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
