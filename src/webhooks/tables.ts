import type { Generated } from 'kysely';
import type { DeliveryStatus } from './deliveries/rules.ts';
import type { InactiveReason } from './endpoints/rules.ts';

export interface WebhookEndpointTable {
  id: Generated<number>;
  url: string;
  description: string;
  /** JSON: names of event types. */
  event_types: string;
  /** Encrypted; see `sealSecret`. */
  secret: string;
  /** Signs as well until `previous_secret_until`. */
  previous_secret: string | null;
  previous_secret_until: number | null;
  is_active: 0 | 1;
  inactive_reason: InactiveReason | null;
  /** The first failed attempt since the last success. */
  failing_since: number | null;
  created_at: number;
  updated_at: number;
}

/** An event that at least one endpoint receives. */
interface WebhookEventTable {
  id: Generated<number>;
  /** `msg_…`, the same for every endpoint and attempt. */
  message_id: string;
  type: string;
  /** The body of the request. */
  payload: string;
  /** The address of the person that the event is about, for erasure. */
  email: string | null;
  visitor_id: string | null;
  created_at: number;
  anonymised_at: Generated<number | null>;
}

export interface WebhookDeliveryTable {
  id: Generated<number>;
  event_id: number;
  endpoint_id: number;
  status: DeliveryStatus;
  /** Since it was queued, or last sent again by hand. */
  attempts: number;
  /** When it is tried next; while it is being sent, when the lease ends; null when it is delivered or has failed. */
  due_at: number | null;
  last_attempt_at: number | null;
  /** HTTP status of the last response. */
  last_status: number | null;
  last_error: string | null;
  /** The beginning of the last response. */
  last_response: string | null;
  delivered_at: number | null;
  created_at: number;
}

/** Keys of events that are queued once. */
interface WebhookOnceKeyTable {
  key: string;
  expires_at: number;
}

declare module '../platform/db/database.ts' {
  interface Database {
    webhook_endpoints: WebhookEndpointTable;
    webhook_events: WebhookEventTable;
    webhook_deliveries: WebhookDeliveryTable;
    webhook_once_keys: WebhookOnceKeyTable;
  }
}
