import type { Tier } from '../licences/index.ts';
import type { DisputeOutcome } from './disputes.ts';
import type { Interval } from './prices.ts';

/** What one event of the payment service says, in our words and without anybody's name. */
export type Fact =
  | ({
      kind: 'session';
      session: string;
      isPaid: boolean;
      mode: 'live' | 'test';
      /** Identifier of the licence that it renews; undefined where a new one is bought. */
      licence?: string | undefined;
    } & Order)
  | { kind: 'session_failed' }
  | {
      kind: 'invoice_paid';
      /** The end of the latest period that is charged for; null if none is. */
      until: number | null;
      /** The beginning of that period. */
      from?: number | null | undefined;
      /** Whether it charges only for a change within a period that was paid before. */
      isDifference?: boolean | undefined;
      /** What its periods cost, before discounts, and what was paid: in the smallest unit of the currency. */
      charged?: number | undefined;
      paid?: number | undefined;
    }
  | { kind: 'invoice_failed'; invoice: string }
  | {
      kind: 'subscription';
      status: string;
      renews: boolean;
      /** Null if the price list does not name its price. */
      tier: Tier | null;
      price?: string | undefined;
      quantity?: number | undefined;
      /** When its trial ends or has ended; null if it never had one. */
      trialEnd?: number | null | undefined;
      hasPaymentMethod?: boolean | undefined;
      /** Told when it began: of two of one second the earlier one. */
      isNew?: boolean | undefined;
    }
  | { kind: 'subscription_ended' }
  | {
      kind: 'refund';
      isFull: boolean;
      charge?: string | undefined;
      /** Of the charge, and of it what was refunded by then. */
      amount?: number | undefined;
      refunded?: number | undefined;
    }
  | { kind: 'refund_failed'; refund: string; charge?: string | undefined; amount: number }
  | { kind: 'dispute'; dispute: string; outcome: DisputeOutcome }
  | { kind: 'link' };

/** What was ordered. */
interface Order {
  tier: Tier;
  interval: Interval;
  /** How many times the sites of the tier; 1 if not said. */
  quantity?: number | undefined;
}

/** A fact, when it came about, and the payment service's ids of what it is about. */
export interface RecordedFact {
  eventId: string;
  /** Epoch milliseconds, in whole seconds. */
  at: number;
  fact: Fact;
  refs: readonly string[];
}
