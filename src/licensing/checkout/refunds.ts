import type { Fact, RecordedFact } from './facts.ts';

type Of<K extends Fact['kind']> = Extract<Fact, { kind: K }> & { at: number };

/** What is said about payments. Sessions and subscriptions would lead on to other payments of the purchase. */
const ABOUT_PAYMENTS: readonly Fact['kind'][] = [
  'link',
  'invoice_paid',
  'invoice_failed',
  'refund',
  'refund_failed',
  'dispute',
];

/**
 * Whether all the money that was paid under some ids of the payment service has gone back.
 * @param ids of an invoice, a payment or a charge
 * @param paid how much that was, in the smallest unit of its currency, if it is known
 */
export function isRefunded(
  told: readonly RecordedFact[],
  ids: readonly string[],
  paid?: number,
): boolean {
  const facts = factsAbout(told, ids);
  const of = <K extends Fact['kind']>(kind: K) =>
    facts.flatMap(({ at, fact }) =>
      fact.kind === kind ? [{ ...(fact as Extract<Fact, { kind: K }>), at }] : [],
    );
  const failures = of('refund_failed');
  const charges = Object.values(Object.groupBy(of('refund'), ({ charge = '' }) => charge)).map(
    (snapshots = []) => returnedOf(snapshots, failures),
  );
  const returned = charges.reduce((sum, charge) => sum + (charge.returned ?? 0), 0);
  const isKnown = charges.every((charge) => charge.returned !== undefined);
  return paid && isKnown && charges.length > 0
    ? returned >= paid
    : charges.some(({ isFull }) => isFull);
}

/**
 * What has gone back of one charge: as much as was said last, without the refunds that have failed since.
 * The amount is unknown of events that an earlier release took in.
 */
function returnedOf(
  snapshots: readonly Of<'refund'>[],
  failures: readonly Of<'refund_failed'>[],
): { isFull: boolean; returned: number | undefined } {
  const last = snapshots
    .toSorted((a, b) => a.at - b.at || (a.refunded ?? 0) - (b.refunded ?? 0))
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

/** Everything about payments that shares an id with these, directly or by way of others. */
function factsAbout(told: readonly RecordedFact[], ids: readonly string[]): RecordedFact[] {
  const known = new Set(ids.filter(isPaymentId));
  let left = told.filter(({ fact }) => ABOUT_PAYMENTS.includes(fact.kind));
  const found: RecordedFact[] = [];
  for (;;) {
    const next = left.filter(({ refs }) => refs.some((ref) => known.has(ref)));
    if (next.length === 0) return found;
    for (const { refs } of next) for (const ref of refs.filter(isPaymentId)) known.add(ref);
    found.push(...next);
    left = left.filter((each) => !next.includes(each));
  }
}

/** All payments of a subscription share its id. */
const isPaymentId = (ref: string): boolean => !ref.startsWith('sub_') && !ref.startsWith('cs_');
