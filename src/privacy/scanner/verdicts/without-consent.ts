import { type FindingWithVerdicts, needsConsent } from '../classify/finding.ts';
import { BROKEN_PROMISES, type Verdict } from './verdict.ts';

/**
 * Whether a finding requires consent that it did not have: before a choice or against it. Consent pings are no
 * accusation.
 */
export const loadsWithoutConsent = (finding: FindingWithVerdicts): boolean =>
  isBrokenPromise(finding.verdicts) ||
  (needsConsent(finding) && !finding.verdicts.includes('cookieless_ping'));

export const isBrokenPromise = (verdicts: readonly Verdict[]): boolean =>
  verdicts.some((verdict) => BROKEN_PROMISES.includes(verdict));
