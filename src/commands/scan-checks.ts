import type { toResults } from '../privacy/scanner/index.ts';

export type Results = ReturnType<typeof toResults>;
type Finding = Results['results'][number];
type Outcome = Results['outcomes'][number];

/** What `pavis scan --fail-on` can name. */
export const FAILURES = ['before-consent', 'broken-promise'] as const;
export type Failure = (typeof FAILURES)[number];

/** Whether the owner has recorded that the finding may load. */
const isAccepted = ({ state, decision }: Pick<Finding, 'state' | 'decision'>): boolean =>
  state === 'necessary' || decision?.decision === 'necessary' || decision?.decision === 'ignored';

/** Whether a finding makes `--fail-on` fail. */
export const isFailing = (
  finding: Pick<Finding, 'state' | 'decision' | 'consent_state' | 'broken_promise'>,
  failure: Failure,
): boolean =>
  failure === 'before-consent'
    ? finding.state === 'open' && finding.consent_state === 'before'
    : finding.broken_promise && !isAccepted(finding);

/** The findings of each resource, which is a finding on each page that loads it. */
export const groupByResource = (findings: readonly Finding[]) =>
  Map.groupBy(findings, ({ resource_type, name, url }) => `${resource_type} ${name} ${url}`);

/** Why the exit code is 1, one text for each reason; none if nothing fails. */
export function listFailures(results: Results, failOn: readonly Failure[]): string[] {
  const { scan_id, resources } = results;
  const reasons: string[] = [];
  const early = results.results.filter((finding) => isFailing(finding, 'before-consent'));
  if (failOn.includes('before-consent') && early.length > 0) {
    reasons.push(
      `${groupByResource(early).size} of ${resources.total} findings load before consent and need a decision (scan ${scan_id})`,
    );
  }
  if (failOn.includes('broken-promise')) {
    const broken = results.results.filter((finding) => isFailing(finding, 'broken-promise'));
    const count = (verdict: Finding['verdicts'][number]) =>
      groupByResource(broken.filter(({ verdicts }) => verdicts.includes(verdict))).size;
    if (broken.length > 0) {
      reasons.push(
        `${groupByResource(broken).size} of ${resources.total} findings break a promise: ${count('loaded_despite_rejection')} are at work after rejection, ${count('not_stopped_by_withdrawal')} after withdrawal (scan ${scan_id})`,
      );
    }
    const unreached = describeUnreached(results, 'rejected');
    if (unreached !== undefined && !hasReached(results, 'rejected')) {
      reasons.push(`no page reached the state rejected: ${unreached}. ${advise(results)}`);
    }
  }
  return reasons;
}

/** Whether a page was visited completely in a state. A visit that ended early shows nothing of what loads later. */
export const hasReached = ({ outcomes }: Results, state: Outcome['state']): boolean =>
  outcomes.some(
    (each) => each.state === state && each.outcome === 'reached' && each.pages > each.ended_early,
  );

const OUTCOMES: Record<Outcome['outcome'], Partial<Record<string, string>>> = {
  reached: { '': 'the visit ended early' },
  no_banner: { '': 'no consent banner' },
  no_control: {
    rejected: 'no way to reject',
    accepted: 'no way to accept',
    withdrawn: 'no way to withdraw',
  },
  no_effect: { '': 'the click had no effect' },
  failed: { '': 'the visit failed' },
};

/** Why a state was not reached on some pages; undefined if it was reached on all. */
export function describeUnreached(
  { outcomes, engine, states }: Results,
  state: Outcome['state'],
): string | undefined {
  if (!states.includes(state)) return undefined;
  if (engine === 'html') return 'the scan had no browser';
  const visits = outcomes.filter((each) => each.state === state);
  if (visits.length === 0) return 'no page was visited in this state';
  const reasons = visits.flatMap(({ outcome, pages: all, ended_early }) => {
    const hasNoChoice = state === 'before' || state === 'gpc';
    const isReached = outcome === 'reached' || (hasNoChoice && outcome !== 'failed');
    const pages = isReached ? ended_early : all;
    if (pages === 0) return [];
    const reason = OUTCOMES[outcome][state] ?? OUTCOMES[outcome][''] ?? outcome;
    return [`${reason} on ${pages === 1 ? '1 page' : `${pages} pages`}`];
  });
  return reasons.length > 0 ? reasons.join(', ') : undefined;
}

function advise({ engine, outcomes }: Results): string {
  if (engine === 'html')
    return 'Install a browser or set PAVIS_CHROMIUM; npx pavis doctor says which one starts';
  if (outcomes.some(({ state, outcome }) => state === 'rejected' && outcome === 'reached'))
    return 'Check in the console what the visit shows';
  const isMissing = outcomes.every(
    ({ state, outcome }) => state !== 'rejected' || outcome === 'no_banner',
  );
  return isMissing
    ? 'Check that the consent banner appears for a first-time visitor on the scanned pages'
    : 'Add a reject button to the banner, or check in the console what the visit shows';
}
