import type { ResourceType } from '../classify/finding.ts';
import type { Evaluation } from '../decisions/rules.ts';
import type { EvaluateFinding } from '../decisions/service.ts';
import type { SavedFinding } from '../findings/store.ts';
import { SCAN_STATES, type ScanState } from '../observation.ts';
import { VERDICTS, type Verdict } from '../verdicts/verdict.ts';
import { isBrokenPromise } from '../verdicts/without-consent.ts';

/** A resource that a scan found on one or more pages. */
export interface ScannedResource {
  /** The finding that speaks for all: the one that most needs attention. */
  finding: SavedFinding;
  evaluation: ReturnType<EvaluateFinding>;
  /** Findings to send to `decisions`: one for each resource that loads it, on any page. */
  decisionIds: number[];
  /** Epoch milliseconds; the earliest of all its findings. */
  firstSeen: number;
  pageUrls: string[];
  /** On any page, in the order of `SCAN_STATES`. */
  states: ScanState[];
  /** On any page, in the order of `VERDICTS`. */
  verdicts: Verdict[];
}

const STATE_ORDER = ['open', 'blocked', 'ignored', 'necessary', null] as const;

/** Most urgent first: open, then loaded before consent. */
const compareUrgency = (a: SavedFinding, b: SavedFinding, evaluate: EvaluateFinding): number =>
  STATE_ORDER.indexOf(evaluate(a).state) - STATE_ORDER.indexOf(evaluate(b).state) ||
  Number(b.brokenPromise) - Number(a.brokenPromise) ||
  Number(b.needsConsent) - Number(a.needsConsent) ||
  Number(b.consentState === 'before') - Number(a.consentState === 'before') ||
  a.id - b.id;

/** Groups the findings of all pages: the same resource on several pages becomes one row. */
export function groupFindings(
  findings: readonly SavedFinding[],
  evaluate: EvaluateFinding,
): ScannedResource[] {
  return [...Map.groupBy(findings, ({ resourceKey }) => resourceKey).values()].map((group) => {
    const [finding] = group.toSorted((a, b) => compareUrgency(a, b, evaluate));
    if (!finding) throw new Error('a group without findings');
    const byInitiator = Map.groupBy(
      group.filter(({ needsConsent }) => needsConsent),
      (each) => evaluate(each).initiator?.resourceKey,
    );
    return {
      finding,
      evaluation: evaluate(finding),
      decisionIds: [...byInitiator.values()].flatMap(([first]) => (first ? [first.id] : [])),
      firstSeen: Math.min(...group.map(({ firstSeen }) => firstSeen)),
      pageUrls: group.map(({ pageUrl }) => pageUrl),
      states: SCAN_STATES.filter((state) => group.some(({ states }) => states.includes(state))),
      verdicts: VERDICTS.filter((verdict) =>
        group.some(({ verdicts }) => verdicts.includes(verdict)),
      ),
    };
  });
}

/** The filters of the route. */
export interface ResourceFilter {
  resource_type?: ResourceType;
  consent_state?: SavedFinding['consentState'];
  needs_consent?: boolean;
  state?: Evaluation['state'];
  verdict?: Verdict;
  broken_promise?: boolean;
  /** The slug of a vendor. */
  vendor?: string;
  page_url?: string;
  search?: string;
}

const isEqual = (wanted: unknown, actual: unknown): boolean =>
  wanted === undefined || wanted === actual;

export function matchesFilter(
  { finding, evaluation, pageUrls, verdicts }: ScannedResource,
  filter: ResourceFilter,
): boolean {
  const text = `${finding.name} ${finding.url} ${finding.vendor?.name ?? ''}`.toLowerCase();
  return (
    isEqual(filter.resource_type, finding.resourceType) &&
    isEqual(filter.consent_state, finding.consentState) &&
    isEqual(filter.needs_consent, finding.needsConsent) &&
    isEqual(filter.state, evaluation.state) &&
    (filter.verdict === undefined || verdicts.includes(filter.verdict)) &&
    isEqual(filter.broken_promise, isBrokenPromise(verdicts)) &&
    isEqual(filter.vendor, finding.vendor?.slug) &&
    (filter.page_url === undefined || pageUrls.includes(filter.page_url)) &&
    text.includes(filter.search?.toLowerCase() ?? '')
  );
}

export const RESOURCE_ORDERS = [
  'urgency',
  'name',
  'resource_type',
  'vendor',
  'category',
  'pages',
  'first_seen',
] as const;
type ResourceOrder = (typeof RESOURCE_ORDERS)[number];

type SortKey = string | number | undefined;

const SORT_KEYS: Record<ResourceOrder, (resource: ScannedResource) => SortKey> = {
  urgency: ({ evaluation, finding, verdicts }) =>
    STATE_ORDER.indexOf(evaluation.state) * 2 +
    Number(!finding.needsConsent) -
    (isBrokenPromise(verdicts) ? 2 * STATE_ORDER.length : 0),
  name: ({ finding }) => finding.name.toLowerCase(),
  resource_type: ({ finding }) => finding.resourceType,
  vendor: ({ finding }) => finding.vendor?.name.toLowerCase(),
  category: ({ finding }) => finding.category ?? undefined,
  pages: ({ pageUrls }) => pageUrls.length,
  first_seen: ({ firstSeen }) => firstSeen,
};

/** What is unknown comes last in both directions. */
function compareKeys(a: SortKey, b: SortKey, direction = 1): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -direction : direction;
}

/** Those of a vendor follow each other. Equal ones are ordered by id, so that pagination is stable. */
export function sortResources(
  resources: readonly ScannedResource[],
  orderBy: ResourceOrder,
  order: 'asc' | 'desc',
): ScannedResource[] {
  const direction = order === 'asc' ? 1 : -1;
  const toKey = SORT_KEYS[orderBy];
  return resources.toSorted(
    (a, b) =>
      compareKeys(toKey(a), toKey(b), direction) ||
      compareKeys(SORT_KEYS.vendor(a), SORT_KEYS.vendor(b)) ||
      a.finding.id - b.finding.id,
  );
}
