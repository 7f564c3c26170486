import type { Insertable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { lockName, type Trx } from '../../platform/db/index.ts';
import type {} from './tables.ts';

/** One request with an idempotency key at a time, so that two of the same on two nodes issue one licence. */
export const lockIssue = (trx: Trx, tokenId: number, keyHash: string): Promise<void> =>
  lockName(trx, `api_issue ${tokenId} ${keyHash}`);

/** The licence that was issued with an idempotency key, and the hash of the request. */
export async function findIssue(
  trx: Trx,
  tokenId: number,
  keyHash: string,
): Promise<{ licenceId: string; bodyHash: string } | undefined> {
  const row = await trx
    .selectFrom('api_issues')
    .innerJoin('licences', 'licences.id', 'api_issues.licence_id')
    .select(['licences.public_id', 'api_issues.body_hash'])
    .where('token_id', '=', tokenId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
  return row && { licenceId: row.public_id, bodyHash: row.body_hash };
}

export async function insertIssue(
  trx: Trx,
  values: Insertable<Database['api_issues']>,
): Promise<void> {
  await trx.insertInto('api_issues').values(values).execute();
}
