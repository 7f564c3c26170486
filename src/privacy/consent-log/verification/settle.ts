import { type RowProblem, type StateCounts, Tally } from './result.ts';
import type { Explanations } from './rows.ts';

/**
 * Decides again about records without a run, with the runs that are there after the records were read, and about rows
 * with facts that are missing: a restore that says that they are lost is one of these rows itself.
 */
export function settleRemovals(
  { counts, problems }: Tally,
  { deleted, anonymised, lost }: Explanations,
): { counts: Record<1 | 2, StateCounts>; problems: RowProblem[] } {
  const settled = new Tally();
  for (const problem of problems) {
    const { source, state, what, first, last, name } = problem;
    if (name !== undefined) {
      settled.problems.push(problem);
      continue;
    }
    counts[source][state] -= last - first + 1;
    const isAbsent = what === 'deleted without run';
    if (!isAbsent && what !== 'anonymised without run') {
      settled.addProblem(problem);
      continue;
    }
    const [coverage, explained] =
      source === 2
        ? ([lost[2], 'lost'] as const)
        : isAbsent
          ? ([deleted, 'deleted'] as const)
          : ([anonymised, 'anonymised'] as const);
    for (const part of coverage.split(first, last)) {
      if (part.isCovered) settled.add(source, explained, part.first, part.last);
      else settled.addProblem({ ...problem, first: part.first, last: part.last });
    }
  }
  settled.addAll({ counts, problems: [] });
  return { counts: settled.counts, problems: settled.problems };
}
