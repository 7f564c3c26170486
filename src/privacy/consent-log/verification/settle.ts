import { type RowProblem, type StateCounts, Tally } from './result.ts';
import type { Explanations } from './rows.ts';

/** Decides again about records without a run, with the runs that are there after the records were read. */
export function settleRemovals(
  { counts, problems }: Tally,
  { deleted, anonymised }: Explanations,
): { counts: Record<1 | 2, StateCounts>; problems: RowProblem[] } {
  const settled = new Tally();
  for (const problem of problems) {
    const { source, state, what, first, last, name } = problem;
    if (name !== undefined) {
      settled.problems.push(problem);
      continue;
    }
    counts[source][state] -= last - first + 1;
    const isRemoval = what === 'deleted without run' || what === 'anonymised without run';
    if (!isRemoval || source === 2) {
      settled.addProblem(problem);
      continue;
    }
    const coverage = what === 'deleted without run' ? deleted : anonymised;
    for (const part of coverage.split(first, last)) {
      if (!part.isCovered) settled.addProblem({ ...problem, first: part.first, last: part.last });
      else
        settled.add(source, coverage === deleted ? 'deleted' : 'anonymised', part.first, part.last);
    }
  }
  settled.addAll({ counts, problems: [] });
  return { counts: settled.counts, problems: settled.problems };
}
