import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { toIsoMoment } from '../clock.ts';
import { HOUR_MS } from '../durations.ts';
import { Job } from './job.ts';

describe.each(ENGINES)('A job on %s', (engine) => {
  const app = useTestApp(engine);
  let made = 0;
  const jobs: Job[] = [];
  afterEach(() => Promise.all(jobs.splice(0).map((job) => job.stop())));

  /** The job on several nodes, which do the same work. */
  function nodes(count: number, work: (signal: AbortSignal) => Promise<void>): Job[] {
    const name = `job-${++made}`;
    const fresh = Array.from(
      { length: count },
      () => new Job(app.platform, { name, next: (now) => now + HOUR_MS, work }),
    );
    jobs.push(...fresh);
    return fresh;
  }

  it('is done when it is due, and then not until it is due again', async () => {
    let done = 0;
    const [job] = nodes(1, async () => {
      done++;
    });
    const outcomes = [];
    for (const minutes of [0, 59, 1, 0, 60]) {
      app.clock.advance(minutes * 60_000);
      outcomes.push(await job?.runIfDue());
    }
    expect(outcomes).toEqual([false, false, true, false, true]);
    expect(done).toBe(2);
  });

  it('is done at once after it is made due, on whichever node', async () => {
    let done = 0;
    const [job, other] = nodes(2, async () => {
      done++;
    });
    await job?.makeDue();
    expect(await other?.runIfDue()).toBe(true);
    expect(await other?.runIfDue()).toBe(false);
    await job?.makeDue();
    await job?.makeDue();
    expect([await other?.runIfDue(), await job?.runIfDue()]).toEqual([true, false]);
    expect(done).toBe(2);
  });

  it('is done again if it is made due while it runs', async () => {
    let began = 0;
    const going = Promise.withResolvers<void>();
    const [job, other] = nodes(2, async () => {
      if (++began === 1) await going.promise;
    });
    await job?.makeDue();
    const running = job?.runIfDue();
    await expect.poll(() => began).toBe(1);
    await other?.makeDue();
    expect(await other?.runIfDue()).toBe(false);
    going.resolve();
    expect(await running).toBe(true);
    app.clock.advance(1);
    expect([await other?.runIfDue(), await job?.runIfDue()]).toEqual([true, false]);
    expect(began).toBe(2);
  });

  it('is done again if a node whose clock is behind makes it due while it runs', async () => {
    let began = 0;
    const going = Promise.withResolvers<void>();
    const work = async () => {
      if (++began === 1) await going.promise;
    };
    const [job] = nodes(1, work);
    const clock = { ...app.clock, now: () => app.clock.now() - 60_000 };
    const options = { name: `job-${made}`, next: (now: number) => now + HOUR_MS, work };
    const behind = new Job({ ...app.platform, clock }, options);
    await job?.makeDue();
    const running = job?.runIfDue();
    await expect.poll(() => began).toBe(1);
    await behind.makeDue();
    going.resolve();
    expect(await running).toBe(true);
    app.clock.advance(1);
    expect(await job?.runIfDue()).toBe(true);
    expect(began).toBe(2);
  });

  it('is done by one node of many', async () => {
    let done = 0;
    const all = nodes(8, async () => {
      done++;
    });
    await all[0]?.runIfDue();
    app.clock.advance(HOUR_MS);
    const outcomes = await Promise.all(all.map((job) => job.runIfDue()));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(done).toBe(1);
  });

  it('is done after its usual time if the clock is set back', async () => {
    let done = 0;
    const [job] = nodes(1, async () => {
      done++;
    });
    await job?.makeDue();
    expect(await job?.runIfDue()).toBe(true);
    app.clock.set(toIsoMoment(app.clock.now() - 6 * HOUR_MS));
    const outcomes = [];
    for (const minutes of [1, 59, 1, 59, 1]) {
      outcomes.push(await job?.runIfDue());
      app.clock.advance(minutes * 60_000);
    }
    expect(outcomes).toEqual([false, false, true, false, true]);
    expect(done).toBe(3);
  });

  it('that never ran is done after its usual time if the clock is set back', async () => {
    const [job] = nodes(1, async () => {});
    expect(await job?.runIfDue()).toBe(false);
    app.clock.set(toIsoMoment(app.clock.now() - 240 * HOUR_MS));
    const outcomes = [];
    for (const minutes of [0, 59, 1, 0]) {
      app.clock.advance(minutes * 60_000);
      outcomes.push(await job?.runIfDue());
    }
    expect(outcomes).toEqual([false, false, true, false]);
  });

  it('is taken over from a node that died in the middle', async () => {
    const began: string[] = [];
    const [dead, other] = nodes(2, async () => {
      began.push('once');
      if (began.length === 1) await new Promise(() => {});
    });
    await dead?.runIfDue();
    app.clock.advance(HOUR_MS);
    void dead?.runIfDue();
    await expect.poll(() => began.length).toBe(1);
    expect(await other?.runIfDue()).toBe(false);
    app.clock.advance(119_000);
    expect(await other?.runIfDue()).toBe(false);
    app.clock.advance(1_000);
    expect(await other?.runIfDue()).toBe(true);
    expect(began).toHaveLength(2);
  });

  it('is taken over from a node that died before the clock was set back', async () => {
    let began = 0;
    const [dead, other] = nodes(2, async () => {
      if (++began === 1) await new Promise(() => {});
    });
    await dead?.makeDue();
    void dead?.runIfDue();
    await expect.poll(() => began).toBe(1);
    app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
    await other?.makeDue();
    expect(await other?.runIfDue()).toBe(true);
  });

  it('that fails is reported and tried again a quarter of an hour later', async () => {
    let tries = 0;
    const [job] = nodes(1, async () => {
      if (++tries === 1) throw new Error('no such luck');
    });
    await job?.runIfDue();
    app.clock.advance(HOUR_MS);
    expect(await job?.runIfDue()).toBe(false);
    expect(app.logged()).toContain('no such luck');
    expect(await job?.runIfDue()).toBe(false);
    app.clock.advance(HOUR_MS / 4);
    expect(await job?.runIfDue()).toBe(true);
    expect(tries).toBe(2);
  });

  it('that is stopped leaves its work to another node at once', async () => {
    let stopped = 0;
    const working = Promise.withResolvers<void>();
    const [stopping, other] = nodes(2, async (signal) => {
      if (stopped > 0) return;
      working.resolve();
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped++;
          reject(signal.reason);
        });
      });
    });
    await stopping?.runIfDue();
    app.clock.advance(HOUR_MS);
    const running = stopping?.runIfDue();
    await working.promise;
    await stopping?.stop();
    expect(await running).toBe(false);
    expect(await other?.runIfDue()).toBe(true);
  });
});
