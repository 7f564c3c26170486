import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { anyContains, type Db, startsWith, type Trx } from '../../platform/db/index.ts';
import type { AlertKind } from './alerts/rules.ts';
import {
  type EventRow,
  type EventUser,
  SECURITY_EVENTS,
  type SecurityEventName,
} from './events.ts';
import type { SecurityEventTable } from './tables.ts';

const ROWS_AT_ONCE = 200;

/** A row of the log. */
export interface LoggedEvent {
  id: number;
  at: number;
  lastAt: number;
  event: SecurityEventName;
  userId: number | null;
  login: string | null;
  actorId: number | null;
  actor: string | null;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
  count: number;
}

const COLUMNS = [
  'id',
  'at',
  'last_at',
  'event',
  'user_id',
  'login',
  'actor_id',
  'actor',
  'address',
  'user_agent',
  'details',
  'count',
] as const;

type Row = Pick<Selectable<SecurityEventTable>, (typeof COLUMNS)[number]>;

const toLogged = (row: Row): LoggedEvent => ({
  id: row.id,
  at: row.at,
  lastAt: row.last_at,
  event: row.event,
  userId: row.user_id,
  login: row.login,
  actorId: row.actor_id,
  actor: row.actor,
  address: row.address,
  userAgent: row.user_agent,
  details: JSON.parse(row.details),
  count: row.count,
});

type EventQuery = SelectQueryBuilder<Database, 'security_events', object>;

/** The events of a query, with how often each happened since it was processed last. */
export async function selectEvents(
  query: EventQuery,
): Promise<(LoggedEvent & { added: number })[]> {
  const rows = await query.select([...COLUMNS, 'processed']).execute();
  return rows.map((row) => ({ ...toLogged(row), added: row.count - row.processed }));
}

const idOfActor = (actor: string | null): RawBuilder<number | null> =>
  sql<number | null>`(select users.id from users where users.login = ${actor})`;

/** Adds a row of its own. */
export async function insertEvent(
  db: Db | Trx,
  row: EventRow,
  { alert = null, processed = 0 }: { alert?: AlertKind | null; processed?: number } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('security_events')
    .values({ ...row, actor_id: idOfActor(row.actor), processed, alert, alerted_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds rows, or what they count to those of the same slot. */
export async function upsertEvents(trx: Trx, rows: readonly EventRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    await trx
      .insertInto('security_events')
      .values(
        some.map((row) => ({
          ...row,
          actor_id: idOfActor(row.actor),
          processed: 0,
          alert: null,
          alerted_at: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('slot').doUpdateSet((set) => ({
          count: sql<number>`${set.ref('security_events.count')} + ${set.ref('excluded.count')}`,
          last_at: set.ref('excluded.last_at'),
        })),
      )
      .execute();
  }
}

/** The users among logins and email addresses, by these. @param keys in lower case */
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
  /** A login or its beginning, of the account or of who acted. */
  user?: string | undefined;
  /** An address or its beginning. */
  address?: string | undefined;
  /** Epoch milliseconds: from the first on, and before the second. */
  from?: number | undefined;
  before?: number | undefined;
}

function matching(db: Db | Trx, { events, user, address, from, before }: EventFilter) {
  let query = db.selectFrom('security_events');
  if (events && events.length > 0 && events.length < SECURITY_EVENTS.length)
    query = query.where('event', 'in', [...events]);
  if (user)
    query = query.where((w) =>
      w.or([
        startsWith(db, 'login', user),
        startsWith(db, 'actor', user),
        // Who is no user here: `command line (ada)`, `WordPress user 7 (ada)`.
        anyContains(db, ['actor'], `(${user}`),
      ]),
    );
  if (address) query = query.where(startsWith(db, 'address', address));
  if (from !== undefined) query = query.where('last_at', '>=', from);
  if (before !== undefined) query = query.where('at', '<', before);
  return query;
}

/** Events, newest first, and how many rows there are. */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ events: LoggedEvent[]; total: number }> {
  const query = matching(db, filter);
  const rows = await query
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  const { total } = await query
    .select((events) => events.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { events: rows.map(toLogged), total: Number(total) };
}

/** The events after an id, oldest first. */
export async function nextEvents(
  db: Db,
  filter: EventFilter,
  after: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const rows = await matching(db, filter)
    .select(COLUMNS)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toLogged);
}

/** Adds to what is said about an event, and gives it to hooks, alerts and metrics from then on. */
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
