import type { Insertable, Selectable } from 'kysely';
import { findUserId } from '../../identity/users/index.ts';
import { type Db, lockName, lockRows, type Trx } from '../../platform/db/index.ts';
import type { ApiToken } from './rules.ts';
import type { ApiTokenTable } from './tables.ts';

const toApiToken = (row: Selectable<ApiTokenTable>): ApiToken => ({
  id: row.id,
  name: row.name,
  maskedToken: row.masked_token,
  scopes: JSON.parse(row.scopes),
  productId: row.product_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});

/** With the login of its creator; null if it was made on the command line, or the user was deleted. */
export type ListedToken = ApiToken & { createdBy: string | null };

/** One creation at a time, so that names of active tokens are unique. */
export const lockTokens = (trx: Trx): Promise<void> => lockName(trx, 'api_tokens');

/** Newest first. */
export async function listTokens(db: Db | Trx): Promise<ListedToken[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .leftJoin('users', 'users.id', 'api_tokens.created_by_id')
    .selectAll('api_tokens')
    .select('users.login as created_by')
    .orderBy('api_tokens.id', 'desc')
    .execute();
  return rows.map((row) => ({ ...toApiToken(row), createdBy: row.created_by }));
}

export async function findTokenByHash(db: Db, hash: string): Promise<ApiToken | undefined> {
  const row = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  return row && toApiToken(row);
}

/** Locks the token for this transaction. */
export async function lockToken(trx: Trx, id: number): Promise<ApiToken | undefined> {
  const query = trx.selectFrom('api_tokens').selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toApiToken(row);
}

/** @param login of the user who creates it */
export async function insertToken(
  trx: Trx,
  login: string | null,
  values: Omit<Insertable<ApiTokenTable>, 'created_by_id'>,
): Promise<number> {
  const { id } = await trx
    .insertInto('api_tokens')
    .values({ ...values, created_by_id: login === null ? null : findUserId(login) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function markRevoked(trx: Trx, id: number, at: number): Promise<void> {
  await trx.updateTable('api_tokens').set({ revoked_at: at }).where('id', '=', id).execute();
}

export async function markUsed(trx: Trx, id: number, at: number): Promise<void> {
  await trx.updateTable('api_tokens').set({ last_used_at: at }).where('id', '=', id).execute();
}
