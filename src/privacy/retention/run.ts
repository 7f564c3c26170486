import {
  countDueRecords,
  countRecordsUnderLegalHold,
  type DueRecords,
  type PersonalDataDeclaration,
  processInBatches,
} from '../../personal-data/index.ts';
import { databaseFault, requestPurge } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { retentionChanges } from './retention.ts';
import { partition } from './rules.ts';
import {
  addToRun,
  anonymiseRuns,
  findRun,
  finishRun,
  insertRun,
  type PolicyOutcome,
  updateDetail,
} from './runs/store.ts';
import { getPolicy, listDatedTypes } from './service.ts';
import { listPolicies, type Policy } from './store.ts';

export interface RetentionScope {
  personalData: readonly PersonalDataDeclaration[];
  /** The time zone of the site, for calendar days. */
  timeZone: string;
}

export interface RunRequest {
  dryRun: boolean;
  /** Runs one policy instead of all active ones. */
  policyId?: number | undefined;
  /** A login, or `schedule`. */
  startedBy: string;
  signal?: AbortSignal | undefined;
  /** Called with the number of records of each batch. */
  onProgress?: (records: number) => void;
}

export interface RunResult {
  /** Null for a dry run, and if there was nothing to run. */
  runId: number | null;
  asOf: number;
  dryRun: boolean;
  outcomes: PolicyOutcome[];
}

type Runner = Pick<Platform, 'datastore' | 'clock' | 'hooks' | 'log'>;

/** The due records of a policy; undefined if its category is unknown. */
interface Work {
  due: DueRecords | undefined;
  outcome: PolicyOutcome;
}

/**
 * Runs retention policies, or counts what they would do. If one fails, the others still run, and its completed batches
 * stay.
 * @throws NotFoundError; DomainError 500 `update_failed` if the only policy could do nothing; 503
 * `service_unavailable` if the database cannot be reached
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
  if (works.length === 1 && works[0]?.due && only?.error && only.recordsAffected === 0) {
    throw new DomainError('internal', 'update_failed', `${only.policyName}: ${only.error}`);
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
  const ranges = partition(policies, asOf, timeZone);
  return policies.map(({ id: policyId, name: policyName, dataCategory, action }, at) => {
    const { from, before } = ranges[at] as (typeof ranges)[number];
    const type = types.find(({ category }) => category === dataCategory);
    return {
      due: type && { type, action, from, before },
      outcome: {
        policyId,
        policyName,
        dataCategory,
        action,
        dueBefore: before,
        recordsAffected: 0,
        recordsHeld: 0,
        error: null,
      },
    };
  });
}

/** Extensions can exclude policies from a run, but neither add nor change them. */
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

/** Writes nothing. */
async function countDue(platform: Runner, works: readonly Work[]): Promise<PolicyOutcome[]> {
  const outcomes: PolicyOutcome[] = [];
  const { db } = platform.datastore;
  for (const { due, outcome } of works) {
    const error = await attempt(platform, outcome, due, async (records) => {
      outcome.recordsHeld = await countRecordsUnderLegalHold(db, records);
      outcome.recordsAffected = await countDueRecords(db, records);
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
      { startedBy, asOf, startedAt: asOf, lastSeenAt: asOf },
      works.map(({ outcome }) => outcome),
    ),
  );
  // Parts first: with their records, they would not be counted.
  const order = [...works.entries()].sort(
    ([, a], [, b]) => Number(isPartOfOthers(b, works)) - Number(isPartOfOthers(a, works)),
  );
  for (const [at, { due, outcome }] of order) {
    const detail = details[at] as number;
    const error = await attempt({ log, signal }, outcome, due, async (records) => {
      const recordsHeld = await countRecordsUnderLegalHold(datastore.db, records);
      if (recordsHeld > 0)
        await datastore.transaction((trx) => updateDetail(trx, detail, { recordsHeld }));
      await processInBatches(datastore, records, {
        now: () => clock.now(),
        cause: { cause: 'retention', run: id, policy: outcome.policyId },
        signal,
        async record(trx, count) {
          await addToRun(trx, id, detail, count, clock.now());
          onProgress?.(count);
        },
      });
      // Runs have no policy of their own. A hold on due entries keeps their users as well.
      if (records.type.category === retentionChanges.category && recordsHeld === 0)
        await datastore.transaction((trx) => anonymiseRuns(trx, records));
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

/** Whether the table of a policy is a part of the records of another one. */
const isPartOfOthers = ({ due }: Work, works: readonly Work[]): boolean =>
  works.some((other) => other.due?.type.parts?.some(({ table }) => table === due?.type.table));

/** @returns an error message for administrators; the cause is logged */
async function attempt(
  { log, signal }: Pick<Runner, 'log'> & Pick<RunRequest, 'signal'>,
  { policyId, dataCategory }: PolicyOutcome,
  due: DueRecords | undefined,
  work: (due: DueRecords) => Promise<void>,
): Promise<string | null> {
  if (!due) return `The category ${dataCategory} does not exist.`;
  try {
    await work(due);
    return null;
  } catch (error) {
    const isUnavailable =
      databaseFault(error) === 'unavailable' ||
      (error as { code?: unknown }).code === 'service_unavailable';
    if (isUnavailable || signal?.aborted) throw error;
    log.error({ err: error, policyId, dataCategory }, 'a retention policy failed');
    return 'The records could not be changed. Completed batches stay. The cause is in the log.';
  }
}
