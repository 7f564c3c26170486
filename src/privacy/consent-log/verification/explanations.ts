import type { Db } from '../../../platform/db/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { Coverage, type CoveredSpan } from './coverage.ts';
import type { RowProblem } from './result.ts';
import type { Explanations } from './rows.ts';
import { listFacts } from './store.ts';

/** The ids that logged runs and restores explain, in a form that can be sent to a thread. */
export interface ExplainedSpans {
  deleted: CoveredSpan[];
  anonymised: CoveredSpan[];
  lostRecords: CoveredSpan[];
  lostFacts: CoveredSpan[];
}

export const toExplanations = (spans: ExplainedSpans): Explanations => ({
  deleted: new Coverage(spans.deleted),
  anonymised: new Coverage(spans.anonymised),
  lost: { 1: new Coverage(spans.lostRecords), 2: new Coverage(spans.lostFacts) },
});

/**
 * Reads what runs and restores state.
 * @param problems of the rows that state it; they explain nothing
 */
export async function readExplainedSpans(
  db: Db,
  problems: readonly RowProblem[],
): Promise<ExplainedSpans> {
  const spans: ExplainedSpans = { deleted: [], anonymised: [], lostRecords: [], lostFacts: [] };
  for (const { id, kind, facts } of await listFacts(db, [
    ENTRY_KINDS.removal,
    ENTRY_KINDS.restore,
  ])) {
    if (problems.some(({ first, last }) => first <= id && id <= last)) continue;
    const stated = JSON.parse(facts);
    const add = (to: CoveredSpan[], ranges: [first: number, last: number][] = []) => {
      for (const [first, last] of ranges) to.push({ first, last, by: id });
    };
    if (kind === ENTRY_KINDS.removal) {
      add(stated.action === 'delete' ? spans.deleted : spans.anonymised, stated.ids);
    } else
      add(stated.table === 'consent_records' ? spans.lostRecords : spans.lostFacts, stated.ids);
  }
  return spans;
}
