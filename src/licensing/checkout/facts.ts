import type { Interval } from '../products/index.ts';
import type { DisputeOutcome } from './disputes.ts';

/** The content of one event of the payment service, without personal data. Events of earlier releases lack the currency. */
export type Fact = FactContent & {
  /** Of the amounts; three upper-case letters (ISO 4217). */
  currency?: string | undefined;
};

/** Amounts are in the smallest unit of the currency. */
type FactContent =
  | ({
      kind: 'session';
      session: string;
      isPaid: boolean;
      mode: 'live' | 'test';
      /** What was paid in the checkout, without later invoices. */
      total?: number | undefined;
      /** Whether it has a customer at the payment service. Events of earlier releases do not say so. */
      hasCustomer?: boolean | undefined;
    } & OrderedTerms)
  | { kind: 'session_failed' }
  | {
      kind: 'invoice_paid';
      /** End of the latest period on the invoice; null if it has none. */
      until: number | null;
      /** Start of that period. */
      from?: number | null | undefined;
      /** Whether all lines are prorations of a period that was paid before. */
      isDifference?: boolean | undefined;
      /** Cost before discounts and amount paid. */
      charged?: number | undefined;
      paid?: number | undefined;
    }
  | {
      kind: 'invoice_failed';
      invoice: string;
      due?: number | undefined;
      /** Whether it is for a change within a period that was paid before, and not for a renewal. */
      isDifference?: boolean | undefined;
    }
  | {
      kind: 'subscription';
      status: string;
      /** In events of earlier releases, also false for one with a `cancelAt`. */
      renews: boolean;
      /** When it ends, if that is set; epoch milliseconds. */
      cancelAt?: number | undefined;
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
      /** When it was read from Stripe, as events of the same second have no order; epoch milliseconds. */
      readAt?: number | undefined;
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
  | { kind: 'dispute'; dispute: string; outcome: DisputeOutcome; amount?: number | undefined }
  | { kind: 'link' };

/** A sum in the smallest unit of its currency. */
export interface Amount {
  amount: number;
  currency: string;
}

/** The sum that an event is about: of a refund, all refunds of the charge until then. Undefined if it is not known. */
export function getAmount(fact: Fact): Amount | undefined {
  const amount = findSum(fact);
  return amount === undefined || fact.currency === undefined
    ? undefined
    : { amount, currency: fact.currency };
}

function findSum(fact: Fact): number | undefined {
  switch (fact.kind) {
    case 'session':
      return fact.total;
    case 'invoice_paid':
      return fact.paid;
    case 'invoice_failed':
      return fact.due;
    case 'refund':
      return fact.refunded;
    case 'refund_failed':
    case 'dispute':
      return fact.amount;
  }
  return undefined;
}

/**
 * What was paid first: by invoice, or in the checkout if there are no invoices. Undefined while the invoice of a
 * subscription is still to come, whose event has it.
 */
export function getFirstAmount(facts: readonly RecordedFact[]): Amount | undefined {
  const [invoice] = filterFacts(facts, 'invoice_paid').toSorted((a, b) => a.at - b.at);
  const session = filterFacts(facts, 'session').find(({ isPaid }) => isPaid);
  const first = invoice ?? (session?.interval === 'once' ? session : undefined);
  return first && getAmount(first);
}

/** Statuses of a subscription that is over at Stripe. */
export const ENDED_STATUSES: readonly string[] = ['canceled', 'incomplete_expired'];

/** What was ordered. */
export interface OrderedTerms {
  /** The slug of the product; undefined for the default product. */
  product?: string | undefined;
  tier: string;
  interval: Interval;
  /** Number of packages. Default: 1. */
  quantity?: number | undefined;
  /** Identifier of the licence to renew; undefined for a new licence. */
  licence?: string | undefined;
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
