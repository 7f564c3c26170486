import { type Selection, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { anyContains, countRows, type Db, startsWith, type Trx } from '../../platform/db/index.ts';
import type { AlertKind } from './alerts/rules.ts';
import {
  type EventRow,
  type EventUser,
  SECURITY_EVENTS,
  type SecurityEventName,
} from './events.ts';
import type {} from './tables.ts';

const ROWS_AT_ONCE = 200;

const COLUMNS = [
  'id',
  'at',
  'last_at as lastAt',
  'event',
  'user_id as userId',
  'login',
  'actor_id as actorId',
  'actor',
  'address',
  'user_agent as userAgent',
  'details',
  'count',
] as const;

type Row = Selection<Database, 'security_events', (typeof COLUMNS)[number]>;
export type LoggedEvent = Omit<Row, 'details'> & { details: Record<string, unknown> };

const toLogged = (row: Row): LoggedEvent => ({ ...row, details: JSON.parse(row.details) });

type EventQuery = SelectQueryBuilder<Database, 'security_events', object>;

/** The events of a query, with the number of occurrences that are not processed yet. */
export async function selectEvents(query: EventQuery) {
  const rows = await query.select([...COLUMNS, 'processed']).execute();
  return rows.map(({ processed, ...row }) => ({ ...toLogged(row), added: row.count - processed }));
}

const toValues = (row: EventRow, processed: number) => ({
  ...row,
  actor_id: sql<number | null>`(select users.id from users where users.login = ${row.actor})`,
  processed,
  alert: null,
  alerted_at: null,
});

/**
 * Adds a row of its own.
 * @param processed 1 hides the event from hooks, alerts and metrics until `completeEvent`
 */
export async function insertEvent(db: Db | Trx, row: EventRow, processed = 0): Promise<number> {
  const { id } = await db
    .insertInto('security_events')
    .values(toValues(row, processed))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds rows; those whose slot exists add to its count. */
export async function upsertEvents(trx: Trx, rows: readonly EventRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const values = rows.slice(at, at + ROWS_AT_ONCE).map((row) => toValues(row, 0));
    await trx
      .insertInto('security_events')
      .values(values)
      .onConflict((conflict) =>
        conflict.column('slot').doUpdateSet((set) => ({
          count: sql<number>`${set.ref('security_events.count')} + ${set.ref('excluded.count')}`,
          last_at: set.ref('excluded.last_at'),
        })),
      )
      .execute();
  }
}

/** Users by login and by email address. @param keys in lower case */
export async function findUsersByKey(
  db: Db,
  keys: readonly string[],
): Promise<Map<string, EventUser>> {
  const found = new Map<string, EventUser>();
  for (let at = 0; at < keys.length; at += ROWS_AT_ONCE) {
    const some = keys.slice(at, at + ROWS_AT_ONCE);
    const rows = await db
      .selectFrom('users')
      .select(['id', 'login', 'login_key', 'email'])
      .where((where) => where.or([where('login_key', 'in', some), where('email', 'in', some)]))
      .execute();
    for (const { id, login, login_key, email } of rows) {
      for (const key of [login_key, email]) found.set(key, { id, login });
    }
  }
  return found;
}

export interface EventFilter {
  events?: readonly SecurityEventName[] | undefined;
  /** A login or its beginning, of the account or of the actor. */
  user?: string | undefined;
  /** An address or its beginning. */
  address?: string | undefined;
  /** Epoch milliseconds, inclusive and exclusive. */
  from?: number | undefined;
  before?: number | undefined;
}

function matchEvents(db: Db | Trx, { events, user, address, from, before }: EventFilter) {
  let query = db.selectFrom('security_events');
  if (events && events.length > 0 && events.length < SECURITY_EVENTS.length)
    query = query.where('event', 'in', [...events]);
  if (user)
    query = query.where((w) =>
      w.or([
        startsWith(db, 'login', user),
        startsWith(db, 'actor', user),
        // Actors without an account: `command line (ada)`, `WordPress user 7 (ada)`.
        anyContains(db, ['actor'], `(${user}`),
      ]),
    );
  if (address) query = query.where(startsWith(db, 'address', address));
  if (from !== undefined) query = query.where('last_at', '>=', from);
  if (before !== undefined) query = query.where('at', '<', before);
  return query;
}

/** Events, newest first, with their total. */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ events: LoggedEvent[]; total: number }> {
  const query = matchEvents(db, filter);
  const total = await countRows(query);
  const page = query.select(COLUMNS).orderBy('id', 'desc').offset(offset).limit(limit);
  return { events: (await page.execute()).map(toLogged), total };
}

/** The events after an id, oldest first. */
export async function listEventsAfter(
  db: Db,
  filter: EventFilter,
  after: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const rows = await matchEvents(db, filter)
    .select(COLUMNS)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toLogged);
}

/** Sets the details of an event, and releases it to hooks, alerts and metrics. */
export async function completeEvent(
  db: Db | Trx,
  id: number,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db
    .updateTable('security_events')
    .set({ details: JSON.stringify(details), processed: 0 })
    .where('id', '=', id)
    .where('anonymised_at', 'is', null)
    .execute();
}

/** Alerts administrators about an event that is not completed yet. */
export async function setAlert(
  trx: Trx,
  id: number,
  alert: AlertKind,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await trx
    .updateTable('security_events')
    .set({ alert, details: JSON.stringify(details) })
    .where('id', '=', id)
    .execute();
}
