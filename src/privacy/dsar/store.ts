import type { Insertable, Selectable, Updateable } from 'kysely';
import { type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../platform/key-case.ts';
import { setEventsClosedAt } from './cases/history/store.ts';
import type { RequestType } from './rules.ts';
import type { CaseTable } from './tables.ts';

/** A request of a data subject. */
export type Case = CamelCased<Selectable<CaseTable>>;
export type NewCase = CamelCased<Insertable<CaseTable>>;
export type CaseChanges = CamelCased<Updateable<CaseTable>>;

/** Undefined if the reference is taken. */
export async function insertCase(trx: Trx, fields: NewCase): Promise<Case | undefined> {
  const row = await trx
    .insertInto('dsar_cases')
    .values(toSnakeCase(fields))
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toCamelCase(row);
}

/** The id of the first open request of this type from an address. */
export async function findOpenCase(
  trx: Trx,
  email: string,
  requestType: RequestType,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('dsar_cases')
    .select('id')
    .where('email', '=', email)
    .where('request_type', '=', requestType)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function findCase(db: Db | Trx, id: number): Promise<Case | undefined> {
  const row = await db.selectFrom('dsar_cases').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toCamelCase(row);
}

/** @throws NotFoundError */
export async function getCase(db: Db, id: number): Promise<Case> {
  const dsarCase = await findCase(db, id);
  if (!dsarCase) throw new NotFoundError('The request');
  return dsarCase;
}

/** Locks a case until the transaction ends; undefined if it does not exist. */
export async function lockCase(trx: Trx, id: number): Promise<Case | undefined> {
  const query = trx.selectFrom('dsar_cases').selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toCamelCase(row);
}

/** @throws NotFoundError */
export async function getLockedCase(trx: Trx, id: number): Promise<Case> {
  const dsarCase = await lockCase(trx, id);
  if (!dsarCase) throw new NotFoundError('The request');
  return dsarCase;
}

export async function findCaseByReference(db: Db, reference: string): Promise<Case | undefined> {
  const row = await db
    .selectFrom('dsar_cases')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row && toCamelCase(row);
}

export async function updateCase(trx: Trx, id: number, changes: CaseChanges): Promise<Case> {
  if (changes.closedAt !== undefined) await setEventsClosedAt(trx, id, changes.closedAt);
  const row = await trx
    .updateTable('dsar_cases')
    .set(toSnakeCase(changes))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toCamelCase(row);
}

/** Deletes a case with everything that belongs to it. */
export async function deleteCase(trx: Trx, id: number): Promise<void> {
  for (const table of [
    'dsar_pages',
    'dsar_tasks',
    'dsar_packages',
    'dsar_tokens',
    'dsar_acknowledgements',
    'dsar_events',
  ] as const) {
    await trx.deleteFrom(table).where('case_id', '=', id).execute();
  }
  await trx.deleteFrom('dsar_cases').where('id', '=', id).execute();
}
