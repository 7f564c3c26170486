import { DAY_MS, MINUTE_MS } from '../../platform/durations.ts';

const OUTCOMES = {
  sign_in: 'success',
  sign_in_failed: 'failure',
  sign_in_burst: 'failure',
  sign_out: 'success',
  account_locked: 'failure',
  account_unlocked: 'success',
  credential_refused: 'failure',
  user_created: 'success',
  user_deleted: 'success',
  role_changed: 'success',
  email_changed: 'success',
  password_changed: 'success',
  password_reset: 'success',
  password_reset_requested: 'success',
  signed_out_everywhere: 'success',
  sessions_ended: 'success',
  application_password_added: 'success',
  application_password_revoked: 'success',
  second_factor_changed: 'success',
  single_sign_on_unlinked: 'success',
  data_exported: 'success',
  product_changed: 'success',
  plan_changed: 'success',
  branding_changed: 'success',
  release_changed: 'success',
  release_key_changed: 'success',
  webhook_changed: 'success',
  licences_imported: 'success',
  api_token_changed: 'success',
  subject_key_shown: 'success',
  subject_key_rotated: 'success',
  signing_key_rotated: 'success',
} as const;

export type SecurityEventName = keyof typeof OUTCOMES;
export const OUTCOME_NAMES = ['success', 'failure'] as const;
export type Outcome = (typeof OUTCOME_NAMES)[number];

export const SECURITY_EVENTS = Object.keys(OUTCOMES) as SecurityEventName[];

export const getOutcome = (event: SecurityEventName): Outcome => OUTCOMES[event];

export interface EventUser {
  id: number;
  login: string;
}

export interface SecurityEvent {
  event: SecurityEventName;
  /** The affected account. Unknown logins are not recorded: people type passwords into that field. */
  user?: EventUser | null;
  /** Instead of `user`: a login or email address, which is kept only if it belongs to a user. */
  userKey?: string;
  /** A login, or the command line. */
  actor?: string | null;
  /** Default: that of the current request. */
  address?: string | null;
  userAgent?: string | null;
  details?: Readonly<Record<string, unknown>>;
}

const USER_AGENT_MAX_LENGTH = 200;

export interface EventRow {
  at: number;
  last_at: number;
  event: SecurityEventName;
  user_id: number | null;
  login: string | null;
  actor: string | null;
  address: string | null;
  user_agent: string | null;
  details: string;
  count: number;
  slot: string | null;
}

export function toEventRow(
  { event, user, actor, address, userAgent, details = {} }: SecurityEvent,
  at: number,
): EventRow {
  return {
    at,
    last_at: at,
    event,
    user_id: user?.id ?? null,
    login: user?.login ?? null,
    actor: actor ?? null,
    address: address && address !== 'unknown' ? address : null,
    user_agent: userAgent ? userAgent.replace(/\p{C}/gu, '').slice(0, USER_AGENT_MAX_LENGTH) : null,
    details: JSON.stringify(details),
    count: 1,
    slot: null,
  };
}

/** Events with the same minute, event, account, address and details are one row. */
export const toAggregationKey = ({ at, event, user_id, address, details }: EventRow): string =>
  JSON.stringify([Math.floor(at / MINUTE_MS), event, user_id, address, details]);

/** Sets the slots and merges rows with the same slot. */
export function mergeRows(rows: readonly EventRow[]): EventRow[] {
  const merged = new Map<string, EventRow>();
  for (const row of rows) {
    const slot = toAggregationKey(row);
    const known = merged.get(slot);
    merged.set(slot, {
      ...(known ?? row),
      slot,
      last_at: Math.max(known?.last_at ?? 0, row.last_at),
      count: (known?.count ?? 0) + row.count,
    });
  }
  return [...merged.values()];
}

const ROWS_A_MINUTE = 200;
const ROWS_A_DAY = 10_000;

/**
 * Limits the rows with an address. Beyond it, events are counted per account without the address, so that an attack
 * cannot fill the disk and the count of each account stays right.
 */
export class RowBudget {
  #minute = 0;
  #day = 0;
  #ofMinute = new Set<string>();
  #ofDay = 0;

  apply(rows: readonly EventRow[]): EventRow[] {
    return mergeRows(rows.map((row) => (this.#has(row) ? row : withoutAddress(row))));
  }

  #has(row: EventRow): boolean {
    if (row.address === null) return true;
    const minute = Math.floor(row.at / MINUTE_MS);
    const day = Math.floor(row.at / DAY_MS);
    if (minute > this.#minute) [this.#minute, this.#ofMinute] = [minute, new Set()];
    if (day > this.#day) [this.#day, this.#ofDay] = [day, 0];
    const slot = toAggregationKey(row);
    if (this.#ofMinute.has(slot)) return true;
    if (this.#ofMinute.size >= ROWS_A_MINUTE || this.#ofDay >= ROWS_A_DAY) return false;
    this.#ofMinute.add(slot);
    this.#ofDay++;
    return true;
  }
}

/** Represents attempts from several addresses. */
export const withoutAddress = (row: EventRow): EventRow => ({
  ...row,
  address: null,
  user_agent: null,
  details: JSON.stringify({ ...JSON.parse(row.details), merged: true }),
});
