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

/** Whether a token was ended before its time. */
export async function isTokenEnded(db: Db, tokenId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ended_tokens')
    .select('token_id')
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes a token as ended until it would not be taken anyway, and forgets those of which that is so. */
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
