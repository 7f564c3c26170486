import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The first moment of 1970 and of every later year, by its number. */
const yearStart = (year: number): number => Date.UTC(year, 0, 1);
/** No zone is further ahead of UTC. */
const FURTHEST_ZONE_MS = 14 * 3_600_000;

/**
 * Whose each record of a licence is, also after a transfer; which user of the console did something;
 * and from when on customers, purchases and the log of requests grow old.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  const columns: Record<string, readonly string[]> = {
    customers: ['active_until', 'anonymised_at'],
    activations: ['customer_id'],
    licence_events: ['customer_id', 'actor_id'],
    purchases: ['customer_id', 'bought_at', 'year_ends_at', 'anonymised_at'],
    user_events: ['actor_id'],
    dsar_events: ['actor_id', 'case_closed_at', 'anonymised_at'],
  };
  for (const [table, names] of Object.entries(columns)) {
    for (const name of names) await db.schema.alterTable(table).addColumn(name, integer).execute();
  }

  // Made anew: SQLite adds no primary key to a table.
  await db.schema
    .createTable('magic_links_next')
    .addColumn('id', idType, id)
    .addColumn('address_hash', text, (c) => c.notNull().unique())
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('customer_id', integer, (c) => c.references('customers.id').onDelete('cascade'))
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  await sql`insert into magic_links_next (address_hash, token_hash, customer_id, created_at, expires_at)
    select address_hash, token_hash, customer_id, expires_at - 900000, expires_at from magic_links`.execute(
    db,
  );
  await db.schema.dropTable('magic_links').execute();
  await db.schema.alterTable('magic_links_next').renameTo('magic_links').execute();
  for (const [index, column] of [
    ['magic_links_customer', 'customer_id'],
    ['magic_links_expiry', 'expires_at'],
  ] as const) {
    await db.schema.createIndex(index).on('magic_links').column(column).execute();
  }

  await fillOwners(db);
  await fillActors(db);
  await fillAges(db);

  for (const table of ['activations', 'licence_events', 'purchases']) {
    await db.schema
      .createIndex(`${table}_customer`)
      .on(table)
      .columns(['customer_id', 'id'])
      .execute();
  }
  // In two halves, as retention works them off.
  for (const [table, due] of [
    ['customers', 'active_until'],
    ['purchases', 'year_ends_at'],
    ['dsar_events', 'case_closed_at'],
  ] as const) {
    await sql`create index ${sql.ref(`${table}_ended`)} on ${sql.table(table)} (${sql.ref(due)}, id) where anonymised_at is null`.execute(
      db,
    );
    await sql`create index ${sql.ref(`${table}_anonymised`)} on ${sql.table(table)} (${sql.ref(due)}, id) where anonymised_at is not null`.execute(
      db,
    );
  }
}

/** The customer who has the licence now, but for what came before it was transferred. */
async function fillOwners(db: Kysely<unknown>): Promise<void> {
  for (const table of ['activations', 'licence_events', 'purchases']) {
    await sql`update ${sql.table(table)} set customer_id =
      (select customer_id from licences where licences.id = ${sql.ref(`${table}.licence_id`)})`.execute(
      db,
    );
  }
  await sql`update purchases set bought_at =
    (select issued_at from licences where licences.id = purchases.licence_id)`.execute(db);
  const { rows } = await sql<{ id: number; licence_id: number; at: number; details: string }>`
    select id, licence_id, at, details from licence_events
    where action = 'transferred' order by id desc`.execute(db);
  // The latest first, so that of what came before several the first one decides.
  for (const { id, licence_id, at, details } of rows) {
    const { from_customer } = JSON.parse(details) as { from_customer?: number };
    if (from_customer === undefined) continue;
    await sql`update activations set customer_id = ${from_customer}
      where licence_id = ${licence_id} and activated_at <= ${at}`.execute(db);
    await sql`update licence_events set customer_id = ${from_customer}
      where licence_id = ${licence_id} and id < ${id}`.execute(db);
    await sql`update purchases set customer_id = ${from_customer}
      where licence_id = ${licence_id} and bought_at <= ${at}`.execute(db);
  }
}

/** By their logins, those of users who have gone from the log that stays. */
async function fillActors(db: Kysely<unknown>): Promise<void> {
  for (const [table, login] of [
    ['user_events', sql`${sql.ref('user_events.actor')}`],
    ['dsar_events', sql`${sql.ref('dsar_events.actor')}`],
    // "console (LOGIN)"
    [
      'licence_events',
      sql`replace(replace(${sql.ref('licence_events.actor')}, 'console (', ''), ')', '')`,
    ],
  ] as const) {
    await sql`update ${sql.table(table)} set actor_id = coalesce(
      (select id from users where login = ${login}),
      (select max(logged.user_id) from user_events as logged where logged.login = ${login}))`.execute(
      db,
    );
  }
}

async function fillAges(db: Kysely<unknown>): Promise<void> {
  await sql`update customers set active_until = coalesce(
    (select max(case
      when revoked_at is not null and revoked_at < expires_at + grace_days * 86400000 then revoked_at
      else expires_at + grace_days * 86400000 end)
    from licences where licences.customer_id = customers.id), created_at)`.execute(db);
  await sql`update dsar_events set case_closed_at =
    (select closed_at from dsar_cases where dsar_cases.id = dsar_events.case_id)`.execute(db);
  const lastTold = sql`coalesce((select max(payment_events.at) from payment_events
    where payment_events.purchase_id = purchases.id), bought_at)`;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(${lastTold}) as first, max(${lastTold}) as last from purchases`.execute(db);
  const [{ first, last } = { first: null, last: null }] = rows;
  if (first === null || last === null) return;
  const yearOf = (at: number) => new Date(at + FURTHEST_ZONE_MS).getUTCFullYear();
  for (let year = yearOf(Number(first)); year <= yearOf(Number(last)); year++) {
    const from = yearStart(year) - FURTHEST_ZONE_MS;
    const to = yearStart(year + 1) - FURTHEST_ZONE_MS;
    await sql`update purchases set year_ends_at = ${yearStart(year + 1)}
      where ${lastTold} >= ${from} and ${lastTold} < ${to}`.execute(db);
  }
}

export const ownersAndActors = { up };
