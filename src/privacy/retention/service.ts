import { isDeepStrictEqual } from 'node:util';
import {
  hasRecord,
  insertLegalHold,
  type LegalHold,
  liftLegalHold,
  lockRecords,
  type PersonalDataDeclaration,
} from '../../personal-data/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { hasFact, insertFact } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import type { AssertUnchanged } from '../../platform/rest/items.ts';
import { insertChange } from './changes/store.ts';
import { isPeriodTooLong } from './rules.ts';
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

/** The kinds of records that policies can be about: those with an age. */
export const listDatedTypes = (types: readonly PersonalDataDeclaration[]) =>
  types.filter((type): type is PersonalDataDeclaration & { due: string } => type.due !== undefined);

const policyNotFound = () => new NotFoundError('The retention policy');

/** @throws InvalidFieldError for a period of more than a hundred years, and for deleting records that can only be anonymised */
export async function createPolicy(
  { datastore, clock }: Store,
  types: readonly PersonalDataDeclaration[],
  fields: PolicyFields,
  actor: string,
): Promise<Policy> {
  assertValid(types, fields);
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    const policy = await insertPolicy(trx, fields, at);
    const change = { action: 'created', after: toSnapshot(policy) } as const;
    await insertChange(trx, { at, actor, subject: 'policy', subjectId: policy.id, ...change });
    return policy;
  });
}

/**
 * Changes the given fields.
 * @throws NotFoundError; InvalidFieldError as `createPolicy`
 */
export function changePolicy(
  { datastore, clock }: Store,
  types: readonly PersonalDataDeclaration[],
  id: number,
  {
    fields,
    actor,
    assertUnchanged,
  }: { fields: Partial<PolicyFields>; actor: string; assertUnchanged: AssertUnchanged<Policy> },
): Promise<Policy> {
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    const previous = await lockPolicy(trx, id);
    if (!previous) throw policyNotFound();
    assertUnchanged(previous);
    const policy = await updatePolicy(trx, id, fields, at);
    assertValid(types, policy);
    const [before, after] = [toSnapshot(previous), toSnapshot(policy)];
    if (isDeepStrictEqual(before, after)) return policy;
    const change = { action: 'updated', before, after } as const;
    await insertChange(trx, { at, actor, subject: 'policy', subjectId: id, ...change });
    return policy;
  });
}

/** What the change history keeps of a policy. */
const toSnapshot = (policy: Policy) => ({
  name: policy.name,
  data_category: policy.dataCategory,
  period_value: policy.periodValue,
  period_unit: policy.periodUnit,
  action: policy.action,
  is_active: policy.isActive ? 1 : 0,
});

/** @throws NotFoundError */
export async function getPolicy({ datastore }: Store, id: number): Promise<Policy> {
  const policy = await findPolicy(datastore.db, id);
  if (!policy) throw policyNotFound();
  return policy;
}

/**
 * Deletes a policy. Its runs and changes stay in the history.
 * @returns the deleted policy
 * @throws NotFoundError
 */
export function removePolicy(
  { datastore, clock }: Store,
  id: number,
  actor: string,
): Promise<Policy> {
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    const policy = await deletePolicy(trx, id);
    if (!policy) throw policyNotFound();
    const change = { action: 'deleted', before: toSnapshot(policy) } as const;
    await insertChange(trx, { at, actor, subject: 'policy', subjectId: id, ...change });
    return policy;
  });
}

/** Creates the first policy of each kind of record, once: changes and deletions are kept. */
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
      await insertPolicy(trx, { ...policy, dataCategory: category, isActive: true }, now);
    });
  }
}

/**
 * Protects a record, or without an id a whole category, from policies and erasures.
 * @throws InvalidFieldError if the record does not exist
 */
export function placeHold(
  { datastore, clock }: Store,
  type: PersonalDataDeclaration,
  hold: Pick<LegalHold, 'recordId' | 'reason' | 'placedBy'>,
): Promise<LegalHold> {
  return datastore.transaction(async (trx) => {
    const { recordId, placedBy: actor, reason } = hold;
    // A batch or an erasure that has begun would change one part of the record and leave the other.
    await lockRecords(trx, type);
    if (recordId !== null && !(await hasRecord(trx, type, recordId))) {
      const message = `There is no record ${recordId} of the category ${type.category}.`;
      throw new InvalidFieldError('record_id', message);
    }
    const at = clock.now();
    const placed = { ...hold, dataCategory: type.category, createdAt: at };
    const created = await insertLegalHold(trx, placed);
    const change = { action: 'placed', after: toScope(created), reason } as const;
    await insertChange(trx, { at, actor, subject: 'hold', subjectId: created.id, ...change });
    return created;
  });
}

/**
 * Lifts a hold. It stays in the list of lifted holds.
 * @returns the hold before it was lifted
 * @throws NotFoundError; InvalidFieldError for a blank reason
 */
export function releaseHold(
  { datastore, clock }: Store,
  id: number,
  { by, reason: given }: { by: string; reason: string | undefined },
): Promise<LegalHold> {
  const reason = given?.trim() ?? null;
  if (reason === '') throw new InvalidFieldError('reason', 'reason must not be blank.');
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    const hold = await liftLegalHold(trx, id, { at, by, reason });
    if (!hold) throw new NotFoundError('The hold');
    const change = { action: 'lifted', before: toScope(hold), reason } as const;
    await insertChange(trx, { at, actor: by, subject: 'hold', subjectId: id, ...change });
    return { ...hold, lifted: null };
  });
}

/** The records that a hold protects. Its reason may name a person, so the history has a column of its own for it. */
const toScope = ({ dataCategory, recordId }: LegalHold) => ({
  data_category: dataCategory,
  record_id: recordId,
});

function assertValid(types: readonly PersonalDataDeclaration[], fields: PolicyFields): void {
  if (isPeriodTooLong(fields)) {
    throw new InvalidFieldError('period_value', 'The period must be at most 100 years.');
  }
  const type = types.find(({ category }) => category === fields.dataCategory);
  if (fields.action !== 'delete' || !type?.anonymisedOnly) return;
  const message = `${type.label} can only be anonymised: ${type.anonymisedOnly}.`;
  throw new InvalidFieldError('action', message);
}
