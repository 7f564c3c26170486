import { withTimeout as limitTime } from '../../../platform/hooks/timeout.ts';

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Undefined when it fails or takes longer. */
export const withTimeout = <T>(step: Promise<T>, ms: number): Promise<T | undefined> =>
  limitTime(ms, () => step).catch(() => undefined);
