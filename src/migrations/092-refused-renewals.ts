import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

interface Schema {
  purchases: { session_id: string; is_refused: number };
  licence_events: { action: string; details: string };
}

/** Which renewals were refused, because their licence was revoked: later events of their payments changed it. */
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
}

export const refusedRenewals = { up };
