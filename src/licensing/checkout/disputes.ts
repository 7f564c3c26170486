/** The outcome of a dispute. An inquiry moves no money, so it changes nothing. */
export type DisputeOutcome = 'inquiry' | 'open' | 'lost' | 'won';

/** Order of events of the same second: a decision follows the dispute, and an appeal a lost one. */
const ORDER: readonly DisputeOutcome[] = ['inquiry', 'open', 'lost', 'won'];

/** The outcome for a status of Stripe's disputes. A dispute under appeal is open again. */
export function toDisputeOutcome(status: string | undefined): DisputeOutcome {
  if (status?.startsWith('warning_')) return 'inquiry';
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'prevented' || status === 'charge_refunded'
    ? 'won'
    : 'open';
}

/** The latest outcome of each dispute. */
export function listLatestOutcomes(
  facts: readonly { dispute: string; outcome: DisputeOutcome; at: number }[],
): DisputeOutcome[] {
  const sorted = facts.toSorted(
    (a, b) => a.at - b.at || ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome),
  );
  return [...new Map(sorted.map(({ dispute, outcome }) => [dispute, outcome])).values()];
}
