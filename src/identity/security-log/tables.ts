import type { Generated } from 'kysely';
import type { AlertKind } from './alerts/rules.ts';
import type { SecurityEventName } from './events.ts';

export interface SecurityEventTable {
  id: Generated<number>;
  /** When it happened first, and last, of what `count` stands for. */
  at: number;
  last_at: number;
  event: SecurityEventName;
  /** The account it is about, also after it is deleted; null where there is none. */
  user_id: number | null;
  login: string | null;
  /** The user who did it; null of the command line, and of strangers. */
  actor_id: number | null;
  actor: string | null;
  /** As limits count: an IPv4 address, or the /64 of an IPv6 one. */
  address: string | null;
  user_agent: string | null;
  /** JSON */
  details: string;
  /** How often it happened. */
  count: number;
  /** How many of these hooks, alerts and metrics have had. */
  processed: number;
  /** What makes repetitions one row: minute, event, account, address and details. Null where nothing is repeated. */
  slot: string | null;
  /** The kind of alert that administrators get for it, and when they got it. */
  alert: AlertKind | null;
  alerted_at: number | null;
  anonymised_at: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    security_events: SecurityEventTable;
  }
}
