import type { ScanState, Visit } from '../../api/types.ts';
import { capitalise, formatCount, formatNumber } from '../../components/format.ts';

type Outcome = Visit['outcome'];

/** What a visit in a state was to do, as the label of what came of it. */
export const CHOICES: Readonly<Record<ScanState, string>> = {
  before: 'Before a choice',
  accepted: 'Accepted',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  gpc: 'Global Privacy Control',
};

const PROBLEMS: Readonly<Record<Outcome, string>> = {
  reached: 'the visit ended early',
  no_banner: 'no banner found',
  no_control: 'no control found',
  no_effect: 'pressing it had no effect',
  failed: 'the visit failed',
};

const makesChoice = (state: ScanState): boolean => state !== 'before' && state !== 'gpc';

/** What came of one visit, for example `Reached in 1 click` or `No banner found`. */
export function describeOutcome({ state, outcome, clicks, error }: Visit): string {
  if (outcome === 'failed') return error ?? 'The visit failed';
  const end = error === null ? '' : `. ${error}`;
  if (!makesChoice(state)) return `Visited${end}`;
  if (outcome === 'reached') return `Reached in ${formatCount(clicks, 'click')}${end}`;
  return capitalise(PROBLEMS[outcome]);
}

/** Whether a visit shows what its state leads to. One that ended early does not. */
export const isReached = ({ state, outcome, error }: Visit): boolean =>
  error === null && (makesChoice(state) ? outcome === 'reached' : outcome !== 'failed');

/** What came of all visits in a state, for example `Reached in 1 click on 12 of 14 pages`. */
export function describeOutcomes(state: ScanState, visits: readonly Visit[]): string {
  const done = visits.filter(isReached);
  const clicks = done.map((visit) => visit.clicks);
  const [least, most] = [Math.min(...clicks), Math.max(...clicks)];
  const how = makesChoice(state)
    ? least === most
      ? `Reached in ${formatCount(least, 'click')}`
      : `Reached in ${formatNumber(least)} to ${formatCount(most, 'click')}`
    : 'Visited';
  const others = [
    ...Map.groupBy(
      visits.filter((visit) => !done.includes(visit)),
      ({ outcome }) => outcome,
    ),
  ].map(([outcome, group]) => `${PROBLEMS[outcome]} on ${formatCount(group.length, 'page')}`);
  const reached =
    done.length === 0
      ? 'Reached on no page'
      : `${how} on ${formatNumber(done.length)} of ${formatCount(visits.length, 'page')}`;
  return `${[reached, ...others].join('; ')}.`;
}
