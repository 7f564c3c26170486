import type { LogSource } from '../log/tables.ts';

/**
 * What became of a row that the log has an entry for, or of a row without an entry. `present`: its contents were not
 * compared. `earlier`: from before the log, so it is proven only that it was there when the log began.
 */
export const STATES = [
  'intact',
  'present',
  'earlier',
  'anonymised',
  'deleted',
  'lost',
  'pending',
  'altered',
  'missing',
  'unlogged',
] as const;
export type RowState = (typeof STATES)[number];

/** The states that are problems. */
export type ProblemState = Extract<RowState, 'altered' | 'missing' | 'unlogged'>;

export type StateCounts = Record<RowState, number>;

/** What is wrong with successive rows. */
export interface RowProblem {
  state: ProblemState;
  source: LogSource;
  first: number;
  last: number;
  /** Without a row of its own: what is wrong with something that a row of the log describes. */
  what: RowFault;
  /** The name of the described object, if it has the problem; `first` is the row that describes it. */
  name?: string;
}

/** Why rows have a problem. */
export type RowFault =
  | 'contents'
  | 'anonymised without run'
  | 'deleted without run'
  | 'no entry'
  | 'unreadable entry'
  | 'id out of range'
  | 'banner text'
  | 'banner picture'
  | 'audit log'
  | 'scan'
  | 'scan deleted'
  | 'facts';

const createCounts = (): StateCounts =>
  Object.fromEntries(STATES.map((state) => [state, 0])) as StateCounts;

/** The states and problems of the rows that were checked, which arrive in order of their ids. */
export class Tally {
  readonly counts: Record<LogSource, StateCounts> = { 1: createCounts(), 2: createCounts() };
  readonly problems: RowProblem[] = [];

  add(source: LogSource, state: RowState, first: number, last = first): void {
    this.counts[source][state] += last - first + 1;
  }

  /** Adds rows with a problem; those that follow rows with the same problem become one with them. */
  addProblem(problem: RowProblem): void {
    this.add(problem.source, problem.state, problem.first, problem.last);
    appendProblem(this.problems, problem);
  }

  /** Adds what others have counted. */
  addAll({ counts, problems }: Pick<Tally, 'counts' | 'problems'>): void {
    for (const source of [1, 2] as const) {
      for (const state of STATES) this.counts[source][state] += counts[source][state];
    }
    for (const problem of problems) appendProblem(this.problems, problem);
  }
}

function appendProblem(problems: RowProblem[], problem: RowProblem): void {
  const before = problems.at(-1);
  const isNext =
    before?.source === problem.source &&
    before.state === problem.state &&
    before.what === problem.what &&
    problem.name === undefined &&
    before.last + 1 === problem.first;
  if (isNext) before.last = problem.last;
  else problems.push({ ...problem });
}
