import type { Insertable, Selectable, Updateable } from 'kysely';
import { countRows, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../platform/key-case.ts';
import type { RetentionPolicyTable } from './tables.ts';

type PolicyRow = Selectable<RetentionPolicyTable>;

/** How long records of a category are kept, and what happens then. Moments are epoch milliseconds. */
export type Policy = Omit<CamelCased<PolicyRow>, 'isActive'> & { isActive: boolean };

/** The fields of a policy that can be written. */
export type PolicyFields = Omit<Policy, 'id' | 'lastRunAt' | 'createdAt' | 'updatedAt'>;

export interface PolicyFilter {
  isActive?: true;
  dataCategory?: string | undefined;
}

const toPolicy = (row: PolicyRow): Policy => ({
  ...toCamelCase(row),
  isActive: row.is_active === 1,
});

const toColumns = ({
  isActive,
  ...fields
}: Partial<PolicyFields>): Updateable<RetentionPolicyTable> => ({
  ...toSnakeCase(fields),
  ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
});

function selectPolicies(db: Db, { isActive, dataCategory }: PolicyFilter) {
  let query = db.selectFrom('retention_policies');
  if (isActive) query = query.where('is_active', '=', 1);
  if (dataCategory !== undefined) query = query.where('data_category', '=', dataCategory);
  return query;
}

/** Oldest first, which is the order of results in a run. */
export async function listPolicies(
  db: Db,
  filter: PolicyFilter = {},
  page?: { offset: number; limit: number },
): Promise<Policy[]> {
  let query = selectPolicies(db, filter).selectAll().orderBy('id');
  if (page) query = query.offset(page.offset).limit(page.limit);
  return (await query.execute()).map(toPolicy);
}

export const countPolicies = (db: Db, filter: PolicyFilter): Promise<number> =>
  countRows(selectPolicies(db, filter));

export async function findPolicy(db: Db | Trx, id: number): Promise<Policy | undefined> {
  const row = await db
    .selectFrom('retention_policies')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toPolicy(row);
}

/** Locks a policy until the transaction ends. */
export async function lockPolicy(trx: Trx, id: number): Promise<Policy | undefined> {
  const query = trx.selectFrom('retention_policies').selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toPolicy(row);
}

export async function insertPolicy(trx: Trx, fields: PolicyFields, now: number): Promise<Policy> {
  const values = { ...toColumns(fields), created_at: now, updated_at: now };
  const row = await trx
    .insertInto('retention_policies')
    .values(values as Insertable<RetentionPolicyTable>)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPolicy(row);
}

export async function updatePolicy(
  trx: Trx,
  id: number,
  fields: Partial<PolicyFields>,
  now: number,
): Promise<Policy> {
  const row = await trx
    .updateTable('retention_policies')
    .set({ ...toColumns(fields), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPolicy(row);
}

/** The deleted policy; undefined if it does not exist. */
export async function deletePolicy(trx: Trx, id: number): Promise<Policy | undefined> {
  const row = await trx
    .deleteFrom('retention_policies')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toPolicy(row);
}
