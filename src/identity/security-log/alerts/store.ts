import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { type LoggedEvent, selectEvents } from '../store.ts';
import type { AlertKind, Failures } from './rules.ts';

/** An event with how often it happened since it was processed last. */
export interface NewEvent extends LoggedEvent {
  added: number;
}

/** Events that hooks, alerts and metrics have not had yet, oldest first. */
export async function listUnprocessed(trx: Db | Trx, limit: number): Promise<NewEvent[]> {
  return selectEvents(
    trx
      .selectFrom('security_events')
      .whereRef('processed', '<', 'count')
      .orderBy('id')
      .limit(limit),
  );
}

/** Notes that what was counted up to now is processed. */
export async function markProcessed(
  trx: Trx,
  { id, count }: NewEvent,
  alert: AlertKind | null,
): Promise<void> {
  await trx
    .updateTable('security_events')
    .set({ processed: count, ...(alert && { alert }) })
    .where('id', '=', id)
    .execute();
}

/** The ids of administrators. */
export async function listAdministrators(db: Db | Trx): Promise<{ id: number; email: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', '=', 'administrator')
    .orderBy('id')
    .execute();
}

/** Whether the log has an earlier sign-in of the same user. */
export async function hasSignedInBefore(
  trx: Trx,
  { id, userId, count, added }: NewEvent,
): Promise<boolean> {
  // Those of the same minute and address are counted in one row.
  if (count > added) return true;
  const found = await trx
    .selectFrom('security_events')
    .select('id')
    .where('event', '=', 'sign_in')
    .where('user_id', '=', userId)
    .where('id', '<', id)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function countFailures(trx: Trx, since: number): Promise<Failures> {
  const { failures, accounts, unknown } = await trx
    .selectFrom('security_events')
    .select([
      sql<number>`coalesce(sum(count), 0)`.as('failures'),
      sql<number>`count(distinct user_id)`.as('accounts'),
      sql<number>`coalesce(sum(case when user_id is null then count else 0 end), 0)`.as('unknown'),
    ])
    .where('event', '=', 'sign_in_failed')
    .where('at', '>', since)
    .where('anonymised_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { failures: Number(failures), accounts: Number(accounts), unknown: Number(unknown) };
}

/** Whether a burst was recorded since a moment. */
export async function hasBurstSince(trx: Trx, since: number): Promise<boolean> {
  const row = await trx
    .selectFrom('security_events')
    .select('id')
    .where('event', '=', 'sign_in_burst')
    .where('at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When administrators were last mailed about a kind; null if they never were. */
export async function findLastAlert(db: Db | Trx, kind: AlertKind): Promise<number | null> {
  const { last } = await db
    .selectFrom('security_events')
    .select((eb) => eb.fn.max('alerted_at').as('last'))
    .where('alert', '=', kind)
    .executeTakeFirstOrThrow();
  return last === null ? null : Number(last);
}

/** The kinds of which events wait for an email. */
export async function listWaitingKinds(db: Db): Promise<AlertKind[]> {
  const rows = await db
    .selectFrom('security_events')
    .select('alert')
    .distinct()
    .where('alert', 'is not', null)
    .where('alerted_at', 'is', null)
    .execute();
  return rows.flatMap(({ alert }) => alert ?? []);
}

/** The events of a kind that administrators were not mailed about, newest first. */
export async function listUnalerted(db: Db | Trx, kind: AlertKind): Promise<LoggedEvent[]> {
  return selectEvents(
    db
      .selectFrom('security_events')
      .where('alert', '=', kind)
      .where('alerted_at', 'is', null)
      .orderBy('id', 'desc'),
  );
}

/** Notes that administrators were mailed about the events of a kind up to an id. */
export async function markAlerted(
  trx: Trx,
  kind: AlertKind,
  lastId: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('security_events')
    .set({ alerted_at: now })
    .where('alert', '=', kind)
    .where('alerted_at', 'is', null)
    .where('id', '<=', lastId)
    .execute();
}
