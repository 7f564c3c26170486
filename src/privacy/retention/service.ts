import { isoMoment } from '../../platform/clock.ts';
import { claim, isClaimed } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import {
  deleteHold,
  type Hold,
  hasRecord,
  insertHold,
  type RecordType,
} from '../../platform/records/index.ts';
import { invalidParam, notFound } from '../../platform/rest/errors.ts';
import { isPeriodTooLong, type Period } from './rules.ts';
import {
  deletePolicy,
  findPolicy,
  insertPolicy,
  type Policy,
  type PolicyFields,
  updatePolicy,
} from './store.ts';

type Store = Pick<Platform, 'datastore' | 'clock'>;

/** The records that policies can be about: those with an age. */
export const agingTypes = (types: readonly RecordType[]) =>
  types.filter((type): type is RecordType & { due: string } => type.due !== undefined);

/**
 * Adds a policy.
 * @throws RestError 400 `rest_invalid_param` for a period of more than a hundred years
 */
export function createPolicy({ datastore, clock }: Store, fields: PolicyFields): Promise<Policy> {
  assertPeriod(fields);
  return datastore.transaction((trx) => insertPolicy(trx, fields, clock.now()));
}

/**
 * Changes the fields that are given.
 * @throws RestError 404; 400 `rest_invalid_param` for a period of more than a hundred years
 */
export function changePolicy(
  { datastore, clock }: Store,
  id: number,
  fields: Partial<PolicyFields>,
): Promise<Policy> {
  return datastore.transaction(async (trx) => {
    const policy = await updatePolicy(trx, id, fields, clock.now());
    if (!policy) throw notFound('The retention policy');
    assertPeriod(policy);
    return policy;
  });
}

/**
 * @returns the policy, which must be there
 * @throws RestError 404
 */
export async function requirePolicy({ datastore }: Store, id: number): Promise<Policy> {
  const policy = await findPolicy(datastore.db, id);
  if (!policy) throw notFound('The retention policy');
  return policy;
}

/**
 * Deletes a policy; what it did stays in the list of runs.
 * @returns what it was
 * @throws RestError 404
 */
export function removePolicy({ datastore }: Store, id: number): Promise<Policy> {
  return datastore.transaction(async (trx) => {
    const policy = await deletePolicy(trx, id);
    if (!policy) throw notFound('The retention policy');
    return policy;
  });
}

/** Gives each kind of record the policy it starts with, once; what is changed or deleted later stays so. */
export async function seedPolicies(
  { datastore, clock }: Store,
  types: readonly RecordType[],
): Promise<void> {
  for (const { category, policy } of types) {
    const seed = `retention_policy_${category}`;
    if (!policy || (await isClaimed(datastore.db, seed))) continue;
    await datastore.transaction(async (trx) => {
      const now = clock.now();
      if (!(await claim(trx, seed, isoMoment(now)))) return;
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
  type: RecordType,
  hold: Pick<Hold, 'recordId' | 'reason' | 'placedBy'>,
): Promise<Hold> {
  return datastore.transaction(async (trx) => {
    if (hold.recordId !== null && !(await hasRecord(trx, type, hold.recordId))) {
      const message = `There is no record ${hold.recordId} of the category ${type.category}.`;
      throw invalidParam('record_id', message);
    }
    return insertHold(trx, { ...hold, dataCategory: type.category, createdAt: clock.now() });
  });
}

/**
 * Lifts a hold.
 * @returns what it was
 * @throws RestError 404
 */
export function liftHold({ datastore }: Store, id: number): Promise<Hold> {
  return datastore.transaction(async (trx) => {
    const hold = await deleteHold(trx, id);
    if (!hold) throw notFound('The hold');
    return hold;
  });
}

function assertPeriod(period: Period): void {
  if (isPeriodTooLong(period))
    throw invalidParam('period_value', 'A period is at most a hundred years.');
}
