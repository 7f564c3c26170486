import type { Db, Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { InvalidFieldError } from '../../../platform/errors.ts';
import {
  getScriptUrlProblem,
  insertScript,
  listRegistry,
  readRegisteredVendors,
  SCRIPTS_CHANGED,
  type Script,
  updateScript,
} from '../../scripts/index.ts';
import type { CurrentSettings } from '../../settings/index.ts';
import { readCookieLookup } from '../cookies/service.ts';
import type { SavedFinding } from '../findings/store.ts';
import { queueProof } from '../proof/queue.ts';
import { readProofs } from '../proof/service.ts';
import { getScan } from '../scans.ts';
import { lockScan, type Scan } from '../store.ts';
import { explainUnblockable } from './blocking-methods.ts';
import type { DecisionKind } from './open-reasons.ts';
import { type Evaluation, evaluateFindings, type NewEntry, planEntries } from './rules.ts';
import { insertDecisions, listEarlyFindings, readDecisions } from './store.ts';

export type EvaluateFinding = (finding: SavedFinding) => Evaluation<Script>;

/** The decisions about the findings of a scan. */
export interface ScanEvaluation {
  early: readonly SavedFinding[];
  evaluate: EvaluateFinding;
}

/** Evaluates the findings of a scan by the current decisions and script registry. */
export async function evaluateScan(
  db: Db | Trx,
  scan: Pick<Scan, 'id' | 'siteUrl' | 'startedAt'>,
  current: CurrentSettings,
): Promise<ScanEvaluation> {
  const early = await listEarlyFindings(db, scan.id);
  const lookUp = await readCookieLookup(db, current);
  const site = {
    decisions: await readDecisions(db, scan.siteUrl),
    registry: await listRegistry(db),
    isNecessary: (finding: SavedFinding) => lookUp(finding)?.isNecessary === true,
  };
  const findProof = await readProofs(db, scan, site);
  const circumstances = { ...site, scanStartedAt: scan.startedAt, findProof };
  const evaluations = evaluateFindings(early, circumstances);
  const evaluate: EvaluateFinding = (finding) => {
    const known = evaluations.get(finding.id);
    if (known) return known;
    const evaluated = evaluateFindings([finding], circumstances).get(finding.id);
    if (!evaluated) throw new Error('a finding was not evaluated');
    return evaluated;
  };
  return { early, evaluate };
}

/** @throws NotFoundError */
export const getScanEvaluation = async (
  db: Db,
  scanId: number,
  current: CurrentSettings,
): Promise<ScanEvaluation> => evaluateScan(db, await getScan(db, scanId), current);

export interface DecisionRequest {
  scanId: number;
  /** Ids of findings of the scan; undefined for all that are open. */
  findings: readonly number[] | undefined;
  decision: DecisionKind;
  reason: string | undefined;
  actor: string;
  /** Returns the changes without making them. */
  isDryRun: boolean;
  /** The protected site, which is the only one that servers scan. */
  siteUrl: string;
}

export interface DecisionResult {
  /** Findings of the scan that the decision covers, on all pages. */
  findings: number;
  /** The resources of these findings. */
  resources: number;
  /** Entries of the script registry that were added or turned on, or would be. */
  scripts: NewEntry[];
  skipped: { findingId: number; resourceKey: string; reason: string }[];
  /** The scan that checks what was blocked; null for scans of other sites, too. */
  proofScanId: number | null;
}

/**
 * Decides about findings on all pages of the scan and in later scans. Blocking adds missing entries to the script
 * registry and queues a scan of the pages concerned, in the same transaction.
 * @throws NotFoundError; InvalidFieldError for findings of another scan and a missing reason
 */
export async function decide(
  { datastore, clock }: Platform,
  current: CurrentSettings,
  { scanId, findings: ids, decision, reason, actor, isDryRun, siteUrl }: DecisionRequest,
): Promise<DecisionResult> {
  if ((decision === 'necessary' || decision === 'ignored') && !reason?.trim()) {
    throw new InvalidFieldError('reason', `reason is required for the decision ${decision}.`);
  }
  return datastore.transaction(async (trx, announce) => {
    const scan = await (isDryRun ? getScan : lockScan)(trx, scanId);
    const { early, evaluate } = await evaluateScan(trx, scan, current);
    const named = pickFindings(early, ids, evaluate);
    const { chosen, scripts, inactive, skipped } =
      decision === 'blocked'
        ? await planBlocking(trx, named, evaluate, current)
        : { chosen: named, scripts: [], inactive: [], skipped: [] };
    const also = decision === 'blocked' ? findBlockedWith(chosen, early, evaluate) : [];
    const resources = new Map(
      [...chosen, ...also].map((finding) => [finding.resourceKey, finding]),
    );
    if (!isDryRun) {
      for (const entry of scripts) {
        const added = await insertScript(trx, { ...entry, isActive: true }, clock.now());
        if (!added)
          throw new InvalidFieldError(
            'findings',
            `The handle ${entry.handle} was taken by another request. Try again.`,
          );
      }
      for (const { id } of inactive) await updateScript(trx, id, { isActive: true }, clock.now());
      announce(SCRIPTS_CHANGED, 'all');
      const decided = [...resources.values()].map(({ resourceKey, resourceType, name, url }) => ({
        ...{ resourceKey, resourceType, name, url, decision, actor },
        decidedAt: clock.now(),
        siteUrl: scan.siteUrl,
        reason: reason?.trim() || null,
      }));
      await insertDecisions(trx, decided);
    }
    const covered = early.filter(({ resourceKey }) => resources.has(resourceKey));
    const toCheck =
      decision === 'blocked' && !isDryRun
        ? [...covered, ...named.filter((finding) => isRegistered(evaluate(finding)))]
        : [];
    return {
      findings: covered.length,
      resources: resources.size,
      scripts: [...scripts, ...inactive],
      skipped,
      proofScanId:
        toCheck.length === 0 || scan.siteUrl !== siteUrl
          ? null
          : await queueProof(trx, announce, { findings: toCheck, siteUrl, now: clock.now() }),
    };
  });
}

/** Whether it was blocked earlier, so that a new scan may show that its tag has been replaced since. */
export const isRegistered = ({ entry, decision }: Evaluation<Script>): boolean =>
  entry?.isActive === true && decision?.decision === 'blocked';

function pickFindings(
  early: readonly SavedFinding[],
  ids: readonly number[] | undefined,
  evaluate: EvaluateFinding,
): SavedFinding[] {
  if (!ids) return early.filter((finding) => evaluate(finding).state === 'open');
  const byId = new Map(early.map((finding) => [finding.id, finding]));
  return ids.map((id) => {
    const finding = byId.get(id);
    if (finding) return finding;
    throw new InvalidFieldError(
      'findings',
      `findings: ${id} is not a finding of this scan that loads before consent and requires it.`,
    );
  });
}

/** The findings that are blocked with others: the tags that load them, and everything else that these load. */
function findBlockedWith(
  chosen: readonly SavedFinding[],
  early: readonly SavedFinding[],
  evaluate: EvaluateFinding,
): SavedFinding[] {
  const getTarget = (finding: SavedFinding) => (evaluate(finding).initiator ?? finding).resourceKey;
  const targets = new Set(chosen.map(getTarget));
  return early.filter(
    (finding) => evaluate(finding).state === 'open' && targets.has(getTarget(finding)),
  );
}

interface BlockingPlan {
  chosen: SavedFinding[];
  scripts: NewEntry[];
  /** Inactive entries, to be activated. */
  inactive: Script[];
  skipped: DecisionResult['skipped'];
}

async function planBlocking(
  trx: Trx,
  findings: readonly SavedFinding[],
  evaluate: EvaluateFinding,
  { settings }: CurrentSettings,
): Promise<BlockingPlan> {
  const plan: BlockingPlan = { chosen: [], scripts: [], inactive: [], skipped: [] };
  const registry = await listRegistry(trx);
  const { categories } = settings.consent;
  const ids = categories.map(({ id }) => id);
  const optional = categories.filter(({ required }) => !required);
  const registered = await readRegisteredVendors(trx, optional);
  for (const finding of findings) {
    const evaluation = evaluate(finding);
    const { initiator = finding, entry } = evaluation;
    const taken = [...registry, ...plan.scripts];
    const planned = entry ? [] : planEntries([initiator], taken, registered);
    const isPlanned = plan.scripts.some(({ scriptUrl }) => scriptUrl === planned[0]?.scriptUrl);
    const reason = getObstacle(initiator, evaluation, planned[0], ids);
    if (reason) {
      plan.skipped.push({ findingId: finding.id, resourceKey: finding.resourceKey, reason });
      continue;
    }
    plan.chosen.push(finding);
    if (!isPlanned) plan.scripts.push(...planned);
    if (entry && !entry.isActive && !plan.inactive.includes(entry)) plan.inactive.push(entry);
  }
  return plan;
}

/** Why a finding cannot be blocked, in a sentence that is true of several as well; undefined if it can be blocked. */
function getObstacle(
  toBlock: SavedFinding,
  { canBlock, entry, openReason }: Evaluation<Script>,
  planned: NewEntry | undefined,
  categories: readonly string[],
): string | undefined {
  if (!canBlock) return explainUnblockable(toBlock);
  if (entry && !entry.isActive && entry.extension !== null) {
    return `The extension ${entry.extension} has deactivated the script registry entry.`;
  }
  if (entry?.isActive && openReason !== 'undecided') {
    return 'The page still loads what the script registry has. Replace the tag in the page with the snippet of the entry.';
  }
  if (!planned) return undefined;
  if (!categories.includes(planned.category)) {
    return `The settings have no consent category ${planned.category}. Add the script to the registry with another category.`;
  }
  return getScriptUrlProblem(planned.scriptUrl);
}
