import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

interface Schema {
  purchases: { session_id: string; is_refused: number };
  licence_events: { action: string; details: string };
}

/**
 * Which renewals were refused, because their licence was revoked: later events of their payments changed it. Purchases
 * that their licence does not follow do not renew it: those refunded in earlier releases did until their next event.
 */
async function up(db: Kysely<Schema>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema
    .alterTable('purchases')
    .addColumn('is_refused', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  const refusals = await db
    .selectFrom('licence_events')
    .select('details')
    .where('action', '=', 'renewal_refused')
    .execute();
  for (const { details } of refusals) {
    const { session } = JSON.parse(details) as { session?: string };
    if (session === undefined) continue;
    await db
      .updateTable('purchases')
      .set({ is_refused: 1 })
      .where('session_id', '=', session)
      .execute();
  }
  await sql`update purchases set renews = 0 where renews = 1 and (
    is_refused = 1 or (replaced is not null and is_revoked = 1)
    or exists (select 1 from purchases later
      where later.licence_id = purchases.licence_id and later.id > purchases.id
        and later.is_refused = 0 and (later.replaced is null or later.is_revoked = 0)))`.execute(
    db,
  );
}

export const refusedRenewals = { up };
