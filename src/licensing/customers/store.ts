import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { anyContains, countRows, type Db, type Trx } from '../../platform/db/index.ts';
import { type CamelCased, toCamelCase } from '../../platform/key-case.ts';
import { isRunning } from './remaining/store.ts';
import type { CustomerTable } from './tables.ts';

export type Customer = CamelCased<Selectable<CustomerTable>>;

export async function findCustomer(db: Db, id: number): Promise<Customer | undefined> {
  const row = await db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toCamelCase(row);
}

export async function findCustomerByEmail(db: Db, email: string): Promise<Customer | undefined> {
  const row = await db
    .selectFrom('customers')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst();
  return row && toCamelCase(row);
}

/** The customer with this email address, who is created if new. */
export async function ensureCustomer(db: Db, email: string, now: number): Promise<Customer> {
  await db
    .insertInto('customers')
    .values({ email, created_at: now, active_until: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const row = await db
    .selectFrom('customers')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return toCamelCase(row);
}

/** Revokes all tokens of the customer. */
export async function endSessions(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('customers')
    .set((eb) => ({ session_version: eb('session_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/**
 * A statement for SQLite databases of all versions. The seconds since 1970 are beyond every version that a customer has had by
 * signing out, so tokens from after a backup are revoked as well.
 */
export const REVOKE_ALL_TOKENS =
  'update customers set session_version = max(session_version + 1, unixepoch())';

export async function isTokenEnded(db: Db, tokenId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ended_tokens')
    .select('token_id')
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks a token as revoked until it expires, and deletes expired marks. */
export async function insertEndedToken(
  trx: Trx,
  { tokenId, goodUntil }: { tokenId: string; goodUntil: number },
  now: number,
): Promise<void> {
  await trx.deleteFrom('ended_tokens').where('expires_at', '<=', now).execute();
  await trx
    .insertInto('ended_tokens')
    .values({ token_id: tokenId, expires_at: goodUntil })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface CustomerSummary extends Customer {
  licences: number;
  /** Licences that are neither revoked, suspended nor expired. */
  activeLicences: number;
}

/** Customers whose email address contains a text, newest first, and their total number. */
export async function searchCustomers(
  db: Db,
  search: string,
  { now, offset, limit }: { now: number; offset: number; limit: number },
): Promise<{ customers: CustomerSummary[]; total: number }> {
  let query = db.selectFrom('customers');
  if (search) query = query.where(anyContains(db, ['customers.email'], search));
  const total = await countRows(query);
  const rows = await query
    .selectAll('customers')
    .select(({ selectFrom }) => [
      selectFrom('licences')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('licences.customer_id', '=', 'customers.id')
        .as('licences'),
      selectFrom('licences')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('licences.customer_id', '=', 'customers.id')
        .where('suspended_at', 'is', null)
        .where(sql<boolean>`${isRunning(now)}`)
        .as('active_licences'),
    ])
    .orderBy('customers.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  const customers = rows.map((row) => ({
    ...toCamelCase(row),
    licences: Number(row.licences),
    activeLicences: Number(row.active_licences),
  }));
  return { customers, total };
}
