import type { Interval } from '../products/index.ts';
import type { DisputeOutcome } from './disputes.ts';

/** The content of one event of the payment service, without personal data. */
export type Fact =
  | ({
      kind: 'session';
      session: string;
      isPaid: boolean;
      mode: 'live' | 'test';
      /** Identifier of the licence to renew; undefined for a new licence. */
      licence?: string | undefined;
    } & Order)
  | { kind: 'session_failed' }
  | {
      kind: 'invoice_paid';
      /** End of the latest period on the invoice; null if it has none. */
      until: number | null;
      /** Start of that period. */
      from?: number | null | undefined;
      /** Whether all lines are prorations of a period that was paid before. */
      isDifference?: boolean | undefined;
      /** Cost before discounts and amount paid, in the smallest unit of the currency. */
      charged?: number | undefined;
      paid?: number | undefined;
    }
  | { kind: 'invoice_failed'; invoice: string }
  | {
      kind: 'subscription';
      status: string;
      renews: boolean;
      /** Null if the price is not in the price list. */
      tier: string | null;
      /** The slug of the product of the price; undefined for the default product. */
      product?: string | undefined;
      price?: string | undefined;
      quantity?: number | undefined;
      /** Null if it never had a trial. */
      trialEnd?: number | null | undefined;
      hasPaymentMethod?: boolean | undefined;
      /** Reports the creation, so it precedes other events of the same second. */
      isNew?: boolean | undefined;
    }
  | { kind: 'subscription_ended' }
  | {
      kind: 'refund';
      isFull: boolean;
      charge?: string | undefined;
      /** The amount of the charge. */
      amount?: number | undefined;
      /** All refunds of the charge until then. */
      refunded?: number | undefined;
    }
  | { kind: 'refund_failed'; refund: string; charge?: string | undefined; amount: number }
  | { kind: 'dispute'; dispute: string; outcome: DisputeOutcome }
  | { kind: 'link' };

interface Order {
  /** The slug of the product; undefined for the default product. */
  product?: string | undefined;
  tier: string;
  interval: Interval;
  /** Number of packages. Default: 1. */
  quantity?: number | undefined;
}

export interface RecordedFact {
  eventId: string;
  /** Epoch milliseconds, in whole seconds. */
  at: number;
  fact: Fact;
  /** The payment service's identifiers of the objects that the event is about. */
  refs: readonly string[];
}

export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }> &
  Pick<RecordedFact, 'at' | 'refs'>;

/** The facts of one kind, each with its time and references. */
export const filterFacts = <Kind extends Fact['kind']>(
  facts: readonly RecordedFact[],
  kind: Kind,
): FactOf<Kind>[] =>
  facts.flatMap(({ at, refs, fact }) =>
    fact.kind === kind ? [{ ...(fact as Extract<Fact, { kind: Kind }>), at, refs }] : [],
  );
