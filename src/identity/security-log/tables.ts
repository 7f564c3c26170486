import type { Generated } from 'kysely';
import type { AlertKind } from './alerts/rules.ts';
import type { SecurityEventName } from './events.ts';

export interface SecurityEventTable {
  id: Generated<number>;
  /** The first occurrence. */
  at: number;
  last_at: number;
  event: SecurityEventName;
  /** The affected account, kept after it is deleted. */
  user_id: number | null;
  login: string | null;
  /** Null for the command line and unauthenticated clients. */
  actor_id: number | null;
  actor: string | null;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  address: string | null;
  user_agent: string | null;
  /** JSON */
  details: string;
  count: number;
  /** The part of `count` that hooks, alerts and metrics have received. */
  processed: number;
  /** The key of repetitions: minute, event, account, address and details. Null for events that are not merged. */
  slot: string | null;
  /** The kind of alert, and when it was emailed. */
  alert: AlertKind | null;
  alerted_at: number | null;
  anonymised_at: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    security_events: SecurityEventTable;
  }
}
