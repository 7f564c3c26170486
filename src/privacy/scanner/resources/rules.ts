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
  /** Of all pages. */
  findings: readonly SavedFinding[];
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

/** Most urgent first: loaded without consent, of these open, then loaded before consent. */
const compareUrgency = (a: SavedFinding, b: SavedFinding, evaluate: EvaluateFinding): number =>
  Number(b.needsConsent) - Number(a.needsConsent) ||
  STATE_ORDER.indexOf(evaluate(a).state) - STATE_ORDER.indexOf(evaluate(b).state) ||
  Number(b.brokenPromise) - Number(a.brokenPromise) ||
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
      findings: group,
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

/** Whether it loaded before consent on a page, or only after it. */
export const getConsentState = ({
  findings,
}: Pick<ScannedResource, 'findings'>): SavedFinding['consentState'] =>
  findings.some(({ consentState }) => consentState === 'before') ? 'before' : 'after';

/** What loaded before consent and needs it did both on one page, as the counts of a scan have it. */
function matchesConsent(
  { finding, findings }: ScannedResource,
  { consent_state, needs_consent }: ResourceFilter,
): boolean {
  if (!isEqual(consent_state, getConsentState({ findings }))) return false;
  return needs_consent && consent_state === 'before'
    ? findings.some((each) => each.needsConsent && each.consentState === 'before')
    : isEqual(needs_consent, finding.needsConsent);
}

export function matchesFilter(resource: ScannedResource, filter: ResourceFilter): boolean {
  const { finding, evaluation, pageUrls, verdicts } = resource;
  const text = `${finding.name} ${finding.url} ${finding.vendor?.name ?? ''}`.toLowerCase();
  return (
    isEqual(filter.resource_type, finding.resourceType) &&
    matchesConsent(resource, filter) &&
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
