import type { SecurityEventName } from '../events.ts';

/** What administrators get an email about. */
export const ALERT_KINDS = [
  'account_locked',
  'sign_in_burst',
  'administrator_sign_in',
  'administrator_added',
  'mass_export',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

const MASS_EXPORT_RECORDS = 1_000;

/** The alert for a single event. Bursts and new devices of administrators need queries. */
export function findAlertKind({
  event,
  details,
}: {
  event: SecurityEventName;
  details: Readonly<Record<string, unknown>>;
}): AlertKind | null {
  if (event === 'account_locked' || event === 'sign_in_burst') return event;
  const role = event === 'user_created' ? details.role : details.to;
  const isNewRole = event === 'user_created' || event === 'role_changed';
  if (isNewRole && role === 'administrator') return 'administrator_added';
  const isMass = Number(details.records ?? 0) >= MASS_EXPORT_RECORDS;
  return event === 'data_exported' && isMass ? 'mass_export' : null;
}

export const BURST_WINDOW_MS = 10 * 60_000;
const BURST_FAILURES = 20;
const BURST_TARGETS = 5;

/** Failed sign-ins of the last ten minutes. */
export interface Failures {
  failures: number;
  accounts: number;
  /** Attempts with unknown logins. */
  unknown: number;
}

/** Guessing across many accounts, which no limit of a single account detects. */
export const isBurst = ({ failures, accounts, unknown }: Failures): boolean =>
  failures >= BURST_FAILURES && accounts + unknown >= BURST_TARGETS;
