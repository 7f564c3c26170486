import type { Insertable, Selectable, Updateable } from 'kysely';
import type { PeriodUnit, RetentionAction } from '../../personal-data/index.ts';
import { type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import type { RetentionPolicyTable } from './tables.ts';

/** How long records of a category are kept, and what happens then; moments in epoch milliseconds. */
export interface Policy {
  id: number;
  name: string;
  dataCategory: string;
  periodValue: number;
  periodUnit: PeriodUnit;
  action: RetentionAction;
  isActive: boolean;
  lastRunAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** What can be written of a policy. */
export type PolicyFields = Omit<Policy, 'id' | 'lastRunAt' | 'createdAt' | 'updatedAt'>;

export interface PolicyFilter {
  isActive?: true;
  dataCategory?: string;
}

const toPolicy = (row: Selectable<RetentionPolicyTable>): Policy => ({
  id: row.id,
  name: row.name,
  dataCategory: row.data_category,
  periodValue: row.period_value,
  periodUnit: row.period_unit,
  action: row.action,
  isActive: row.is_active === 1,
  lastRunAt: row.last_run_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function toColumns(fields: Partial<PolicyFields>): Updateable<RetentionPolicyTable> {
  const columns: Updateable<RetentionPolicyTable> = {};
  if (fields.name !== undefined) columns.name = fields.name;
  if (fields.dataCategory !== undefined) columns.data_category = fields.dataCategory;
  if (fields.periodValue !== undefined) columns.period_value = fields.periodValue;
  if (fields.periodUnit !== undefined) columns.period_unit = fields.periodUnit;
  if (fields.action !== undefined) columns.action = fields.action;
  if (fields.isActive !== undefined) columns.is_active = fields.isActive ? 1 : 0;
  return columns;
}

function filtered(db: Db, { isActive, dataCategory }: PolicyFilter) {
  let query = db.selectFrom('retention_policies');
  if (isActive) query = query.where('is_active', '=', 1);
  if (dataCategory !== undefined) query = query.where('data_category', '=', dataCategory);
  return query;
}

/** The policies that fit, oldest first: the order in which a run names them. */
export async function listPolicies(
  db: Db,
  filter: PolicyFilter = {},
  page?: { offset: number; limit: number },
): Promise<Policy[]> {
  let query = filtered(db, filter).selectAll().orderBy('id');
  if (page) query = query.offset(page.offset).limit(page.limit);
  return (await query.execute()).map(toPolicy);
}

export async function countPolicies(db: Db, filter: PolicyFilter): Promise<number> {
  const { total } = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function findPolicy(db: Db | Trx, id: number): Promise<Policy | undefined> {
  const row = await db
    .selectFrom('retention_policies')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toPolicy(row);
}

/** A policy that nobody else changes until the transaction ends. */
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

/** Changes what is given; undefined if there is no such policy. */
export async function updatePolicy(
  trx: Trx,
  id: number,
  fields: Partial<PolicyFields>,
  now: number,
): Promise<Policy | undefined> {
  const row = await trx
    .updateTable('retention_policies')
    .set({ ...toColumns(fields), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toPolicy(row);
}

/** Deletes a policy and says what it was; undefined if there is none. */
export async function deletePolicy(trx: Trx, id: number): Promise<Policy | undefined> {
  const row = await trx
    .deleteFrom('retention_policies')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toPolicy(row);
}
