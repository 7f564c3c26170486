import { toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { UNLIMITED_SITES } from '../../licences/index.ts';
import { type Fact, getAmount } from '../facts.ts';
import type { listCustomerPurchases } from './store.ts';

export const PAYMENT_TYPES = [
  'paid',
  'failed',
  'refunded',
  'partly_refunded',
  'refund_failed',
  'dispute_inquiry',
  'dispute_open',
  'dispute_lost',
  'dispute_won',
  'subscription_ended',
] as const;
type PaymentType = (typeof PAYMENT_TYPES)[number];

type PurchaseWithFacts = Awaited<ReturnType<typeof listCustomerPurchases>>[number];

/** A purchase as the console shows it. */
export function toPurchaseHistory(purchase: PurchaseWithFacts) {
  const { facts } = purchase;
  const { packageSites, quantity } = purchase;
  const session = facts.map(({ fact }) => fact).find((fact) => fact.kind === 'session');
  // Stripe reports the first payment of a subscription twice: as a session and as an invoice.
  const hasInvoice = facts.some(({ fact }) => fact.kind === 'invoice_paid');
  const payments = dropRepeatedOutcomes(facts).flatMap(({ at, fact }) => {
    const type = toPaymentType(fact);
    const isReported = hasInvoice && fact.kind === 'session';
    const { amount = null, currency = null } = getAmount(fact) ?? {};
    return type && !isReported ? [{ at: toIsoMoment(at), type, amount, currency }] : [];
  });
  return {
    id: purchase.id,
    licence: purchase.licenceId,
    kind: purchase.replaced ? ('renewal' as const) : ('new' as const),
    bought_at: toIsoMomentOrNull(purchase.boughtAt),
    tier: purchase.tier,
    sites: packageSites === null ? null : Math.min(UNLIMITED_SITES, quantity * packageSites),
    interval: session?.interval ?? null,
    paid_until: toIsoMoment(purchase.expiresAt),
    renews: purchase.renews,
    status: getStatus(purchase),
    payments,
  };
}

/** Stripe reports an open dispute and its decision with several events each. */
function dropRepeatedOutcomes(facts: PurchaseWithFacts['facts']): PurchaseWithFacts['facts'] {
  const outcomes = new Map<string, string>();
  return facts.filter(({ fact }) => {
    if (fact.kind !== 'dispute') return true;
    const isRepeated = outcomes.get(fact.dispute) === fact.outcome;
    outcomes.set(fact.dispute, fact.outcome);
    return !isRepeated;
  });
}

function getStatus({ isRevoked, isSuspended }: PurchaseWithFacts) {
  if (isRevoked) return 'revoked' as const;
  return isSuspended ? ('suspended' as const) : ('paid' as const);
}

/** Undefined for facts that are not payments. */
function toPaymentType(fact: Fact): PaymentType | undefined {
  switch (fact.kind) {
    case 'session':
      return fact.isPaid ? 'paid' : undefined;
    case 'invoice_paid':
      return 'paid';
    case 'session_failed':
    case 'invoice_failed':
      return 'failed';
    case 'refund':
      return fact.isFull ? 'refunded' : 'partly_refunded';
    case 'refund_failed':
      return 'refund_failed';
    case 'dispute':
      return `dispute_${fact.outcome ?? 'open'}`;
    case 'subscription_ended':
      return 'subscription_ended';
  }
  return undefined;
}
