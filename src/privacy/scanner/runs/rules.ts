import { CLOCKS_DIFFER_MS } from '../../../platform/clock.ts';
import type { Scan } from '../store.ts';

/** A scan during which servers crashed this often is not taken over again. */
export const TAKEOVERS_MAX = 3;

/** Renewed while the scan runs. */
export const LEASE_MS = 60_000;

/** A scan that is not over, and the process that runs it. */
export interface ScanLease
  extends Pick<Scan, 'id' | 'siteUrl' | 'runner' | 'status' | 'startedBy' | 'startedAt'> {
  /** Null if no process runs it, or the last one released it. */
  holder: string | null;
  leasedUntil: number;
  /** How often a process took it over from one that had ended. */
  takeovers: number;
}

/**
 * Returns the scan that a server runs next and the scans that were abandoned. Each site has one scan at a time, proof
 * scans first, then the oldest. Scans that clients run are ignored.
 * @param scans those that are queued or started, oldest first
 */
export function planRuns(
  scans: readonly ScanLease[],
  now: number,
): { next: ScanLease | undefined; interrupted: ScanLease[] } {
  // A lease that ends later was made before the clock was set back.
  const latest = now + LEASE_MS + CLOCKS_DIFFER_MS;
  const isHeld = ({ status, leasedUntil }: ScanLease) =>
    status === 'started' && leasedUntil > now && leasedUntil <= latest;
  const busySites = new Set(scans.filter(isHeld).map(({ siteUrl }) => siteUrl));
  const interrupted = scans.filter(
    (scan) =>
      scan.status === 'started' &&
      !isHeld(scan) &&
      (scan.runner === 'command' || (scan.runner === 'server' && scan.takeovers >= TAKEOVERS_MAX)),
  );
  const runnable = scans.filter(
    (scan) =>
      scan.runner === 'server' &&
      !isHeld(scan) &&
      !busySites.has(scan.siteUrl) &&
      !interrupted.includes(scan),
  );
  const next = runnable.find(({ startedBy }) => startedBy === 'proof') ?? runnable[0];
  return { next, interrupted };
}
