import type { Insertable, Selection } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { countRows, type Db, lockFreeRows, type Trx } from '../platform/db/index.ts';
import { LONGEST_DEFERRALS_MS } from './rules.ts';
import type { MailStatus, OutboxMailTable } from './tables.ts';

const COLUMNS = [
  'id',
  'message_id as messageId',
  'kind',
  'about',
  'recipient',
  'from_name as fromName',
  'reply_to as replyTo',
  'subject',
  'body_text as text',
  'body_html as html',
  'sealed',
  'status',
  'attempts',
  'deferrals',
  'due_at as dueAt',
  'expires_at as expiresAt',
  'last_error as lastError',
  'created_at as createdAt',
  'sent_at as sentAt',
] as const;

export type OutboxMail = Selection<Database, 'outbox_mails', (typeof COLUMNS)[number]>;

/** @returns the id; undefined if a mail with this `once_key` exists */
export async function insertMail(
  trx: Trx,
  row: Insertable<OutboxMailTable>,
): Promise<number | undefined> {
  const inserted = await trx
    .insertInto('outbox_mails')
    .values(row)
    .onConflict((conflict) => conflict.column('once_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** Deletes a mail in the transaction that queued it. Without an id it takes the same time. */
export async function discardMail(trx: Trx, id = 0): Promise<void> {
  await trx.deleteFrom('outbox_mails').where('id', '=', id).execute();
}

/** Also mails whose lease or next attempt is so late only because the clock was set back. */
const selectDue = (db: Db, now: number) =>
  db
    .selectFrom('outbox_mails')
    .select('id')
    .where('status', 'in', ['pending', 'sending'])
    .where((mail) => {
      // Longer than a lease and the delay after a server that was not reached.
      const isLate = (delay = 0) => mail('due_at', '>', now + delay + CLOCKS_DIFFER_MS);
      const deferred = LONGEST_DEFERRALS_MS.map((delay, at, { length }) =>
        mail.and([mail('deferrals', at + 1 < length ? '=' : '>=', at + 1), isLate(delay)]),
      );
      const isOther = mail.or([mail('status', '=', 'sending'), mail('deferrals', '=', 0)]);
      return mail.or([mail('due_at', '<=', now), mail.and([isOther, isLate()]), ...deferred]);
    });

/** Whether there is a mail to send, or one whose lease has expired. */
export async function hasDueMail(db: Db, now: number): Promise<boolean> {
  return (await selectDue(db, now).limit(1).executeTakeFirst()) !== undefined;
}

/** Leases the mails that have been due longest. */
export async function leaseMails(
  trx: Trx,
  { limit, now, leaseUntil }: { limit: number; now: number; leaseUntil: number },
): Promise<OutboxMail[]> {
  const due = selectDue(trx, now).orderBy('due_at').orderBy('id').limit(limit);
  const ids = (await lockFreeRows(trx, due).execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('outbox_mails')
    .set((eb) => ({ status: 'sending', due_at: leaseUntil, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .returning(COLUMNS)
    .execute();
  return rows.toSorted((a, b) => a.id - b.id);
}

/** @returns the new end of the lease; undefined if another node has taken over the mail */
export async function renewLease(
  db: Db,
  id: number,
  { from, to }: { from: number; to: number },
): Promise<number | undefined> {
  const row = await db
    .updateTable('outbox_mails')
    .set({ due_at: to })
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .where('due_at', '=', from)
    .returning('due_at')
    .executeTakeFirst();
  return row?.due_at;
}

/** Marks a mail as sent and deletes its content. @param note see `Delivery` */
export async function markSent(trx: Trx, id: number, now: number, note?: string): Promise<void> {
  await trx
    .updateTable('outbox_mails')
    .set({
      status: 'sent',
      sent_at: now,
      ended_at: now,
      subject: null,
      body_text: null,
      body_html: null,
      sealed: null,
      last_error: note ?? null,
    })
    .where('id', '=', id)
    .execute();
}

/** Records a failed attempt. Without a next attempt the mail is dead. */
export async function markFailed(
  trx: Trx,
  { id, dueAt }: OutboxMail,
  failure: { at: number; error: string; deferrals: number; nextAt: number | undefined },
): Promise<void> {
  await trx
    .updateTable('outbox_mails')
    .set({
      status: failure.nextAt === undefined ? 'dead' : 'pending',
      ended_at: failure.nextAt === undefined ? failure.at : null,
      due_at: failure.nextAt ?? dueAt,
      deferrals: failure.deferrals,
      last_error: failure.error,
    })
    .where('id', '=', id)
    // Another node may have taken over the lease, or sent the mail after it had lost its own.
    .where('status', '=', 'sending')
    .where('due_at', '=', dueAt)
    .execute();
}

interface Scope {
  /** The beginning of `about`; empty for all mails. */
  aboutPrefix: string;
}

export const findMail = (db: Db | Trx, id: number): Promise<OutboxMail | undefined> =>
  db.selectFrom('outbox_mails').select(COLUMNS).where('id', '=', id).executeTakeFirst();

interface MailFilter extends Scope {
  status?: MailStatus | undefined;
  about?: string | undefined;
}

/** Mails, newest first, with their total. */
export async function listMails(
  db: Db,
  { status, about, aboutPrefix }: MailFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ mails: OutboxMail[]; total: number }> {
  let query = db.selectFrom('outbox_mails');
  if (status !== undefined) query = query.where('status', '=', status);
  if (about !== undefined) query = query.where('about', '=', about);
  if (aboutPrefix) query = query.where('about', 'like', `${aboutPrefix}%`);
  const total = await countRows(query);
  const page = query.select(COLUMNS).orderBy('id', 'desc').offset(offset).limit(limit);
  return { mails: await page.execute(), total };
}

/** The latest mail that could not be sent, given up or not. */
export const findLastFailedMail = (db: Db): Promise<OutboxMail | undefined> =>
  db
    .selectFrom('outbox_mails')
    .select(COLUMNS)
    .where('status', 'in', ['pending', 'sending', 'dead'])
    .where('last_error', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Queues a dead or held mail again; undefined if there is none whose content is kept and that has not expired. */
export async function reviveMail(
  trx: Trx,
  id: number,
  { now, aboutPrefix }: { now: number } & Scope,
): Promise<OutboxMail | undefined> {
  let query = trx
    .updateTable('outbox_mails')
    .set({
      status: 'pending',
      due_at: now,
      // Its age counts from now, or it would be given up at once.
      created_at: now,
      ended_at: null,
      attempts: 0,
      deferrals: 0,
    })
    .where('id', '=', id)
    .where('status', 'in', ['dead', 'held'])
    .where('body_text', 'is not', null)
    .where((mail) => mail.or([mail('expires_at', 'is', null), mail('expires_at', '>', now)]));
  if (aboutPrefix) query = query.where('about', 'like', `${aboutPrefix}%`);
  return query.returning(COLUMNS).executeTakeFirst();
}

/**
 * Gives up mails about a resource that are not sent, because their links or contents are no longer valid: those of these
 * kinds, or of all others.
 */
export async function expireMails(
  trx: Trx,
  {
    about,
    ...which
  }: { about: string } & ({ kinds: readonly string[] } | { except: readonly string[] }),
  now: number,
): Promise<void> {
  await trx
    .updateTable('outbox_mails')
    .set({ expires_at: now })
    .where('about', '=', about)
    .where((mail) =>
      'kinds' in which ? mail('kind', 'in', which.kinds) : mail('kind', 'not in', which.except),
    )
    .where('status', '!=', 'sent')
    .where((mail) => mail.or([mail('expires_at', 'is', null), mail('expires_at', '>', now)]))
    .execute();
}

/** Gives up the mails to an address that are not sent, so that they can be erased. */
export async function abandonMails(trx: Trx, recipient: string, now: number): Promise<void> {
  await trx
    .updateTable('outbox_mails')
    .set({ status: 'dead', ended_at: now })
    .where('recipient', '=', recipient)
    .where('ended_at', 'is', null)
    .execute();
}

/** The number of mails by status, without anonymised ones, and dead ones that have expired: nobody can send them again. */
export async function countMails(
  db: Db,
  now: number,
): Promise<Partial<Record<MailStatus, number>>> {
  const rows = await db
    .selectFrom('outbox_mails')
    .select(({ fn }) => ['status', fn.countAll<number>().as('total')])
    .where('anonymised_at', 'is', null)
    .where((mail) =>
      mail.or([
        mail('status', '!=', 'dead'),
        mail('expires_at', 'is', null),
        mail('expires_at', '>', now),
      ]),
    )
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, total }) => [status, Number(total)]));
}

/** By Message-ID, without deleted mails. */
export async function findMailStates(
  db: Db,
  messageIds: readonly string[],
): Promise<Map<string, { kind: string; isAnonymised: boolean }>> {
  const rows = await db
    .selectFrom('outbox_mails')
    .select(['message_id', 'kind', 'anonymised_at'])
    .where('message_id', 'in', messageIds)
    .execute();
  return new Map(
    rows.map(({ message_id, kind, anonymised_at }) => [
      message_id,
      { kind, isAnonymised: anonymised_at !== null },
    ]),
  );
}
