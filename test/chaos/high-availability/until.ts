import { setTimeout as wait } from 'node:timers/promises';

const STEP_MS = 250;

/**
 * Waits until `find` returns something.
 * @throws Error that names what was missing after the timeout
 */
export async function until<T>(
  what: string,
  find: () => Promise<T | undefined>,
  timeoutMs: number,
): Promise<T> {
  // A machine that pauses this process uses up one step only.
  for (let step = 0; step * STEP_MS < timeoutMs; step++) {
    const found = await find();
    if (found !== undefined) return found;
    await wait(STEP_MS);
  }
  throw new Error(`waited in vain for ${what}`);
}
