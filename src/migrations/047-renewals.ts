import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Purchases and the tables that refer to them, parents first. */
const TABLES = ['purchases', 'payment_events', 'payment_refs', 'licence_restrictions'];
const SUFFIX = '_next';

/** Several purchases of one licence, what the licence was before each, and the licence that an order renews. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { isPostgres, text } = columnsFor(db);
  if (isPostgres) {
    await sql`alter table purchases drop constraint purchases_licence_id_key`.execute(db);
  } else {
    await rebuildWithoutUnique(db);
  }
  await db.schema
    .createIndex('purchases_licence')
    .on('purchases')
    .columns(['licence_id', 'id'])
    .execute();
  await db.schema.alterTable('purchases').addColumn('replaced', text).execute();
  await db.schema.alterTable('checkout_orders').addColumn('licence', text).execute();
  await db.schema
    .createIndex('checkout_orders_licence')
    .on('checkout_orders')
    .column('licence')
    .execute();
}

/**
 * SQLite drops no unique constraint, and checks references while a table is dropped. So all tables of the
 * family are made anew by their own definitions, and the children are dropped first.
 */
async function rebuildWithoutUnique(db: Kysely<unknown>): Promise<void> {
  const family = sql.join(TABLES);
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master
    where tbl_name in (${family}) and sql is not null`.execute(db);
  const renamed = (definition: string) =>
    TABLES.reduce(
      (changed, name) => changed.replaceAll(`"${name}"`, `"${name}${SUFFIX}"`),
      definition,
    );
  const definitions = new Map(rows.map((row) => [row.name, row.sql]));
  const present = TABLES.filter((name) => definitions.has(name));
  for (const name of present) {
    const definition = renamed(definitions.get(name) ?? '').replace(
      /("licence_id" integer not null) unique/,
      '$1',
    );
    await sql.raw(definition).execute(db);
    // Ids of deleted rows are not given again.
    await sql`insert into sqlite_sequence (name, seq)
      select ${name + SUFFIX}, seq from sqlite_sequence where name = ${name}`.execute(db);
    await sql`insert into ${sql.table(name + SUFFIX)} select * from ${sql.table(name)} order by id`.execute(
      db,
    );
  }
  for (const name of present.toReversed()) await db.schema.dropTable(name).execute();
  for (const name of present) {
    await db.schema
      .alterTable(name + SUFFIX)
      .renameTo(name)
      .execute();
  }
  for (const { type, sql: definition } of rows) {
    if (type === 'index') await sql.raw(definition).execute(db);
  }
}

export const renewals = { up };
