import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

describe('Semaphore', () => {
  it('limits concurrency and keeps the order', async () => {
    const semaphore = new Semaphore(100);
    let inside = 0;
    let most = 0;
    const done: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        semaphore.run(3, async () => {
          most = Math.max(most, ++inside);
          await turn();
          inside--;
          done.push(n);
        }),
      ),
    );
    expect(most).toBe(3);
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('rejects work when the queue is full', async () => {
    const semaphore = new Semaphore(2);
    const { promise: open, resolve } = Promise.withResolvers<void>();
    const passing = [1, 2, 3].map(() => semaphore.run(1, () => open));
    await expect(semaphore.run(1, () => open)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'service_unavailable',
    });
    resolve();
    await Promise.all(passing);
    await expect(semaphore.run(1, async () => 'in')).resolves.toBe('in');
  });

  it('continues after failed work', async () => {
    const semaphore = new Semaphore(1);
    const failing = semaphore.run(1, () => Promise.reject(new Error('no')));
    const next = semaphore.run(1, async () => 'in');
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('in');
  });
});
