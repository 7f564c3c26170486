import { withTimeout as limitTime } from '../../../platform/hooks/timeout.ts';

/** How long a page may take to answer. */
export const ANSWER_MS = 1_200;

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Undefined when it fails or takes longer. */
export const withTimeout = <T>(step: Promise<T>, ms: number): Promise<T | undefined> =>
  limitTime(ms, () => step).catch(() => undefined);
