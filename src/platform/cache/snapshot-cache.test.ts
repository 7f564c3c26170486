import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/test-app.ts';
import { SnapshotCache } from './snapshot-cache.ts';

interface Snapshot {
  version: number;
}

/** A cache over a source whose reads end when the test says so. */
function setUp({ max = 100 } = {}) {
  const clock = new TestClock();
  const reads: { key: string; answer: (value?: Snapshot) => void; fail: () => void }[] = [];
  const read = (key: string) =>
    new Promise<Snapshot | undefined>((resolve, reject) => {
      reads.push({ key, answer: resolve, fail: () => reject(new Error('source is away')) });
    });
  const cache = new SnapshotCache<Snapshot>(read, {
    found: { max, ttl: 300_000 },
    missing: { max, ttl: 30_000 },
    clock,
  });
  return { cache, reads, clock };
}

describe('The snapshot cache', () => {
  it('reads once for many who ask at once, and not at all for those who ask later', async () => {
    const { cache, reads } = setUp();
    const asked = [cache.get('a'), cache.get('a'), cache.get('a')];
    reads[0]?.answer({ version: 1 });
    expect(await Promise.all(asked)).toEqual(Array(3).fill({ version: 1 }));
    expect(await cache.get('a')).toEqual({ version: 1 });
    expect(reads).toHaveLength(1);
  });

  it('does not keep what a read found that began before a change', async () => {
    const { cache, reads } = setUp();
    const early = cache.get('a');
    cache.drop('a');
    const late = cache.get('a');
    reads[1]?.answer({ version: 2 });
    expect(await late).toEqual({ version: 2 });
    reads[0]?.answer({ version: 1 });
    expect(await early).toEqual({ version: 1 });
    expect(cache.peek('a')).toEqual({ version: 2 });
  });

  it('does not keep it either when everything was cleared meanwhile', async () => {
    const { cache, reads } = setUp();
    const early = cache.get('a');
    cache.clear();
    reads[0]?.answer({ version: 1 });
    await early;
    expect(cache.peek('a')).toBeUndefined();
  });

  it('forgets a value after its time also when the clock is set back meanwhile', async () => {
    const { cache, reads, clock } = setUp();
    const found = cache.get('a');
    reads[0]?.answer({ version: 1 });
    await found;
    clock.set('2020-01-01T00:00:00.000Z');
    clock.advance(300_001);
    expect(cache.peek('a')).toBeUndefined();
  });

  it('forgets a value after its time, and that a key has none after a shorter one', async () => {
    const { cache, reads, clock } = setUp();
    const found = cache.get('a');
    reads[0]?.answer({ version: 1 });
    await found;
    const missing = cache.get('b');
    reads[1]?.answer(undefined);
    await missing;
    expect(cache.peek('b')).toBeNull();
    clock.advance(30_001);
    expect(cache.peek('b')).toBeUndefined();
    expect(cache.peek('a')).toEqual({ version: 1 });
    clock.advance(270_000);
    expect(cache.peek('a')).toBeUndefined();
  });

  it('lets a failed read fail for who asked, and reads anew for the next', async () => {
    const { cache, reads } = setUp();
    const asked = cache.get('a');
    reads[0]?.fail();
    await expect(asked).rejects.toThrow('source is away');
    const again = cache.get('a');
    reads[1]?.answer({ version: 1 });
    expect(await again).toEqual({ version: 1 });
  });

  it('holds no more than its size, and made-up keys push out no real ones', async () => {
    const { cache, reads } = setUp({ max: 10 });
    const real = cache.get('real');
    reads[0]?.answer({ version: 1 });
    await real;
    for (let n = 0; n < 100; n++) {
      const asked = cache.get(`made up ${n}`);
      reads.at(-1)?.answer(undefined);
      await asked;
    }
    expect(cache.peek('real')).toEqual({ version: 1 });
    expect(cache.peek('made up 0')).toBeUndefined();
  });
});
