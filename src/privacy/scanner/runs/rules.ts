import type { Scan } from '../store.ts';

/** A server that stopped this often during one scan, without ending it in good order, will do so again. */
export const TAKEOVERS_MAX = 3;

/** A scan that is not over, and the process that is at it. */
export interface ScanLease extends Pick<Scan, 'id' | 'siteUrl' | 'runner' | 'status'> {
  /** Null when no process has it, or the last one gave it back in good order. */
  holder: string | null;
  leasedUntil: number;
  /** How often a process took it over from one that had ended. */
  takeovers: number;
}

/**
 * Which scan a server is to run next, and which ones nobody will: one scan at a time for each site,
 * the oldest first.
 * @param scans those that are queued or started, oldest first; clients' own are left alone
 */
export function planRuns(
  scans: readonly ScanLease[],
  now: number,
): { next: ScanLease | undefined; interrupted: ScanLease[] } {
  const isHeld = ({ status, leasedUntil }: ScanLease) => status === 'started' && leasedUntil > now;
  const busySites = new Set(scans.filter(isHeld).map(({ siteUrl }) => siteUrl));
  const interrupted = scans.filter(
    (scan) =>
      scan.status === 'started' &&
      !isHeld(scan) &&
      (scan.runner === 'command' || (scan.runner === 'server' && scan.takeovers >= TAKEOVERS_MAX)),
  );
  const next = scans.find(
    (scan) =>
      scan.runner === 'server' &&
      !isHeld(scan) &&
      !busySites.has(scan.siteUrl) &&
      !interrupted.includes(scan),
  );
  return { next, interrupted };
}
