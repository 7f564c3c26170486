import { type Fact, type FactOf, filterFacts, type RecordedFact } from './facts.ts';

/** Kinds of facts about payments. Sessions and subscriptions would lead to other payments of the purchase. */
const PAYMENT_KINDS: readonly Fact['kind'][] = [
  'link',
  'invoice_paid',
  'invoice_failed',
  'refund',
  'refund_failed',
  'dispute',
];

/**
 * Whether a payment was refunded in full.
 * @param ids of its invoice, payment intent or charge
 * @param paid amount in the smallest unit of its currency, if known
 */
export function isRefunded(
  recorded: readonly RecordedFact[],
  ids: readonly string[],
  paid?: number,
): boolean {
  const facts = listRelatedFacts(recorded, ids);
  const failures = filterFacts(facts, 'refund_failed');
  const refunds = filterFacts(facts, 'refund');
  const charges = Object.values(Object.groupBy(refunds, ({ charge = '' }) => charge)).map(
    (snapshots = []) => getRefundedAmount(snapshots, failures),
  );
  const returned = charges.reduce((sum, charge) => sum + (charge.returned ?? 0), 0);
  const isKnown = charges.every((charge) => charge.returned !== undefined);
  return paid && isKnown && charges.length > 0
    ? returned >= paid
    : charges.some(({ isFull }) => isFull);
}

/**
 * The refunded amount of one charge: that of the latest event without the refunds that have failed since.
 * Events of earlier releases do not hold the amount.
 */
function getRefundedAmount(
  snapshots: readonly FactOf<'refund'>[],
  failures: readonly FactOf<'refund_failed'>[],
): { isFull: boolean; returned: number | undefined } {
  // Refunds of a charge only grow, so of two events of the same second the larger one is the later one.
  const last = snapshots
    .toSorted(
      (a, b) =>
        a.at - b.at || (a.refunded ?? 0) - (b.refunded ?? 0) || Number(a.isFull) - Number(b.isFull),
    )
    .at(-1);
  if (!last) return { isFull: false, returned: 0 };
  const failed = failures.filter(
    ({ charge, at }) => at >= last.at && (charge === undefined || charge === last.charge),
  );
  const amounts = new Map(failed.map(({ refund, amount }) => [refund, amount]));
  const lost = [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
  if (last.amount === undefined || last.refunded === undefined) {
    return { isFull: last.isFull && lost === 0, returned: undefined };
  }
  const returned = Math.max(0, last.refunded - lost);
  return { isFull: last.amount > 0 && returned >= last.amount, returned };
}

/** All facts about payments that share an identifier with these, directly or through others. */
export function listRelatedFacts(
  recorded: readonly RecordedFact[],
  ids: readonly string[],
): RecordedFact[] {
  const known = new Set(ids.filter(isPaymentId));
  let left = recorded.filter(({ fact }) => PAYMENT_KINDS.includes(fact.kind));
  const found: RecordedFact[] = [];
  for (;;) {
    const next = left.filter(({ refs }) => refs.some((ref) => known.has(ref)));
    if (next.length === 0) return found;
    for (const { refs } of next) for (const ref of refs.filter(isPaymentId)) known.add(ref);
    found.push(...next);
    left = left.filter((each) => !next.includes(each));
  }
}

/** All payments of a subscription share the identifiers of the subscription and its session. */
const isPaymentId = (ref: string): boolean => !ref.startsWith('sub_') && !ref.startsWith('cs_');
