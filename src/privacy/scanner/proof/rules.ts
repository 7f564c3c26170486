import {
  type Decision,
  getOrigin,
  loadsWithoutScripts,
  OPEN_REASONS,
  type OpenReason,
} from '../decisions/open-reasons.ts';
import type { SavedFinding } from '../findings/store.ts';
import type { Scan } from '../store.ts';
import type { Verdict } from '../verdicts/verdict.ts';

export const PROOF_STATUSES = ['pending', 'proven', 'not_proven'] as const;

/** Why a block is not proven: what still loads the resource, or why the scan cannot tell. */
export const PROOF_REASONS = [
  ...OPEN_REASONS,
  'page_failed',
  'page_partial',
  'no_browser',
  'scan_ended',
] as const;
type ProofReason = (typeof PROOF_REASONS)[number];

/** What a proof scan shows of a resource that was blocked. */
export interface Proof {
  scanId: number;
  status: (typeof PROOF_STATUSES)[number];
  /** Null unless it is not proven. */
  reason: ProofReason | null;
  /** The script or document that still loads it, if known. */
  initiator: string | null;
  /** When the scan was completed, in epoch milliseconds; null before. */
  checkedAt: number | null;
  /** The scan that checks it now, which may be a later one; null if none does. */
  pendingScanId: number | null;
}

export type FindProof = (finding: SavedFinding, decision: Decision | null) => Proof | null;

/** Whether the proof scan saw the resource at work, so that blocking it has failed. */
export const isSeenAtWork = (proof: Proof | null): proof is Proof & { reason: OpenReason } =>
  OPEN_REASONS.some((reason) => reason === proof?.reason);

export interface ProofPage {
  scan: Pick<Scan, 'id' | 'status' | 'engine' | 'startedAt' | 'completedAt'>;
  id: number;
  url: string;
  state: 'planned' | 'scanned' | 'failed';
  /** A browser visited it before a choice. */
  isVisited: boolean;
  /** A visit that tells ended early, or not all of the page was read. */
  isPartial: boolean;
}

/** The pages of proof scans with one URL. */
export interface ProofPages {
  latest: ProofPage;
  /** The latest of a completed scan that a browser visited. */
  visited: ProofPage | undefined;
}

/** Whether a check tells something: one that was cancelled or could not open the page does not. */
export const hasResult = ({ scan, state, isVisited }: ProofPage): boolean =>
  scan.status === 'completed' && state === 'scanned' && isVisited;

const isPending = ({ scan: { status } }: ProofPage): boolean =>
  status === 'queued' || status === 'started';

/** What must be at work only with consent. */
const REFUTING = [
  'loaded_without_consent',
  'loaded_despite_rejection',
  'not_stopped_by_withdrawal',
] as const satisfies readonly Verdict[];

/**
 * What a page of a proof scan shows of a resource.
 * @param pages.latest the page in a later scan, or the same
 * @param found the finding of this page; undefined if it has none
 * @param explain why a finding loads before consent
 */
export function toProof(
  { page, latest }: { page: ProofPage; latest: ProofPage },
  found: SavedFinding | undefined,
  explain: (finding: SavedFinding) => OpenReason,
): Proof {
  const { scan, state, isVisited, isPartial } = page;
  const pendingScanId = isPending(latest) ? latest.scan.id : null;
  const proof = { scanId: scan.id, initiator: null, checkedAt: scan.completedAt, pendingScanId };
  const fail = (reason: ProofReason) => ({ ...proof, status: 'not_proven', reason }) as const;
  if (isPending(page)) return { ...proof, status: 'pending', reason: null };
  if (scan.status !== 'completed') return fail('scan_ended');
  if (state !== 'scanned') return fail('page_failed');
  if (!isVisited) return fail(scan.engine === 'html' ? 'no_browser' : 'page_failed');
  const verdict = REFUTING.find((each) => found?.verdicts.includes(each));
  if (!verdict && found && loadsWithoutScripts(found)) return fail('in_noscript');
  if (!found || !verdict) {
    return isPartial ? fail('page_partial') : { ...proof, status: 'proven', reason: null };
  }
  const reason = verdict === 'loaded_without_consent' ? explain(found) : verdict;
  const origin = getOrigin(found);
  return { ...fail(reason), initiator: typeof origin === 'string' ? origin : null };
}
