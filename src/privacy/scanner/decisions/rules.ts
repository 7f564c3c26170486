import type { SavedFinding } from '../findings/store.ts';
import { type FindProof, isSeenAtWork, type Proof } from '../proof/rules.ts';
import { getBlockingMethod, isPluginElement } from './blocking-methods.ts';
import {
  type Decision,
  explainOpen,
  getOrigin,
  type OpenReason,
  toAddress,
} from './open-reasons.ts';

export const FINDING_STATES = ['open', 'blocked', 'necessary', 'ignored'] as const;
type FindingState = (typeof FINDING_STATES)[number];

/** The fields of a script registry entry that matter for blocking. */
interface Registered {
  id: number;
  handle: string;
  label: string;
  scriptUrl: string;
  isActive: boolean;
}

/**
 * The registry entry that covers a finding, by the rules of automatic blocking (web/banner/auto-blocking.ts): the address
 * begins with the registered one, and the longest counts. Of several parameters, a finding does not have the order, and of
 * most not the value. So an address with a query covers only a finding with the same query of one parameter.
 */
function findEntry<T extends Registered>(
  { url }: Pick<SavedFinding, 'url'>,
  registry: readonly T[],
): T | undefined {
  const found = new URL(url);
  const covers = ({ scriptUrl }: T): boolean => {
    const entry = URL.parse(scriptUrl);
    if (!entry || entry.host !== found.host) return false;
    if (entry.search === '') return found.pathname.startsWith(entry.pathname);
    return (
      entry.pathname === found.pathname &&
      entry.search === found.search &&
      !found.search.includes('&')
    );
  };
  const covering = registry
    .filter(covers)
    .toSorted((a, b) => b.scriptUrl.length - a.scriptUrl.length);
  return covering.find(({ isActive }) => isActive) ?? covering[0];
}

/**
 * The finding on the same page that loads this one, followed to the first that the page itself loads.
 * Blocking that one blocks all that it loads.
 * @param page the findings of the page that need consent
 */
function findInitiator(
  finding: SavedFinding,
  page: readonly SavedFinding[],
  seen: readonly SavedFinding[] = [finding],
): SavedFinding | undefined {
  if (!finding.needsConsent || finding.sources.includes('html')) return undefined;
  const origin = getOrigin(finding);
  const initiator = page.find(
    (each) =>
      (getBlockingMethod(each) !== undefined || isPluginElement(each)) &&
      !seen.includes(each) &&
      (each.url === origin || (origin === undefined && each.name === finding.details.container)),
  );
  return initiator && (findInitiator(initiator, page, [...seen, initiator]) ?? initiator);
}

/** What is known about a finding beside the finding itself. */
export interface Evaluation<T extends Registered = Registered> {
  /** Null if no decision is needed: it does not require consent, or loads after it. */
  state: FindingState | null;
  openReason: OpenReason | null;
  decision: Decision | null;
  /** What a later proof scan shows of a finding that is blocked; null without one. */
  proof: Proof | null;
  /** The finding that loads it, which is the one to block. */
  initiator: SavedFinding | undefined;
  /** The entry of the initiator, or its own. */
  entry: T | undefined;
  /** Whether the registry can block it, by itself or with its initiator. */
  canBlock: boolean;
}

/** What the decisions of the owner make of the findings of a scan that need consent. */
export function evaluateFindings<T extends Registered>(
  findings: readonly SavedFinding[],
  {
    scanStartedAt,
    decisions,
    registry,
    isNecessary,
    findProof,
  }: {
    scanStartedAt: number;
    decisions: ReadonlyMap<string, Decision>;
    registry: readonly T[];
    /** Whether the owner has classified a cookie as strictly necessary. */
    isNecessary: (finding: SavedFinding) => boolean;
    findProof: FindProof;
  },
): Map<number, Evaluation<T>> {
  const pages = Map.groupBy(
    findings.filter(({ needsConsent }) => needsConsent),
    ({ pageUrl }) => pageUrl,
  );
  const evaluate = (finding: SavedFinding): Evaluation<T> => {
    const initiator = findInitiator(finding, pages.get(finding.pageUrl) ?? []);
    const toBlock = initiator ?? finding;
    const entry = findEntry(toBlock, registry);
    const decision = decisions.get(finding.resourceKey) ?? null;
    const canBlock = getBlockingMethod(toBlock) !== undefined;
    // Nothing blocks it any more, whatever an earlier check has proven.
    const isReleased =
      decision?.decision === 'blocked' &&
      canBlock &&
      !entry?.isActive &&
      (finding.needsConsent || isOnlyBlockedByEntry(finding, entry));
    const proof = isReleased ? null : findProof(finding, decision);
    const facts = { decision, proof, isReleased, isNecessary: isNecessary(finding), scanStartedAt };
    const state = toState(finding, facts);
    const explain = () =>
      isSeenAtWork(proof) ? proof.reason : explainOpen(finding, { decision, entry, canBlock });
    return {
      state,
      openReason: state === 'open' ? explain() : null,
      decision: decision?.decision === 'open' ? null : decision,
      proof: state === 'necessary' ? null : proof,
      initiator,
      entry,
      canBlock,
    };
  };
  return new Map(findings.map((finding) => [finding.id, evaluate(finding)]));
}

