import { isDeepStrictEqual } from 'node:util';
import {
  hasRecord,
  insertLegalHold,
  type LegalHold,
  liftLegalHold as markLifted,
  type PersonalDataDeclaration,
} from '../../personal-data/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { hasFact, insertFact } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { invalidParam, notFound } from '../../platform/rest/errors.ts';
import { insertChange } from './changes/store.ts';
import { isPeriodTooLong, type Period } from './rules.ts';
import {
  deletePolicy,
  findPolicy,
  insertPolicy,
  lockPolicy,
  type Policy,
  type PolicyFields,
  updatePolicy,
} from './store.ts';

type Store = Pick<Platform, 'datastore' | 'clock'>;

/** The records that policies can be about: those with an age. */
export const listDatedTypes = (types: readonly PersonalDataDeclaration[]) =>
  types.filter((type): type is PersonalDataDeclaration & { due: string } => type.due !== undefined);

/**
 * Adds a policy.
 * @throws RestError 400 `rest_invalid_param` for a period of more than a hundred years, and for
 * deleting records that can be anonymised only
 */
export function createPolicy(
  { datastore, clock }: Store,
  types: readonly PersonalDataDeclaration[],
  fields: PolicyFields,
  actor: string,
): Promise<Policy> {
  assertPeriod(fields);
  assertAction(types, fields);
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    const policy = await insertPolicy(trx, fields, at);
    const change = { before: null, after: toHistory(policy), reason: null };
    await insertChange(trx, {
      ...{ at, actor, subject: 'policy', subjectId: policy.id, action: 'created' },
      ...change,
    });
    return policy;
  });
}

/**
 * Changes the fields that are given.
 * @throws RestError 404; 400 `rest_invalid_param` as with `createPolicy`
 */
export function changePolicy(
  { datastore, clock }: Store,
  types: readonly PersonalDataDeclaration[],
  id: number,
  fields: Partial<PolicyFields>,
  actor: string,
): Promise<Policy> {
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    const previous = await lockPolicy(trx, id);
    const policy = previous && (await updatePolicy(trx, id, fields, at));
    if (!policy) throw notFound('The retention policy');
    assertPeriod(policy);
    assertAction(types, policy);
    const [before, after] = [toHistory(previous), toHistory(policy)];
    // What says the same as before is no change.
    if (isDeepStrictEqual(before, after)) return policy;
    await insertChange(trx, {
      ...{ at, actor, subject: 'policy', subjectId: id, action: 'updated' },
      ...{ before, after, reason: null },
    });
    return policy;
  });
}

/** What the history keeps of a policy: what decides which records it is about, and what happens to them. */
const toHistory = (policy: Policy) => ({
  name: policy.name,
  data_category: policy.dataCategory,
  period_value: policy.periodValue,
  period_unit: policy.periodUnit,
  action: policy.action,
  is_active: policy.isActive ? 1 : 0,
});

/**
 * @returns the policy, which must be there
 * @throws RestError 404
 */
export async function getPolicy({ datastore }: Store, id: number): Promise<Policy> {
  const policy = await findPolicy(datastore.db, id);
  if (!policy) throw notFound('The retention policy');
  return policy;
}

/**
 * Deletes a policy; what it did stays in the list of runs, and what it said in the change history.
 * @returns what it was
 * @throws RestError 404
 */
export function removePolicy(
  { datastore, clock }: Store,
  id: number,
  actor: string,
): Promise<Policy> {
  return datastore.transaction(async (trx) => {
    const policy = await deletePolicy(trx, id);
    if (!policy) throw notFound('The retention policy');
    await insertChange(trx, {
      ...{ at: clock.now(), actor, subject: 'policy', subjectId: id, action: 'deleted' },
      ...{ before: toHistory(policy), after: null, reason: null },
    });
    return policy;
  });
}

/** Gives each kind of record the policy it starts with, once; what is changed or deleted later stays so. */
export async function seedPolicies(
  { datastore, clock }: Store,
  types: readonly PersonalDataDeclaration[],
): Promise<void> {
  for (const { category, policy } of types) {
    const seed = `retention_policy_${category}`;
    if (!policy || (await hasFact(datastore.db, seed))) continue;
    await datastore.transaction(async (trx) => {
      const now = clock.now();
      if (!(await insertFact(trx, seed, toIsoMoment(now)))) return;
      await insertPolicy(trx, { ...policy, dataCategory: category }, now);
    });
  }
}

/**
 * Keeps a record, or with no id a whole category, from every policy and erasure.
 * @throws RestError 400 `rest_invalid_param` if there is no such record: a hold on a mistyped id
 * would keep nothing
 */
export function placeHold(
  { datastore, clock }: Store,
  type: PersonalDataDeclaration,
  hold: Pick<LegalHold, 'recordId' | 'reason' | 'placedBy'>,
): Promise<LegalHold> {
  return datastore.transaction(async (trx) => {
    if (hold.recordId !== null && !(await hasRecord(trx, type, hold.recordId))) {
      const message = `There is no record ${hold.recordId} of the category ${type.category}.`;
      throw invalidParam('record_id', message);
    }
    const at = clock.now();
    const placed = await insertLegalHold(trx, {
      ...hold,
      dataCategory: type.category,
      createdAt: at,
    });
    const { id: subjectId, placedBy: actor, reason } = placed;
    await insertChange(trx, {
      ...{ at, actor, subject: 'hold', subjectId, action: 'placed' },
      ...{ before: null, after: toCoverage(placed), reason },
    });
    return placed;
  });
}

/**
 * Lifts a hold. It stays in the list of lifted holds.
 * @returns what it was
 * @throws RestError 404; 400 `rest_invalid_param` for a blank reason
 */
export function releaseHold(
  { datastore, clock }: Store,
  id: number,
  { by, reason: given }: { by: string; reason: string | undefined },
): Promise<LegalHold> {
  const reason = given?.trim() ?? null;
  if (reason === '') throw invalidParam('reason', 'Say why the hold is lifted.');
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    const hold = await markLifted(trx, id, { at, by, reason });
    if (!hold) throw notFound('The hold');
    await insertChange(trx, {
      ...{ at, actor: by, subject: 'hold', subjectId: id, action: 'lifted' },
      ...{ before: toCoverage(hold), after: null, reason },
    });
    return { ...hold, lifted: null };
  });
}

/** What a hold keeps. Its reason may be about a person, so the history has it in a column of its own. */
const toCoverage = ({ dataCategory, recordId }: LegalHold) => ({
  data_category: dataCategory,
  record_id: recordId,
});

function assertPeriod(period: Period): void {
  if (isPeriodTooLong(period))
    throw invalidParam('period_value', 'A period is at most a hundred years.');
}

function assertAction(
  types: readonly PersonalDataDeclaration[],
  { dataCategory, action }: Pick<PolicyFields, 'dataCategory' | 'action'>,
): void {
  const type = types.find(({ category }) => category === dataCategory);
  if (action !== 'delete' || !type?.anonymisedOnly) return;
  const message = `${type.label} can be anonymised only: ${type.anonymisedOnly}.`;
  throw invalidParam('action', message);
}
