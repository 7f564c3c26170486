import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SketchWindow } from './sketch-window.ts';

const START = 1;

describe('A sketch window', () => {
  it('lets the limit through, refuses the next, and says when one passes again', () => {
    const window = new SketchWindow(600);
    const hit = (now: number) => window.hit('203.0.113.7', now);
    for (let n = 0; n < 600; n++) expect(hit(START + n).allowed).toBe(true);
    const { allowed, retryIn } = hit(START + 600);
    expect(allowed).toBe(false);
    expect(retryIn).toBeGreaterThanOrEqual(60_000 - 600);
    expect(retryIn).toBeLessThanOrEqual(70_000);
    expect(hit(START + 600 + retryIn - 1).allowed).toBe(false);
    expect(hit(START + 600 + retryIn).allowed).toBe(true);
  });

  it('never lets more than the limit through in any minute, and always one after the time that it names', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 25_000 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), gaps, (limit, pauses) => {
        const window = new SketchWindow(limit);
        const passed: number[] = [];
        let now = START;
        for (const pause of pauses) {
          now += pause;
          const { allowed, retryIn } = window.hit('client', now);
          if (!allowed) {
            expect(retryIn).toBeGreaterThan(0);
            now += retryIn;
            expect(window.hit('client', now).allowed).toBe(true);
          }
          passed.push(now);
          expect(passed.filter((at) => at > now - 60_000).length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('keeps the counter of a client whatever number of others comes, in memory that does not grow', () => {
    const window = new SketchWindow(60);
    for (let n = 0; n < 60; n++) window.hit('203.0.113.7', START);
    window.hit('first', START);
    const before = measureMemory();
    for (let n = 0; n < 300_000; n++) window.hit(`2001:db8:${n >> 16}:${n & 0xffff}::/64`, START);
    expect(measureMemory() - before).toBeLessThan(1_000_000);
    expect(window.hit('203.0.113.7', START).allowed).toBe(false);
    // 300,000 others share the slots, about five in each: nobody is refused for it.
    expect(window.hit('198.51.100.9', START).allowed).toBe(true);
  });
});

/** Bytes in use, without garbage. */
function measureMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
