import { RestError } from '../../platform/rest/errors.ts';
import type { Scan } from './store.ts';

export const SCAN_STATUSES = [
  'queued',
  'started',
  'completed',
  'cancelled',
  'interrupted',
  'failed',
] as const;

const MESSAGES: Record<Scan['status'], string> = {
  queued: 'The scan has not begun yet. Wait for the server to begin it, or cancel it.',
  started: 'The scan is still running.',
  completed: 'The scan is completed. Start another one.',
  cancelled: 'The scan was cancelled. Resume it, or start another one.',
  interrupted: 'The scan was interrupted. Resume it, or start another one.',
  failed: 'The scan failed. Resume it, or start another one.',
};

/** @throws RestError 409 `scan_STATUS` if the scan is in none of these states */
export function assertStatus({ status }: Scan, allowed: readonly Scan['status'][]): void {
  if (!allowed.includes(status)) throw new RestError(409, `scan_${status}`, MESSAGES[status]);
}
