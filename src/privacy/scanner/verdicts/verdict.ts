/**
 * What a scan in several states shows of a finding. A finding can have several; they are ordered by the moment at which
 * the visitor is first affected.
 */
export const VERDICTS = [
  /** At work before any choice, although it requires consent (ePrivacy Directive Art. 5(3)). */
  'loaded_without_consent',
  /** At work after the visitor rejected: a broken promise. */
  'loaded_despite_rejection',
  /** At work after consent was withdrawn (GDPR Art. 7(3)): a broken promise. */
  'not_stopped_by_withdrawal',
  /** At work although the browser sends Global Privacy Control. */
  'ignores_gpc',
  /** Google Consent Mode request without identifiers: no accusation. */
  'cookieless_ping',
  /** In the page or at work after consent, and not at work without it in the visits of the scan. */
  'blocked_until_consent',
  /** Requires no consent. */
  'strictly_necessary',
] as const;

export type Verdict = (typeof VERDICTS)[number];

export const BROKEN_PROMISES: readonly Verdict[] = [
  'loaded_despite_rejection',
  'not_stopped_by_withdrawal',
];
