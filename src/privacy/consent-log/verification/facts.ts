import type { Db } from '../../../platform/db/index.ts';
import type { RowProblem } from './result.ts';
import { listFacts } from './store.ts';

/** What a row of `consent_log_records` states. */
export interface Statement {
  /** The ID of the row. */
  id: number;
  kind: number;
  /** Undefined if Pavis has not written it. */
  facts: Record<string, unknown> | undefined;
}

/**
 * What the rows of some kinds state, in the order of their ids.
 * @param problems of rows, which are left out
 */
export async function listStatements(
  db: Db,
  kinds: readonly number[],
  problems: readonly RowProblem[],
): Promise<Statement[]> {
  const rows = await listFacts(db, kinds);
  return rows
    .filter(({ id }) => !problems.some(({ first, last }) => first <= id && id <= last))
    .map(({ facts, ...row }) => ({ ...row, facts: parseFacts(facts) }));
}

/** @returns undefined if Pavis has not written it */
export function parseFacts(text: unknown): Record<string, unknown> | undefined {
  try {
    const facts = JSON.parse(String(text));
    return facts !== null && typeof facts === 'object' ? facts : undefined;
  } catch {
    return undefined;
  }
}

/** The ranges of ids that facts state; none if they are not ranges. */
export function readRanges(ids: unknown): [first: number, last: number][] {
  const isRange = (range: unknown) =>
    Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger);
  return Array.isArray(ids) && ids.every(isRange) ? ids : [];
}
