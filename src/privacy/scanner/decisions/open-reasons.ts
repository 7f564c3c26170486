import type { SavedFinding } from '../findings/store.ts';

/** What the owner of a site can decide about a finding; `open` withdraws an earlier decision. */
export const DECISIONS = ['blocked', 'necessary', 'ignored', 'open'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

export interface Decision {
  decision: DecisionKind;
  reason: string | null;
  /** Epoch milliseconds. */
  decidedAt: number;
}

/** Why a finding is open: no decision, blocked but still loading, or not blockable. */
export const OPEN_REASONS = [
  'undecided',
  'not_registered',
  'in_html',
  'in_noscript',
  'inline_code',
  'other_script',
  'set_by_server',
  'loaded_despite_rejection',
  'not_stopped_by_withdrawal',
] as const;
export type OpenReason = (typeof OPEN_REASONS)[number];

/** The address without its query, of which a scan keeps only names and ids. */
export const toAddress = (url: string): string => url.replace(/\?.*/, '');

/** URL that loaded or set a finding, if the browser saw it. */
export const getOrigin = ({ details }: SavedFinding): unknown =>
  details.redirected_from ?? details.set_by ?? details.initiator;

/** Whether only browsers without scripts load it before consent. */
export const loadsWithoutScripts = ({ consentState, details, verdicts }: SavedFinding): boolean =>
  details.in_noscript === true &&
  consentState === 'before' &&
  !verdicts.includes('loaded_without_consent');

/** Why a finding loads before consent. For findings that cannot be blocked, it names what loads them. */
export function explainOpen(
  finding: SavedFinding,
  {
    decision,
    entry,
    canBlock,
  }: { decision: Decision | null; entry: { isActive: boolean } | undefined; canBlock: boolean },
): OpenReason {
  if (canBlock && decision?.decision !== 'blocked') return 'undecided';
  if (canBlock && !entry?.isActive) return 'not_registered';
  if (loadsWithoutScripts(finding)) return 'in_noscript';
  if (finding.sources.includes('html')) return 'in_html';
  if (finding.sources.includes('header') && !finding.thirdParty) return 'set_by_server';
  const origin = getOrigin(finding);
  return origin === toAddress(finding.pageUrl) ? 'inline_code' : 'other_script';
}
