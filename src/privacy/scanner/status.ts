import { DomainError } from '../../platform/errors.ts';
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
  queued: 'The scan has not started yet. Wait for the server to start it, or cancel it.',
  started: 'The scan is still running.',
  completed: 'The scan is completed. Start a new scan.',
  cancelled: 'The scan was cancelled. Resume it, or start a new scan.',
  interrupted: 'The scan was interrupted. Resume it, or start a new scan.',
  failed: 'The scan failed. Resume it, or start a new scan.',
};

/** @throws DomainError `scan_STATUS` if the scan is in none of these states */
export function assertStatus({ status }: Scan, allowed: readonly Scan['status'][]): void {
  if (!allowed.includes(status))
    throw new DomainError('conflict', `scan_${status}`, MESSAGES[status]);
}
