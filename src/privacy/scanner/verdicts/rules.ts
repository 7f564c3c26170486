import {
  type Finding,
  type FindingWithVerdicts,
  needsConsent,
  requiresConsent,
} from '../classify/finding.ts';
import { type ScanState, STATES_WITHOUT_CHOICE, type StateVisit } from '../observation.ts';
import { isChoiceRecord } from './choice-record.ts';
import { VERDICTS, type Verdict } from './verdict.ts';

/** Verdicts that a state allows about what requires consent and is at work in it. */
const ACCUSATIONS: Partial<Record<ScanState, Verdict>> = {
  before: 'loaded_without_consent',
  rejected: 'loaded_despite_rejection',
  withdrawn: 'not_stopped_by_withdrawal',
  gpc: 'ignores_gpc',
};

/** States that were reached on a page, and whether the visit is complete. */
export type ReachedStates = ReadonlyMap<ScanState, { isComplete: boolean }>;

/** States that were reached on a page: the choice was made and took effect. Only these support verdicts. */
export const listReached = (
  visits: readonly Pick<StateVisit, 'state' | 'outcome' | 'error'>[],
): ReachedStates =>
  new Map(
    visits
      .filter(
        ({ state, outcome }) =>
          outcome === 'reached' || (STATES_WITHOUT_CHOICE.includes(state) && outcome !== 'failed'),
      )
      .map(({ state, error }) => [state, { isComplete: error === undefined }]),
  );

export interface FindingVerdicts {
  /** In the order of `VERDICTS`. */
  verdicts: Verdict[];
  /** A complete visit showed that it is absent after a rejection, too. */
  isProven: boolean;
}

/**
 * What the visits of a page show of a finding.
 * @param reached as returned by `listReached`
 */
export function decideVerdicts(
  finding: Omit<Finding, 'resourceKey' | 'host'>,
  reached: ReachedStates,
): FindingVerdicts {
  const { category, details, blocked, evidence, resourceType, thirdParty } = finding;
  const atWork = evidence.filter(({ state }) => reached.has(state));
  const none: FindingVerdicts = { verdicts: [], isProven: false };
  if (reached.size === 0 || resourceType === 'form') return none;
  if (category === 'functional' || details.necessary === true || isChoiceRecord(finding)) {
    return { ...none, verdicts: atWork.length > 0 ? ['strictly_necessary'] : [] };
  }
  if (!requiresConsent(finding)) return none;

  const accused = atWork
    .filter(({ isPing }) => !isPing)
    .map(({ state }) => ACCUSATIONS[state])
    // Global Privacy Control objects to sale and sharing. First-party storage of unknown purpose is neither.
    .filter((verdict) => verdict !== 'ignores_gpc' || category !== null || thirdParty);
  const found = VERDICTS.filter((verdict) => accused.includes(verdict));
  if (found.length > 0) return { ...none, verdicts: found };

  if (atWork.some(({ isPing }) => isPing)) return { ...none, verdicts: ['cookieless_ping'] };
  const isAfterConsentOnly =
    atWork.every(({ state }) => state === 'accepted') && (atWork.length > 0 || blocked);
  if (!isAfterConsentOnly || !reached.has('before') || needsConsent(finding)) return none;
  return {
    verdicts: ['blocked_until_consent'],
    isProven: reached.get('rejected')?.isComplete === true,
  };
}

/** Adds the verdicts to a finding, and what explains them to its details. */
export function applyVerdicts(finding: Finding, reached: ReachedStates): FindingWithVerdicts {
  const { verdicts, isProven } = decideVerdicts(finding, reached);
  const details = { ...finding.details, ...(isProven && { proven: true }) };
  return { ...finding, details, verdicts };
}
