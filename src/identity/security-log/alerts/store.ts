import { sql } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../../../platform/clock.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { type LoggedEvent, selectEvents } from '../store.ts';
import type { AlertKind, Failures } from './rules.ts';

/** An event with the number of occurrences that are not processed yet. */
export type NewEvent = LoggedEvent & { added: number };

/** Events that hooks, alerts and metrics have not received yet, oldest first. */
export const listUnprocessed = (db: Db | Trx, limit: number): Promise<NewEvent[]> =>
  selectEvents(
    db.selectFrom('security_events').whereRef('processed', '<', 'count').orderBy('id').limit(limit),
  );

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

export const listAdministrators = (db: Db | Trx): Promise<{ id: number; email: string }[]> =>
  db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', '=', 'administrator')
    .orderBy('id')
    .execute();

/** Whether the log has an earlier sign-in of the same user. */
export async function hasSignedInBefore(
  trx: Trx,
  { id, userId, count, added }: NewEvent,
): Promise<boolean> {
  // Sign-ins of the same minute and address are one row.
  if (count > added) return true;
  const earlier = trx
    .selectFrom('security_events')
    .select('id')
    .where('event', '=', 'sign_in')
    .where('user_id', '=', userId)
    .where('id', '<', id);
  return (await earlier.limit(1).executeTakeFirst()) !== undefined;
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

export async function hasBurstSince(trx: Trx, since: number): Promise<boolean> {
  const bursts = trx
    .selectFrom('security_events')
    .select('id')
    .where('event', '=', 'sign_in_burst')
    .where('at', '>', since);
  return (await bursts.limit(1).executeTakeFirst()) !== undefined;
}

/** When administrators were last emailed about a kind, unless the clock was set back since; null if they never were. */
export async function findLastAlert(
  db: Db | Trx,
  kind: AlertKind,
  now: number,
): Promise<number | null> {
  const { last } = await db
    .selectFrom('security_events')
    .select((eb) => eb.fn.max('alerted_at').as('last'))
    .where('alert', '=', kind)
    .where('alerted_at', '<=', now + CLOCKS_DIFFER_MS)
    .executeTakeFirstOrThrow();
  return last === null ? null : Number(last);
}

const selectPending = (db: Db | Trx) =>
  db.selectFrom('security_events').where('alert', 'is not', null).where('alerted_at', 'is', null);

/** The kinds of alerts that have not been emailed yet. */
export async function listPendingKinds(db: Db): Promise<AlertKind[]> {
  const rows = await selectPending(db).select('alert').distinct().execute();
  return rows.flatMap(({ alert }) => alert ?? []);
}

/** Events of a kind that have not been emailed yet, newest first. */
export const listPending = (db: Db | Trx, kind: AlertKind): Promise<LoggedEvent[]> =>
  selectEvents(selectPending(db).where('alert', '=', kind).orderBy('id', 'desc'));

/** Marks the events of a kind up to an id as emailed. */
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
