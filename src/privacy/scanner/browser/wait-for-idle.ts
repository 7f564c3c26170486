import { type FrameIdleState, readIdleState } from './frame-scripts.ts';
import { evaluateInFrames } from './frames.ts';
import type { PendingWork } from './page-clock.ts';
import type { Recorder } from './recorder.ts';
import type { Tab } from './tab.ts';
import { ANSWER_MS, pause, withTimeout } from './timeouts.ts';

const CAP_MS = 3_000;
const POLL_MS = 5;
/** For work that is not observable: databases, decoders, other threads. */
const LINGER_MS = 100;
/** On slow pages, this many times the response time of the page. */
const LINGER_ROUNDS = 4;
/** The same for pages with open connections, animations or media. */
const LIVELY_LINGER_MS = 300;
const LIVELY_STAY_MS = 1_700;
/** Timers are fast-forwarded by up to this time. */
const AHEAD_MS = 10_000;
/** Limit for repeating timers and navigation. */
const AHEAD_ROUND_MS = 1_700;
/** Timers this close together run in one step. */
const TOGETHER_MS = 250;

/**
 * Waits until the page is idle: no pending request or task, and all timers of the next 10 seconds have run
 * (fast-forwarded). With work that cannot be fast-forwarded (slow response, open socket, video, scripted animation) it
 * waits 300 ms, and on the last call until 1.7 s after load. Maximum 3 s.
 * @param options.lingers whether to wait for work that is not observable
 * @param options.loadedAt when the page was loaded, as `performance.now()` gives it, on the last call
 * @returns whether more may load
 */
export async function waitForIdle(
  tab: Tab,
  recorder: Recorder,
  { lingers = true, loadedAt = 0 }: { lingers?: boolean; loadedAt?: number } = {},
): Promise<boolean> {
  const { inFlight } = recorder;
  const end = performance.now() + CAP_MS;
  let stillSince = performance.now();
  let ahead = 0;
  let step = 0;
  let slowest = 0;
  for (;;) {
    while (!inFlight.isQuiet(performance.now()) && performance.now() < end) await pause(POLL_MS);
    const asked = recorder.requestCount + tab.workers().length;
    const began = performance.now();
    tab.requests.navigationBlocked = ahead + step > AHEAD_ROUND_MS;
    const rests = await readIdleStates(tab, step);
    ahead += step;
    step = 0;
    const now = performance.now();
    if (now >= end) return true;
    slowest = Math.max(slowest, now - began);
    if (recorder.requestCount + tab.workers().length !== asked || !inFlight.isQuiet(now)) {
      stillSince = now;
      continue;
    }
    if (!inFlight.hasUnanswered) step = nextStep(rests, ahead);
    if (step > 0) continue;
    const isActive =
      inFlight.hasUnanswered ||
      inFlight.hasOpenConnections ||
      rests.some(({ drawing, playing }) => drawing || playing);
    if (!lingers) return isActive;
    const until = isActive
      ? Math.max(stillSince + LIVELY_LINGER_MS, loadedAt && loadedAt + LIVELY_STAY_MS)
      : stillSince + Math.max(LINGER_MS, LINGER_ROUNDS * slowest);
    if (now >= until) return isActive;
    await pause(Math.min(until, end) - now);
  }
}

/** Next fast-forward step in milliseconds. */
function nextStep(rests: PendingWork[], ahead: number): number {
  const soonest = (of: 'next' | 'nextNew') =>
    Math.min(...rests.map((each) => each[of] ?? Number.POSITIVE_INFINITY));
  const next = soonest('next');
  if (ahead + next <= AHEAD_ROUND_MS) return Math.ceil(next) + TOGETHER_MS;
  const nextNew = soonest('nextNew');
  return ahead + nextNew <= AHEAD_MS ? Math.ceil(nextNew) + TOGETHER_MS : 0;
}

async function readIdleStates(
  tab: Tab,
  step: number,
): Promise<(PendingWork & { playing?: boolean })[]> {
  const inWorkers = tab.workers().map((worker) =>
    withTimeout(
      worker.send('Runtime.evaluate', {
        expression: `globalThis['${tab.secret}']?.(${step})`,
        awaitPromise: true,
        returnByValue: true,
      }),
      ANSWER_MS,
    ),
  );
  const inFrames = await evaluateInFrames<FrameIdleState>(tab, readIdleState(step), ANSWER_MS);
  const workers = await Promise.all(inWorkers);
  return [
    ...inFrames.map(({ value }) => value),
    // A worker that does not answer counts as busy.
    ...workers.map((answer): PendingWork => answer?.result.value ?? { drawing: !answer }),
  ];
}
