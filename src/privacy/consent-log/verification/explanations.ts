import type { Db } from '../../../platform/db/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { Coverage, type CoveredSpan } from './coverage.ts';
import { listStatements, readRanges } from './facts.ts';
import type { RowProblem } from './result.ts';
import type { Explanations } from './rows.ts';

/** The ids that logged runs and restores explain, in a form that can be sent to a thread. */
export interface ExplainedSpans {
  deleted: CoveredSpan[];
  anonymised: CoveredSpan[];
  lostRecords: CoveredSpan[];
  lostFacts: CoveredSpan[];
  deletedScans: CoveredSpan[];
}

export const toExplanations = (spans: ExplainedSpans): Explanations => ({
  deleted: new Coverage(spans.deleted),
  anonymised: new Coverage(spans.anonymised),
  lost: { 1: new Coverage(spans.lostRecords), 2: new Coverage(spans.lostFacts) },
});

export const createSpans = (): ExplainedSpans => ({
  deleted: [],
  anonymised: [],
  lostRecords: [],
  lostFacts: [],
  deletedScans: [],
});

/**
 * Reads what runs and restores state.
 * @param problems of the rows that state it; they explain nothing
 */
export async function readExplainedSpans(
  db: Db,
  problems: readonly RowProblem[],
): Promise<ExplainedSpans> {
  const spans = createSpans();
  const { removal, restore } = ENTRY_KINDS;
  for (const { id, kind, facts } of await listStatements(db, [removal, restore], problems)) {
    const name = facts && (kind === removal ? nameRemoved(facts) : nameLost(facts));
    if (name === undefined) continue;
    for (const [first, last] of readRanges(facts?.ids)) spans[name].push({ first, last, by: id });
  }
  return spans;
}

type Facts = Record<string, unknown>;

function nameRemoved({ table, action }: Facts): keyof ExplainedSpans | undefined {
  if (table === undefined) return action === 'delete' ? 'deleted' : 'anonymised';
  return table === 'scans' ? 'deletedScans' : undefined;
}

function nameLost({ table }: Facts): keyof ExplainedSpans | undefined {
  if (table === 'consent_records') return 'lostRecords';
  return table === 'consent_log_records' ? 'lostFacts' : undefined;
}
