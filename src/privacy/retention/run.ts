import {
  countDueRecords,
  countRecordsUnderLegalHold,
  type DueRecords,
  type PersonalDataDeclaration,
  processInBatches,
} from '../../personal-data/index.ts';
import { databaseFault, requestPurge } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { ApiError } from '../../platform/errors.ts';
import { partition } from './rules.ts';
import {
  addToRun,
  findRun,
  finishRun,
  insertRun,
  type PolicyOutcome,
  updateDetail,
} from './runs/store.ts';
import { getPolicy, listDatedTypes } from './service.ts';
import { listPolicies, type Policy } from './store.ts';

/** What retention works on, and by which calendar. */
export interface RetentionScope {
  personalData: readonly PersonalDataDeclaration[];
  /** The zone of the site, for whole days. */
  timeZone: string;
}

export interface RunRequest {
  dryRun: boolean;
  /** One policy instead of all that are active. */
  policyId?: number | undefined;
  /** Who or what started it: a login, for the list of runs. */
  startedBy: string;
  signal?: AbortSignal | undefined;
  /** Hears of each batch how many records it had. */
  onProgress?: (records: number) => void;
}

export interface RunResult {
  /** Null for a dry run, and where there was nothing to run. */
  runId: number | null;
  asOf: number;
  dryRun: boolean;
  outcomes: PolicyOutcome[];
}

type Runner = Pick<Platform, 'datastore' | 'clock' | 'hooks' | 'log'>;

/** A policy's share of what is due; no claim where its category is not known. */
interface Work {
  policy: Policy;
  claim: DueRecords | undefined;
  outcome: PolicyOutcome;
}

/**
 * Runs retention policies, or says what they would do: both ask the same of the same moment. One
 * that fails does not stop the others; what it did in whole batches stays.
 * @throws RestError 404 for an unknown policy; ApiError 500 `update_failed` if there was only one
 * policy and it could do nothing, 503 `service_unavailable` if the database is away
 */
export async function runRetention(
  platform: Runner,
  scope: RetentionScope,
  request: RunRequest,
): Promise<RunResult> {
  const asOf = platform.clock.now();
  const works = await plan(platform, scope, request, asOf);
  const { dryRun } = request;
  const result =
    dryRun || works.length === 0
      ? { runId: null, outcomes: await countDue(platform, works) }
      : await perform(platform, works, request, asOf);
  const [only] = result.outcomes;
  if (works.length === 1 && works[0]?.claim && only?.error && only.recordsAffected === 0) {
    throw new ApiError(500, 'update_failed', `${only.policyName}: ${only.error}`);
  }
  platform.hooks.announce('svc_retention_run', () => [
    {
      results: result.outcomes.map((outcome) => ({
        policy_name: outcome.policyName,
        data_category: outcome.dataCategory,
        action: outcome.action,
        records_affected: outcome.recordsAffected,
      })),
      policies_run: result.outcomes.length,
      total_affected: sumRecords(result.outcomes),
      dry_run: dryRun,
    },
  ]);
  return { ...result, asOf, dryRun };
}

export const sumRecords = (outcomes: readonly PolicyOutcome[]): number =>
  outcomes.reduce((sum, { recordsAffected }) => sum + recordsAffected, 0);

/** Whose turn it is, and what falls to each. */
async function plan(
  platform: Runner,
  { personalData, timeZone }: RetentionScope,
  { policyId }: RunRequest,
  asOf: number,
): Promise<Work[]> {
  const chosen =
    policyId === undefined
      ? await listPolicies(platform.datastore.db, { isActive: true })
      : [await getPolicy(platform, policyId)].filter(({ isActive }) => isActive);
  const policies = await filterByExtensions(platform, chosen);
  const types = listDatedTypes(personalData);
  const shares = partition(policies, asOf, timeZone);
  return policies.map((policy, at) => {
    const { from, before } = shares[at] as (typeof shares)[number];
    const type = types.find(({ category }) => category === policy.dataCategory);
    return {
      policy,
      claim: type && { type, action: policy.action, from, before },
      outcome: {
        policyId: policy.id,
        policyName: policy.name,
        dataCategory: policy.dataCategory,
        action: policy.action,
        dueBefore: before,
        recordsAffected: 0,
        recordsHeld: 0,
        error: null,
      },
    };
  });
}

/** An extension can take a policy out of a run; it can neither add nor change one. */
async function filterByExtensions({ hooks }: Runner, policies: Policy[]): Promise<Policy[]> {
  const left = await hooks.applyFilters(
    'svc_retention_policies',
    policies.map(({ id, name, dataCategory, action }) => ({
      id,
      name,
      data_category: dataCategory,
      action,
    })),
  );
  const ids = new Set(left.map((policy) => policy?.id));
  return policies.filter(({ id }) => ids.has(id));
}

/** Counts, and writes nothing. */
async function countDue(platform: Runner, works: readonly Work[]): Promise<PolicyOutcome[]> {
  const outcomes: PolicyOutcome[] = [];
  const { db } = platform.datastore;
  for (const { claim, outcome } of works) {
    const error = await attempt(platform, outcome, claim, async (of) => {
      outcome.recordsHeld = await countRecordsUnderLegalHold(db, of);
      outcome.recordsAffected = await countDueRecords(db, of);
    });
    outcomes.push({ ...outcome, error });
  }
  return outcomes;
}

async function perform(
  platform: Runner,
  works: readonly Work[],
  { startedBy, signal, onProgress }: RunRequest,
  asOf: number,
): Promise<{ runId: number; outcomes: PolicyOutcome[] }> {
  const { datastore, clock, log } = platform;
  const { id, details } = await datastore.transaction((trx) =>
    insertRun(
      trx,
      { startedBy, asOf, startedAt: asOf },
      works.map(({ outcome }) => outcome),
    ),
  );
  for (const [at, { claim, outcome }] of works.entries()) {
    const detail = details[at] as number;
    const error = await attempt({ log, signal }, outcome, claim, async (of) => {
      const recordsHeld = await countRecordsUnderLegalHold(datastore.db, of);
      if (recordsHeld > 0)
        await datastore.transaction((trx) => updateDetail(trx, detail, { recordsHeld }));
      await processInBatches(datastore, of, {
        at: asOf,
        signal,
        async record(trx, records) {
          await addToRun(trx, id, detail, records, clock.now());
          onProgress?.(records);
        },
      });
    });
    if (error) await datastore.transaction((trx) => updateDetail(trx, detail, { error }));
  }
  await datastore.transaction(async (trx) => {
    await finishRun(trx, id, asOf, clock.now());
    await requestPurge(trx);
  });
  const run = await findRun(datastore.db, id);
  return { runId: id, outcomes: run?.outcomes ?? [] };
}

/** @returns what went wrong, in words for the administrator; what exactly is for the log */
async function attempt(
  { log, signal }: Pick<Runner, 'log'> & Pick<RunRequest, 'signal'>,
  { policyId, dataCategory }: PolicyOutcome,
  claim: DueRecords | undefined,
  work: (claim: DueRecords) => Promise<void>,
): Promise<string | null> {
  if (!claim) return `There are no records of the category ${dataCategory}.`;
  try {
    await work(claim);
    return null;
  } catch (error) {
    const isAway = databaseFault(error) === 'unavailable' || error instanceof ApiError;
    if (isAway || signal?.aborted) throw error;
    log.error({ err: error, policyId, dataCategory }, 'a retention policy failed');
    return 'The records could not be changed. What was done before stays, and the log says more.';
  }
}
