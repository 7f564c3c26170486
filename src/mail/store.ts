import type { Insertable, Selectable } from 'kysely';
import { type Db, lockFreeRows, type Trx } from '../platform/db/index.ts';
import type { MailStatus, OutboxMailTable } from './tables.ts';

/** A mail of the outbox; moments in epoch milliseconds. */
export interface OutboxMail {
  id: number;
  messageId: string;
  kind: string;
  /** The path of the resource that it is about. */
  about: string | null;
  recipient: string | null;
  fromName: string | null;
  replyTo: string | null;
  subject: string | null;
  text: string | null;
  html: string | null;
  sealed: string | null;
  status: MailStatus;
  attempts: number;
  deferrals: number;
  dueAt: number;
  lastError: string | null;
  createdAt: number;
  sentAt: number | null;
}

const toMail = (row: Selectable<OutboxMailTable>): OutboxMail => ({
  id: row.id,
  messageId: row.message_id,
  kind: row.kind,
  about: row.about,
  recipient: row.recipient,
  fromName: row.from_name,
  replyTo: row.reply_to,
  subject: row.subject,
  text: row.body_text,
  html: row.body_html,
  sealed: row.sealed,
  status: row.status,
  attempts: row.attempts,
  deferrals: row.deferrals,
  dueAt: row.due_at,
  lastError: row.last_error,
  createdAt: row.created_at,
  sentAt: row.sent_at,
});

/** Adds a mail and gives its id; undefined if one with its key was there. */
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

/** Takes a mail back in the transaction that queued it; without an id it only costs the same. */
export async function discardMail(trx: Trx, id = 0): Promise<void> {
  await trx.deleteFrom('outbox_mails').where('id', '=', id).execute();
}

/** Whether there is a mail to send, or one whose sender is lost. */
export async function hasDueMail(db: Db, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('outbox_mails')
    .select('id')
    .where('status', 'in', ['pending', 'sending'])
    .where('due_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the mails that have waited longest, for nobody else until the lease ends. */
export async function leaseMails(
  trx: Trx,
  { limit, now, leaseUntil }: { limit: number; now: number; leaseUntil: number },
): Promise<OutboxMail[]> {
  const due = trx
    .selectFrom('outbox_mails')
    .select('id')
    .where('status', 'in', ['pending', 'sending'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit);
  const ids = (await lockFreeRows(trx, due).execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('outbox_mails')
    .set((eb) => ({ status: 'sending', due_at: leaseUntil, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .returningAll()
    .execute();
  return rows.map(toMail).toSorted((a, b) => a.id - b.id);
}

/** Moves the end of a lease; undefined if somebody else has taken the mail over. */
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

/** Notes that a mail was sent, and forgets what it said. */
export async function markSent(trx: Trx, id: number, now: number): Promise<void> {
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
      last_error: null,
    })
    .where('id', '=', id)
    .execute();
}

/** Notes a failed attempt; without a next one the mail is dead. */
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
    // Another node may have taken over the lease.
    .where('due_at', '=', dueAt)
    .execute();
}

interface Scope {
  /** How the path of what a mail is about begins; empty for all mails. */
  aboutPrefix: string;
}

export async function findMail(db: Db | Trx, id: number): Promise<OutboxMail | undefined> {
  const row = await db
    .selectFrom('outbox_mails')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toMail(row);
}

/** A page of the outbox, newest first, and how many there are. */
export async function listMails(
  db: Db,
  {
    status,
    about,
    aboutPrefix,
  }: { status?: MailStatus | undefined; about?: string | undefined } & Scope,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ mails: OutboxMail[]; total: number }> {
  let query = db.selectFrom('outbox_mails');
  if (status !== undefined) query = query.where('status', '=', status);
  if (about !== undefined) query = query.where('about', '=', about);
  if (aboutPrefix) query = query.where('about', 'like', `${aboutPrefix}%`);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { mails: rows.map(toMail), total: Number(total) };
}

/** Lets a dead or held mail be tried once more; undefined if there is none with its words still there. */
export async function reviveMail(
  trx: Trx,
  id: number,
  { now, aboutPrefix }: { now: number } & Scope,
): Promise<OutboxMail | undefined> {
  let query = trx
    .updateTable('outbox_mails')
    // It counts as new, or it would be given up at once.
    .set({
      ...{ status: 'pending', due_at: now, created_at: now, ended_at: null },
      ...{ attempts: 0, deferrals: 0 },
    })
    .where('id', '=', id)
    .where('status', 'in', ['dead', 'held'])
    .where('body_text', 'is not', null);
  if (aboutPrefix) query = query.where('about', 'like', `${aboutPrefix}%`);
  const row = await query.returningAll().executeTakeFirst();
  return row && toMail(row);
}

/** How many mails there are in each state, those aside that retention has anonymised. */
export async function countMails(db: Db): Promise<Partial<Record<MailStatus, number>>> {
  const rows = await db
    .selectFrom('outbox_mails')
    .select(({ fn }) => ['status', fn.countAll<number>().as('total')])
    .where('anonymised_at', 'is', null)
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, total }) => [status, Number(total)]));
}

/** What is kept of mails, by the first part of their Message-IDs; those that are not listed are gone. */
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
