import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

interface Schema {
  customers: { id: number; transferred_at: number | null; active_until: number | null };
  licence_events: { at: number; action: string; details: string };
}

/** When a licence was last transferred away from a customer: later changes of their other licences forgot it. */
async function up(db: Kysely<Schema>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('customers').addColumn('transferred_at', integer).execute();
  const transfers = await db
    .selectFrom('licence_events')
    .select(['at', 'details'])
    .where('action', '=', 'transferred')
    .orderBy('at')
    .execute();
  for (const { at, details } of transfers) {
    const { from_customer } = JSON.parse(details) as { from_customer?: number };
    if (from_customer === undefined) continue;
    await db
      .updateTable('customers')
      .set({
        transferred_at: at,
        active_until: sql`case when active_until < ${at} then ${at} else active_until end`,
      })
      .where('id', '=', from_customer)
      .execute();
  }
}

export const customerTransfers = { up };
