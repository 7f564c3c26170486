import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

describe('A turnstile', () => {
  it('lets so many past at once, in order, and loses nobody', async () => {
    const turnstile = new Semaphore(100);
    let inside = 0;
    let most = 0;
    const done: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        turnstile.run(3, async () => {
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

  it('turns away who would have to wait behind too many, and only those', async () => {
    const turnstile = new Semaphore(2);
    const { promise: open, resolve } = Promise.withResolvers<void>();
    const passing = [1, 2, 3].map(() => turnstile.run(1, () => open));
    await expect(turnstile.run(1, () => open)).rejects.toMatchObject({
      status: 503,
      code: 'service_unavailable',
    });
    resolve();
    await Promise.all(passing);
    await expect(turnstile.run(1, async () => 'in')).resolves.toBe('in');
  });

  it('goes on after work that failed', async () => {
    const turnstile = new Semaphore(1);
    const failing = turnstile.run(1, () => Promise.reject(new Error('no')));
    const next = turnstile.run(1, async () => 'in');
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('in');
  });
});
