import { evaluateInFrames } from './frames.ts';
import type { PendingWork } from './page-clock.ts';
import { type FrameIdleState, readIdleState } from './page-scripts.ts';
import type { Recorder } from './recorder.ts';
import type { Tab } from './tab.ts';
import { pause, withTimeout } from './timeouts.ts';

const CAP_MS = 3_000;
const POLL_MS = 5;
/** For what no clock, no request and no task of the page tells of: databases, decoders, other threads. */
const LINGER_MS = 100;
/** Or so many times as long as the page takes to say that it has nothing to do, where it is slow. */
const LINGER_ROUNDS = 4;
/** The same where something can come without being asked for. */
const LIVELY_LINGER_MS = 300;
const LIVELY_STAY_MS = 1_700;
/** So far ahead are timers brought forward. */
const AHEAD_MS = 10_000;
/** Those that go round and round, and those that lead elsewhere, not as far. */
const AHEAD_ROUND_MS = 1_700;
/** Timers so close together come together: what the first one asks for is awaited before later ones. */
const TOGETHER_MS = 250;
const ANSWER_MS = 1_200;

/**
 * Until nothing more can come of itself: no request is under way, no task waits, and every timer of
 * the next ten seconds has come, which they need not be waited for. Where something is under way that
 * cannot be brought forward (an answer that takes long, an open socket, a film, an animation by
 * script), 300 ms; and at the end 1.7 s since the page was loaded. At most 3 s.
 * @param options.lingers whether to wait for what nobody tells of
 * @param options.loadedAt epoch milliseconds, where this is the end
 * @returns whether more may come
 */
export async function waitForIdle(
  tab: Tab,
  recorder: Recorder,
  { lingers = true, loadedAt = 0 }: { lingers?: boolean; loadedAt?: number } = {},
): Promise<boolean> {
  const { inFlight } = recorder;
  const end = Date.now() + CAP_MS;
  let stillSince = Date.now();
  let ahead = 0;
  let step = 0;
  let slowest = 0;
  for (;;) {
    while (!inFlight.isQuiet(Date.now()) && Date.now() < end) await pause(POLL_MS);
    const asked = recorder.requestCount + tab.workers().length;
    const began = Date.now();
    tab.navigationBlocked = ahead + step > AHEAD_ROUND_MS;
    const rests = await readIdleStates(tab, step);
    ahead += step;
    step = 0;
    const now = Date.now();
    if (now >= end) return true;
    slowest = Math.max(slowest, now - began);
    if (recorder.requestCount + tab.workers().length !== asked || !inFlight.isQuiet(now)) {
      stillSince = now;
      continue;
    }
    if (!inFlight.hasUnanswered) step = nextStep(rests, ahead);
    if (step > 0) continue;
    const lively =
      inFlight.hasUnanswered ||
      inFlight.hasOpenConnections ||
      rests.some(({ drawing, playing }) => drawing || playing);
    if (!lingers) return lively;
    const until = lively
      ? Math.max(stillSince + LIVELY_LINGER_MS, loadedAt && loadedAt + LIVELY_STAY_MS)
      : stillSince + Math.max(LINGER_MS, LINGER_ROUNDS * slowest);
    if (now >= until) return lively;
    await pause(Math.min(until, end) - now);
  }
}

/** How far to bring timers forward next, in milliseconds. */
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
    // One that does not say is taken to be at work.
    ...workers.map((answer): PendingWork => answer?.result.value ?? { drawing: !answer }),
  ];
}
