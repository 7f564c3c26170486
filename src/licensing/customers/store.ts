import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
import type { CustomerTable } from './tables.ts';

export interface Customer {
  id: number;
  email: string;
  sessionVersion: number;
}

const toCustomer = (row: Selectable<CustomerTable>): Customer => ({
  id: row.id,
  email: row.email,
  sessionVersion: row.session_version,
});

export async function findCustomer(db: Db | Trx, id: number): Promise<Customer | undefined> {
  const row = await db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toCustomer(row);
}

export async function findCustomerByEmail(
  db: Db | Trx,
  email: string,
): Promise<Customer | undefined> {
  const row = await db
    .selectFrom('customers')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst();
  return row && toCustomer(row);
}

/** The customer with this address, made now if there was none. */
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
  return toCustomer(row);
}

/** Ends every token that was issued to the customer. */
export async function endSessions(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('customers')
    .set((eb) => ({ session_version: eb('session_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}
