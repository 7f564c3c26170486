import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import { type EventType, queueEvents } from '../../webhooks/index.ts';
import { findLicenceWithCustomer, toLicenceContent } from '../licences/index.ts';
import type { RecordedFact } from './facts.ts';
import { findPurchase } from './purchases/store.ts';

/** What a paid checkout led to. */
export type CheckoutOutcome = 'licence_issued' | 'licence_renewed' | 'renewal_refused';

interface PurchaseEvents {
  session: string;
  /** Undefined if the purchase was there before. */
  outcome: CheckoutOutcome | undefined;
  /** The facts that were assigned to the purchase now. */
  facts: readonly RecordedFact[];
  /** Epoch milliseconds. */
  at: number;
}

/** Queues the webhook events of a purchase and its payments, after their effect on the licence. */
export async function queuePaymentEvents(
  trx: Trx,
  announce: Announce,
  { session, outcome, facts, at }: PurchaseEvents,
): Promise<void> {
  const purchase = await findPurchase(trx, session);
  const licence = purchase && (await findLicenceWithCustomer(trx, purchase.licenceId));
  if (!licence) return;
  const queue = (type: EventType, data: Readonly<Record<string, unknown>>) =>
    queueEvents(trx, announce, { type, at }, async () => [
      await toLicenceContent(trx, licence, at, { checkout_session: session, ...data }),
    ]);
  if (outcome) await queue('checkout.completed', { outcome });
  for (const recorded of facts.toSorted((a, b) => a.at - b.at)) {
    const described = describeFact(recorded);
    if (!described) continue;
    const [type, fields] = described;
    const payment = {
      event: recorded.eventId,
      at: toIsoMoment(recorded.at),
      ...fields,
      currency: recorded.fact.currency ?? null,
    };
    await queue(type, { payment });
  }
}

/** Amounts are in the smallest unit of the currency that was paid in; null if they are unknown. */
function describeFact({
  fact,
}: RecordedFact): [EventType, Readonly<Record<string, unknown>>] | undefined {
  switch (fact.kind) {
    case 'invoice_paid':
      return [
        'payment.received',
        {
          charged: fact.charged ?? null,
          paid: fact.paid ?? null,
          paid_until: toIsoMomentOrNull(fact.until),
        },
      ];
    case 'invoice_failed':
      return ['payment.failed', { invoice: fact.invoice, amount: fact.due ?? null }];
    case 'refund':
      return [
        'payment.refunded',
        { full: fact.isFull, amount: fact.amount ?? null, refunded: fact.refunded ?? null },
      ];
    case 'refund_failed':
      return ['payment.refund_failed', { refund: fact.refund, amount: fact.amount }];
    case 'dispute':
      return [
        'payment.disputed',
        { dispute: fact.dispute, outcome: fact.outcome, amount: fact.amount ?? null },
      ];
    default:
      return undefined;
  }
}
