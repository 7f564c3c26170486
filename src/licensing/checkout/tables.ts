import type { Generated } from 'kysely';
import type { Tier } from '../licences/index.ts';
import type { Interval } from './prices.ts';

/** A purchase that somebody has begun. */
export interface CheckoutOrderTable {
  id: Generated<number>;
  /** What we call it towards the payment service: `ord_…`. */
  public_id: string;
  /** Of the `Idempotency-Key`; null without one. */
  idempotency_hash: string | null;
  request_hash: string;
  provider: 'stripe' | 'test';
  tier: Tier;
  billing_interval: Interval;
  /** How many times the sites of the tier. */
  quantity: number;
  /** Identifier of the licence that is renewed; null where a new one is bought. */
  licence: string | null;
  /** Null until the payment service has answered. */
  session_id: string | null;
  url: string | null;
  /** These three are known to the payment service, and kept for the test checkout only. */
  email: string | null;
  success_url: string | null;
  cancel_url: string | null;
  created_at: number;
  expires_at: number;
}

/** What the payment service has told, once for each of its events. */
interface PaymentEventTable {
  id: Generated<number>;
  event_id: string;
  /** When it happened there. */
  at: number;
  /** JSON of a `Fact`. */
  fact: string;
  /** Whose licence it bears on, once that is known; what never is known is not ours. */
  purchase_id: number | null;
}

/** The payment service's ids of what an event is about: events that share one are of one purchase. */
interface PaymentRefTable {
  id: Generated<number>;
  payment_event_id: number;
  ref: string;
}

/**
 * The licence that was paid for in a session, and what payments have made of it. A licence follows its
 * latest purchase; what comes of earlier ones is only recorded.
 */
export interface PurchaseTable {
  id: Generated<number>;
  session_id: string;
  licence_id: number;
  tier: Tier;
  quantity: Generated<number>;
  expires_at: number;
  grace_days: number;
  is_suspended: 0 | 1;
  is_revoked: 0 | 1;
  renews: 0 | 1;
  /** The price of its subscription, if the price list does not name it. */
  unknown_price: string | null;
  /** JSON of `Replaced`, where it renewed a licence; null where a new one was issued. */
  replaced: string | null;
  /** Who bought it: a transfer of the licence does not change it. */
  customer_id: number | null;
  bought_at: number | null;
  /** The end of the calendar year of its last payment, from which statutory periods count. */
  year_ends_at: number | null;
  anonymised_at: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    checkout_orders: CheckoutOrderTable;
    payment_events: PaymentEventTable;
    payment_refs: PaymentRefTable;
    purchases: PurchaseTable;
  }
}