/**
 * Whether an entry of its own has blocked a finding that loads only after consent. Otherwise the page itself blocks it,
 * or another script loads it, which may still be blocked.
 */
const isOnlyBlockedByEntry = (finding: SavedFinding, entry: Registered | undefined): boolean =>
  !finding.blocked &&
  (entry !== undefined ||
    finding.sources.includes('html') ||
    getOrigin(finding) === toAddress(finding.pageUrl));

function toState(
  { needsConsent, blocked, details }: SavedFinding,
  {
    decision,
    proof,
    isReleased,
    isNecessary,
    scanStartedAt,
  }: {
    decision: Decision | null;
    proof: Proof | null;
    isReleased: boolean;
    isNecessary: boolean;
    scanStartedAt: number;
  },
): FindingState | null {
  if (!needsConsent) {
    if (blocked || (decision?.decision === 'blocked' && !isReleased)) return 'blocked';
    return details.necessary === true ? 'necessary' : null;
  }
  if (isNecessary) return 'necessary';
  if (isReleased || isSeenAtWork(proof)) return 'open';
  if (proof?.status === 'proven') return 'blocked';
  if (!decision) return 'open';
  // Whether blocking works only a scan that was started later can tell.
  if (decision.decision === 'blocked' && decision.decidedAt < scanStartedAt) return 'open';
  return decision.decision;
}

/** Fields of a new script registry entry. */
export interface NewEntry {
  handle: string;
  label: string;
  category: string;
  scriptUrl: string;
  blockingMethod: string;
}

const LABEL_MAX_LENGTH = 200;
const HANDLE_MAX_LENGTH = 64;

/** What neither a vendor nor the owner has given a category certainly needs consent. */
const FALLBACK_CATEGORY = 'marketing';

/**
 * The entries that the registry lacks to block some findings, each address once.
 * @param registered the optional categories of a vendor's active scripts, by slug
 */
export function planEntries(
  findings: readonly SavedFinding[],
  registry: readonly Pick<Registered, 'handle' | 'label'>[],
  registered: ReadonlyMap<string, readonly string[]>,
): NewEntry[] {
  const planned: NewEntry[] = [];
  for (const finding of findings) {
    const blockingMethod = getBlockingMethod(finding);
    const scriptUrl = toAddress(finding.url);
    if (!blockingMethod || planned.some((each) => each.scriptUrl === scriptUrl)) continue;
    const taken = [...registry, ...planned];
    const owner = finding.vendor?.name ?? finding.host;
    const file = new URL(scriptUrl).pathname.split('/').findLast(Boolean) ?? '/';
    const isFirst = !taken.some(({ label }) => label === owner);
    const label = (isFirst ? owner : `${owner}: ${file}`).slice(0, LABEL_MAX_LENGTH);
    const handle = toFreeHandle(label, taken);
    const [asked] = registered.get(finding.vendor?.slug ?? '') ?? [];
    const category = asked ?? finding.category ?? FALLBACK_CATEGORY;
    planned.push({ handle, label, category, scriptUrl, blockingMethod });
  }
  return planned;
}

function toFreeHandle(label: string, taken: readonly { handle: string }[]): string {
  const wanted =
    label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, HANDLE_MAX_LENGTH) || 'script';
  let handle = wanted;
  for (let next = 2; taken.some((each) => each.handle === handle); next += 1) {
    handle = `${wanted.slice(0, HANDLE_MAX_LENGTH - 6)}-${next}`;
  }
  return handle;
}
