import type { SavedFinding } from '../findings/store.ts';
import type { ScanState } from '../observation.ts';
import type { ReachedStates } from '../verdicts/rules.ts';
import type { Verdict } from '../verdicts/verdict.ts';

/** What of a scan matters for a comparison with another one. */
export interface ComparedScan {
  states: readonly ScanState[];
  /** The states that each of its pages reached, by URL. */
  reached: ReadonlyMap<string, ReachedStates>;
  /** Findings at work without consent, before a choice or against it, that the owner has not accepted. */
  findings: readonly SavedFinding[];
  unknownHosts: readonly UnknownHost[];
  /** URLs of pages that could not be scanned, or that the scan ended before. */
  unscannedPages: readonly string[];
  /** URLs of pages that were read in part, or have more findings than are kept. */
  partialPages: readonly string[];
}

/** A third-party host without a known vendor, on one page. */
export interface UnknownHost {
  host: string;
  pageUrl: string;
  /** In which it was at work; none if it was only read in markup. */
  states: readonly ScanState[];
}

/** A resource that got worse, on one or more pages. */
export interface WorseResource {
  finding: SavedFinding;
  /** The broken promises that the earlier scan did not find; empty for loads without consent. */
  verdicts: readonly BrokenPromise[];
  pageUrls: readonly string[];
}

export interface Regression {
  withoutConsent: readonly WorseResource[];
  brokenPromises: readonly WorseResource[];
  unknownHosts: readonly string[];
}

/** Those of the visit that `partialPages` is about. */
const FIRST_STATES: readonly ScanState[] = ['before', 'accepted'];

/** The states that show whether a promise is broken. */
const STATES = {
  loaded_despite_rejection: 'rejected',
  not_stopped_by_withdrawal: 'withdrawn',
} as const satisfies Partial<Record<Verdict, ScanState>>;

export type BrokenPromise = keyof typeof STATES;
const BROKEN_PROMISES = Object.keys(STATES) as BrokenPromise[];

/**
 * What is worse in the later scan; undefined if nothing is. What the earlier scan could not see, because it did not
 * visit a state, or a page failed or did not complete the state, is no regression. A page that both scans read in part
 * is compared: it may be so in every scan.
 */
export function findRegression(earlier: ComparedScan, later: ComparedScan): Regression | undefined {
  const wasScanned = ({ pageUrl }: { pageUrl: string }) =>
    !earlier.unscannedPages.includes(pageUrl);
  const wasCutShort = (pageUrl: string): boolean =>
    earlier.partialPages.includes(pageUrl) && !later.partialPages.includes(pageUrl);
  const findings = later.findings.filter(wasScanned);
  const wasLoaded = toKeys(earlier.findings.filter(loadsBeforeConsent));
  const withoutConsent = groupByResource(
    findings.filter(
      (finding) =>
        loadsBeforeConsent(finding) &&
        !wasCutShort(finding.pageUrl) &&
        !wasLoaded.has(finding.resourceKey),
    ),
    [],
  );
  const hasSeen = (pageUrl: string, state: ScanState): boolean => {
    if (FIRST_STATES.includes(state) && wasCutShort(pageUrl)) return false;
    const reached = earlier.reached.get(pageUrl);
    // A page that the earlier scan lacks may be new, and its problems with it.
    return reached ? reached.get(state)?.isComplete === true : earlier.states.includes(state);
  };
  const brokenPromises = BROKEN_PROMISES.flatMap((verdict) => {
    const isBroken = ({ verdicts }: SavedFinding) => verdicts.includes(verdict);
    const wasBroken = toKeys(earlier.findings.filter(isBroken));
    const broken = findings.filter(
      (finding) =>
        isBroken(finding) &&
        hasSeen(finding.pageUrl, STATES[verdict]) &&
        !wasBroken.has(finding.resourceKey),
    );
    return groupByResource(broken, [verdict]);
  });
  const knownHosts = new Set(earlier.unknownHosts.map(({ host }) => host));
  const isComparable = ({ pageUrl, states }: UnknownHost) =>
    states.length === 0 ? !wasCutShort(pageUrl) : states.some((state) => hasSeen(pageUrl, state));
  const newHosts = later.unknownHosts
    .filter((each) => wasScanned(each) && isComparable(each) && !knownHosts.has(each.host))
    .map(({ host }) => host);
  const unknownHosts = [...new Set(newHosts)];
  const isWorse = withoutConsent.length + brokenPromises.length + unknownHosts.length > 0;
  return isWorse
    ? { withoutConsent, brokenPromises: mergeVerdicts(brokenPromises), unknownHosts }
    : undefined;
}

const loadsBeforeConsent = ({ needsConsent, consentState }: SavedFinding): boolean =>
  needsConsent && consentState === 'before';

const toKeys = (findings: readonly SavedFinding[]) =>
  new Set(findings.map(({ resourceKey }) => resourceKey));

const groupByResource = (
  findings: readonly SavedFinding[],
  verdicts: readonly BrokenPromise[],
): WorseResource[] =>
  [...Map.groupBy(findings, ({ resourceKey }) => resourceKey).values()].flatMap((group) => {
    const pageUrls = group.map(({ pageUrl }) => pageUrl);
    return group[0] ? [{ finding: group[0], verdicts, pageUrls }] : [];
  });

/** One entry for each resource, with all of its verdicts and pages. */
function mergeVerdicts(worse: readonly WorseResource[]): WorseResource[] {
  return [...Map.groupBy(worse, ({ finding }) => finding.resourceKey).values()].flatMap((group) => {
    const verdicts = group.flatMap((each) => each.verdicts);
    const pageUrls = [...new Set(group.flatMap((each) => each.pageUrls))];
    return group[0] ? [{ finding: group[0].finding, verdicts, pageUrls }] : [];
  });
}
