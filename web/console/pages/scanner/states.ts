import type { ScanState } from '../../api/types.ts';
import { capitalise } from '../../components/format.ts';

/** When a visit looks at what loads, as part of a sentence. */
export const PHRASES: Readonly<Record<ScanState, string>> = {
  before: 'before a choice',
  rejected: 'after rejection',
  accepted: 'after acceptance',
  withdrawn: 'after withdrawal',
  gpc: 'with Global Privacy Control',
};
export const ALL_STATES = Object.keys(PHRASES) as ScanState[];

export const getStateLabel = (state: ScanState): string => capitalise(PHRASES[state]);

/** Whether a scan shows that each choice takes effect. */
export const hasAllStates = ({ states }: { states: readonly ScanState[] }): boolean =>
  ALL_STATES.every((state) => states.includes(state));

/** In the order in which the screens show them. */
export const sortStates = (states: readonly ScanState[]): ScanState[] =>
  ALL_STATES.filter((state) => states.includes(state));
