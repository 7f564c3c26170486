import type { Generated } from 'kysely';
import type { Interval } from '../products/index.ts';

export interface CheckoutOrderTable {
  id: Generated<number>;
  /** `ord_…`; Stripe's `client_reference_id`. */
  public_id: string;
  /** Null without an `Idempotency-Key`. */
  idempotency_hash: string | null;
  request_hash: string;
  provider: 'stripe' | 'test';
  product_id: Generated<number>;
  tier: string;
  billing_interval: Interval;
  /** Number of packages. */
  quantity: number;
  /** Identifier of the licence to renew; null for a new licence. */
  licence: string | null;
  /** Null until the session exists. */
  session_id: string | null;
  url: string | null;
  /** These three are set only in the test checkout; otherwise Stripe stores them. */
  email: string | null;
  success_url: string | null;
  cancel_url: string | null;
  created_at: number;
  expires_at: number;
}

/** An event of the payment service. */
interface PaymentEventTable {
  id: Generated<number>;
  event_id: string;
  at: number;
  /** JSON of a `Fact`. */
  fact: string;
  /** Null while unknown; events that never get one are not about licences. */
  purchase_id: number | null;
}

/** The payment service's identifiers of the objects of an event. Events that share one belong to one purchase. */
interface PaymentRefTable {
  id: Generated<number>;
  payment_event_id: number;
  ref: string;
}

/** A paid session and the state that its payments give the licence. A licence follows its latest purchase. */
export interface PurchaseTable {
  id: Generated<number>;
  session_id: string;
  licence_id: number;
  tier: string;
  quantity: Generated<number>;
  expires_at: number;
  grace_days: number;
  is_suspended: 0 | 1;
  is_revoked: 0 | 1;
  renews: 0 | 1;
  /** The price of its subscription, if it is not in the price list. */
  unknown_price: string | null;
  /** JSON of `Replaced` for a renewal; null for a new licence. */
  replaced: string | null;
  /** Whether it is a renewal of a licence that could not be renewed. The licence never follows it. */
  is_refused: Generated<0 | 1>;
  /** Whether the payment service has a customer for it, whose invoices its portal shows. */
  has_customer: Generated<0 | 1>;
  /** Sites of each package. Null for purchases of earlier releases. */
  package_sites: number | null;
  /** The buyer. A transfer of the licence does not change it. */
  customer_id: number | null;
  bought_at: number | null;
  /** End of the calendar year of its last payment, when the statutory retention period begins. */
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
