import { type ScanState, STATES_WITHOUT_CHOICE, type StateVisit } from '../observation.ts';
import type { Verdict } from '../verdicts/verdict.ts';

export const STATE_LABELS: Record<ScanState, string> = {
  before: 'Before any choice',
  rejected: 'After rejecting',
  accepted: 'After accepting',
  withdrawn: 'After withdrawing consent',
  gpc: 'With Global Privacy Control',
};

/** What a visit in a state is. */
export const STATE_METHODS: Record<ScanState, string> = {
  before:
    'The page is opened as by a first-time visitor and used (mouse, scrolling) without touching the consent banner.',
  rejected:
    'In a new browser profile, the scanner rejects all optional purposes. Only what happens after that press counts, including one reload of the page.',
  accepted:
    'In the same visit as “before any choice”, the scanner accepts all purposes. What happened before the press counts too.',
  withdrawn:
    'In the same visit as “before any choice”, the scanner accepts all purposes and then withdraws consent. Only what happens after the withdrawal counts, including one reload of the page. Its times begin with the withdrawal.',
  gpc: 'In a new browser profile, the browser sends Sec-GPC: 1 and sets navigator.globalPrivacyControl. The scanner makes no choice.',
};

export function describeOutcome(state: ScanState, outcome: StateVisit['outcome']): string {
  const texts: Record<StateVisit['outcome'], string> = {
    reached: STATES_WITHOUT_CHOICE.includes(state)
      ? 'The page was visited without a choice.'
      : 'The choice was made and took effect.',
    no_banner: 'The scanner found no consent banner.',
    no_control: 'The scanner found no control for this choice.',
    no_effect: 'A control was pressed, but nothing changed.',
    failed: 'The visit failed.',
  };
  return texts[outcome];
}

export const VERDICT_TEXTS: Record<Verdict, { label: string; explanation: string }> = {
  loaded_without_consent: {
    label: 'Loaded without consent',
    explanation:
      'At work before any choice, although it requires consent (ePrivacy Directive Art. 5(3)).',
  },
  loaded_despite_rejection: {
    label: 'Loaded despite rejection',
    explanation: 'At work after the visitor rejected. A broken promise.',
  },
  not_stopped_by_withdrawal: {
    label: 'Not stopped by withdrawal',
    explanation: 'At work after consent was withdrawn (GDPR Art. 7(3)). A broken promise.',
  },
  ignores_gpc: {
    label: 'Ignores Global Privacy Control',
    explanation: 'At work although the browser sends Global Privacy Control.',
  },
  cookieless_ping: {
    label: 'Consent Mode request without identifiers',
    explanation: 'A request of Google Consent Mode without identifiers. No accusation.',
  },
  blocked_until_consent: {
    label: 'Blocked until consent',
    explanation: 'Not at work without consent, in the visits of this scan.',
  },
  strictly_necessary: {
    label: 'Strictly necessary',
    explanation: 'Requires no consent, as classified in Pavis.',
  },
};

/** What the method cannot show. */
export const LIMITS = [
  'The report shows what this scan observed on these pages at this time. It does not assess whether the site complies with the law.',
  'A resource that did not load in a visit can still load for other visitors: by country, device, sign-in, time or chance.',
  'Pages that were not scanned are not covered. The scanner sends no forms and does not sign in.',
  'Whether something requires consent follows from its category in Pavis. Check categories that matter to you.',
  'What servers exchange with each other cannot be seen in a browser.',
  'A control counts as found only if the scanner recognised it. People may find controls that it did not.',
];
