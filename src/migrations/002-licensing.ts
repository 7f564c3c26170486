import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Customers, their licences with keys and history, and the sites that use them. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);

  await db.schema
    .createTable('customers')
    .addColumn('id', idType, id)
    .addColumn('email', text, (c) => c.notNull().unique())
    .addColumn('session_version', integer, (c) => c.notNull().defaultTo(1))
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('licences')
    .addColumn('id', idType, id)
    .addColumn('public_id', text, (c) => c.notNull().unique())
    .addColumn('customer_id', integer, (c) => c.notNull().references('customers.id'))
    .addColumn('mode', text, (c) => c.notNull().check(sql`mode in ('live', 'test')`))
    .addColumn('tier', text, (c) => c.notNull())
    .addColumn('sites_allowed', integer, (c) => c.notNull().check(sql`sites_allowed > 0`))
    .addColumn('grace_days', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('development_sites_free', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('issued_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .addColumn('suspended_at', integer)
    .addColumn('revoked_at', integer)
    .execute();
  await db.schema.createIndex('licences_customer').on('licences').column('customer_id').execute();

  await db.schema
    .createTable('licence_keys')
    .addColumn('id', idType, id)
    .addColumn('licence_id', integer, (c) => c.notNull().references('licences.id'))
    .addColumn('key_hash', text, (c) => c.notNull().unique())
    .addColumn('masked_key', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('retires_at', integer)
    .execute();
  await db.schema
    .createIndex('licence_keys_licence')
    .on('licence_keys')
    .column('licence_id')
    .execute();

  await db.schema
    .createTable('licence_events')
    .addColumn('id', idType, id)
    .addColumn('licence_id', integer, (c) => c.notNull().references('licences.id'))
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('actor', text, (c) => c.notNull())
    .addColumn('action', text, (c) => c.notNull())
    .addColumn('details', text, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('licence_events_licence')
    .on('licence_events')
    .column('licence_id')
    .execute();

  await db.schema
    .createTable('activations')
    .addColumn('id', idType, id)
    .addColumn('licence_id', integer, (c) => c.notNull().references('licences.id'))
    .addColumn('site_key', text, (c) => c.notNull())
    .addColumn('site_url', text, (c) => c.notNull())
    .addColumn('takes_slot', integer, (c) => c.notNull())
    .addColumn('activated_at', integer, (c) => c.notNull())
    .addColumn('deactivated_at', integer)
    .execute();
  await db.schema
    .createIndex('activations_licence')
    .on('activations')
    .columns(['licence_id', 'site_key'])
    .execute();
  // What no race can get past: one licence, one site, one activation in use.
  await sql`create unique index activations_in_use on activations (licence_id, site_key) where deactivated_at is null`.execute(
    db,
  );
}

export const licensing = { up };
