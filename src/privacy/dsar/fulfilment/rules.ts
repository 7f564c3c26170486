import { MINUTE_MS } from '../../../platform/durations.ts';

/** Delays before the automatic retries of a task. */
export const RETRY_MS = [1, 5, 30, 120, 720].map((minutes) => minutes * MINUTE_MS);
/** Of a running task; renewed with each page. */
export const LEASE_MS = 5 * MINUTE_MS;
