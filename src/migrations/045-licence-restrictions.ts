import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Who acts in the audit log when a payment changes a licence. */
const PAYMENTS = ['stripe', 'test checkout'];

/**
 * Why a licence is suspended or revoked, and who did it: by hand, or by a payment of one purchase.
 * Several causes can stand at once, and each ends by itself.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('licence_restrictions')
    .addColumn('id', idType, id)
    .addColumn('licence_id', integer, (c) => c.notNull().references('licences.id'))
    .addColumn('effect', text, (c) => c.notNull().check(sql`effect in ('suspended', 'revoked')`))
    .addColumn('cause', text, (c) => c.notNull())
    .addColumn('purchase_id', integer, (c) => c.references('purchases.id').onDelete('cascade'))
    .addColumn('since', integer, (c) => c.notNull())
    .addColumn('actor', text, (c) => c.notNull())
    .addColumn('actor_id', integer)
    .execute();
  // One of each effect by hand, and one for each purchase.
  await sql`create unique index licence_restrictions_source
    on licence_restrictions (licence_id, effect, coalesce(purchase_id, 0))`.execute(db);
  await db.schema
    .createIndex('licence_restrictions_purchase')
    .on('licence_restrictions')
    .column('purchase_id')
    .execute();

  for (const [effect, moment, flag] of [
    ['suspended', 'suspended_at', 'is_suspended'],
    ['revoked', 'revoked_at', 'is_revoked'],
  ] as const) {
    const payments = sql.join(PAYMENTS);
    const causes =
      effect === 'suspended' ? sql`'disputed' else 'unpaid'` : sql`'dispute_lost' else 'refunded'`;
    await sql`insert into licence_restrictions (licence_id, effect, cause, purchase_id, since, actor)
      select licences.id, ${sql.lit(effect)},
        case when exists (select 1 from payment_events
          where payment_events.purchase_id = purchases.id and fact like '{"kind":"dispute"%') then ${causes} end,
        purchases.id, licences.${sql.raw(moment)}, 'stripe'
      from licences join purchases on purchases.licence_id = licences.id
      where licences.${sql.raw(moment)} is not null and purchases.${sql.raw(flag)} = 1`.execute(db);
    // The last change by hand says whether one stands; where none is known, nobody else can have done it.
    await sql`insert into licence_restrictions (licence_id, effect, cause, since, actor, actor_id)
      select licences.id, ${sql.lit(effect)}, 'manual', licences.${sql.raw(moment)},
        coalesce(done.actor, ''), done.actor_id
      from licences left join licence_events as done on done.id = (
        select max(id) from licence_events as each_of
        where each_of.licence_id = licences.id and each_of.action in ('suspended', 'reinstated', 'revoked')
          and each_of.actor not in (${payments}))
      where licences.${sql.raw(moment)} is not null
        and (done.action = ${sql.lit(effect)} or not exists (
          select 1 from licence_restrictions as known
          where known.licence_id = licences.id and known.effect = ${sql.lit(effect)}))`.execute(db);
  }
}

export const licenceRestrictions = { up };
