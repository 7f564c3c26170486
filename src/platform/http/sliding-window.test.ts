import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../durations.ts';
import { SlidingWindow } from './sliding-window.ts';

describe('The sliding window', () => {
  it('never lets more than the limit through in any stretch as long as the window', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), gaps, (limit, steps) => {
        const window = new SlidingWindow(limit, MINUTE_MS);
        const passed: number[] = [];
        let now = 1_000_000;
        for (const step of steps) {
          now += step;
          if (window.hit('client', now).allowed) passed.push(now);
          const recent = passed.filter((at) => at > now - MINUTE_MS);
          expect(recent.length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('tells the truth about when the next one passes, and how many may still come', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), gaps, (limit, steps) => {
        const replay = () => {
          const window = new SlidingWindow(limit, MINUTE_MS);
          let now = 1_000_000;
          let quota = window.hit('client', now);
          for (const step of steps) {
            now += step;
            quota = window.hit('client', now);
          }
          return { window, now, quota };
        };
        const { quota, now } = replay();
        expect(quota.resetIn).toBeGreaterThan(0);
        if (!quota.allowed) {
          expect(replay().window.hit('client', now + quota.resetIn - 1).allowed).toBe(false);
          expect(replay().window.hit('client', now + quota.resetIn).allowed).toBe(true);
        }
        const { window } = replay();
        for (let n = 0; n < quota.remaining; n++)
          expect(window.hit('client', now).allowed).toBe(true);
        expect(window.hit('client', now).allowed).toBe(false);
      }),
    );
  });

  it('makes room for one more when a hit is taken back, and forgets nothing that was not there', () => {
    const window = new SlidingWindow(2, MINUTE_MS);
    window.takeBack('client');
    window.hit('client', 0);
    window.hit('client', 1);
    window.takeBack('client');
    expect(window.hit('client', 2).allowed).toBe(true);
    expect(window.hit('client', 3)).toMatchObject({ allowed: false, resetIn: MINUTE_MS - 3 });
  });

  it('tells the truth too where more were let in elsewhere than the limit', () => {
    const window = new SlidingWindow(2, MINUTE_MS);
    for (const at of [0, 10, 20, 30]) window.add('client', at);
    const { allowed, remaining, resetIn } = window.hit('client', 40);
    expect([allowed, remaining]).toEqual([false, 0]);
    expect(window.hit('client', 40 + resetIn - 1).allowed).toBe(false);
    expect(window.hit('client', 40 + resetIn).allowed).toBe(true);
  });

  it('keeps no hits of other nodes that have left the window', () => {
    const window = new SlidingWindow(60, MINUTE_MS);
    const before = process.threadCpuUsage();
    // A day of a client whose requests all go to another node.
    for (let second = 0; second < 100_000; second++) window.add('client', second * 1_000);
    // Keeping them takes several seconds, because each hit looks at all before it.
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
    expect(window.hit('client', 100_000_000).remaining).toBe(0);
  });

  it('counts each client for itself', () => {
    const window = new SlidingWindow(1, MINUTE_MS);
    expect(window.hit('a', 1_000).allowed).toBe(true);
    expect(window.hit('a', 1_000).allowed).toBe(false);
    expect(window.hit('b', 1_000).allowed).toBe(true);
  });

  it('remembers the latest of many clients, and those that come again', () => {
    const window = new SlidingWindow(1, MINUTE_MS);
    for (let n = 0; n < 60_000; n++) {
      window.hit(`client ${n}`, n);
      if (n % 10_000 === 0) expect(window.hit('regular', n).allowed).toBe(n === 0);
    }
    expect(window.hit('client 59999', 60_000).allowed).toBe(false);
    expect(window.hit('client 40000', 60_000).allowed).toBe(false);
    expect(window.hit('client 1', 60_000).allowed).toBe(true);
  });
});
