import { randomUUID } from 'node:crypto';
import type { Secret } from '../platform/crypto/secret.ts';
import type { Announce, Trx } from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { formatErrorMessage } from '../platform/hooks/timeout.ts';
import { Worker } from '../platform/jobs/worker.ts';
import type { Delivery } from './delivery.ts';
import { nextAttempt, toMailFault } from './rules.ts';
import {
  hasDueMail,
  insertMail,
  leaseMails,
  markFailed,
  markSent,
  type OutboxMail,
  renewLease,
} from './store.ts';
import type { RenderedMail } from './template.ts';

/** The topic on which a queued mail is announced. */
const MAIL_QUEUED = 'mail';

/** Stands in text and HTML for what a mail says that must not be stored in clear, see `sealForMail`. */
export const SEALED_PLACE = '[[sealed]]';
const SEALING = 'mail';

/** How many are sent side by side. */
const BATCH = 5;
const SENT_WITHIN_MS = 120_000;
/** Renewed while a mail is being sent: a sender that has not done so by then is gone. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;

export interface Mail extends RenderedMail {
  /** Checked and normalised. */
  to: string;
  /** What it is, for the outbox: as `dsar_acknowledgement`. */
  kind: string;
  /** The path of the resource that it is about, as `dsar/cases/12`. */
  about?: string;
  fromName?: string;
  replyTo?: string;
  /** Of mails with one key only the first is sent. */
  onceKey?: string;
  /** What goes to `SEALED_PLACE` when the mail is sent, from `sealForMail`. */
  sealed?: string;
}

/** Encrypts what a mail says that nobody may read who reads the database, as a key. */
export const sealForMail = (secret: Secret, text: string): string => secret.seal(SEALING, text);

/**
 * Queues a mail in the transaction of what causes it: it is sent if and only if that is committed,
 * at least once, and always under the same Message-ID.
 * @returns its id; undefined if one with its key was there
 */
export async function queueMail(
  trx: Trx,
  announce: Announce,
  mail: Mail,
  now: number,
): Promise<number | undefined> {
  const { to, kind, subject, text, html, about, fromName, replyTo } = mail;
  const { onceKey, sealed } = mail;
  const id = await insertMail(trx, {
    message_id: randomUUID(),
    once_key: onceKey ?? null,
    kind,
    about: about ?? null,
    recipient: to,
    from_name: fromName || null,
    reply_to: replyTo || null,
    subject,
    body_text: text,
    body_html: html,
    sealed: sealed ?? null,
    status: 'pending',
    due_at: now,
    last_error: null,
    created_at: now,
    sent_at: null,
    ended_at: null,
  });
  announce(MAIL_QUEUED, kind);
  return id;
}

/** Sends what is due, a few mails at a time. True: there may be more. */
export async function sendDueMails(
  { datastore, clock, log, secret }: Pick<Platform, 'datastore' | 'clock' | 'log' | 'secret'>,
  delivery: Delivery,
  stopping?: AbortSignal,
): Promise<boolean> {
  const now = clock.now();
  if (!(await hasDueMail(datastore.db, now))) return false;
  const claim = { limit: BATCH, now, leaseUntil: now + LEASE_MS };
  const mails = await datastore.transaction((trx) => leaseMails(trx, claim));
  const outcomes = await Promise.allSettled(mails.map(send));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return mails.length > 0;

  async function send(mail: OutboxMail): Promise<void> {
    const endLease = keepLease(mail);
    let fault: unknown;
    const tooLong = AbortSignal.timeout(SENT_WITHIN_MS);
    const signal = stopping ? AbortSignal.any([stopping, tooLong]) : tooLong;
    const isSent = await deliver(mail, signal).then(
      () => true,
      (error) => {
        fault = error;
        return false;
      },
    );
    const dueAt = await endLease();
    if (isSent) await datastore.transaction((trx) => markSent(trx, mail.id, clock.now()));
    else await fail({ ...mail, dueAt }, fault);
  }

  async function deliver({ sealed, ...mail }: OutboxMail, signal: AbortSignal): Promise<void> {
    if (sealed === null) return delivery.deliver(mail, signal);
    const told = secret.unseal(SEALING, sealed);
    const open = (body: string | null) => body?.replaceAll(SEALED_PLACE, () => told) ?? null;
    return delivery.deliver({ ...mail, text: open(mail.text), html: open(mail.html) }, signal);
  }

  /** @returns what ends it, and tells until when it was ours */
  function keepLease({ id, dueAt }: OutboxMail): () => Promise<number> {
    let until = dueAt;
    let renewal: Promise<void> | undefined;
    const timer = setInterval(() => {
      renewal = renewLease(datastore.db, id, { from: until, to: clock.now() + LEASE_MS }).then(
        (renewed) => {
          until = renewed ?? until;
        },
        (err) => log.warn({ err, mail: id }, 'cannot renew the lease of a mail'),
      );
    }, RENEW_MS);
    return async () => {
      clearInterval(timer);
      await renewal;
      return until;
    };
  }

  async function fail(mail: OutboxMail, error: unknown): Promise<void> {
    const fault = toMailFault(error);
    const deferrals = mail.deferrals + (fault === 'deferred' ? 1 : 0);
    const nextAt = nextAttempt(fault, { ...mail, deferrals }, clock.now(), Math.random());
    const failure = { at: clock.now(), error: formatErrorMessage(error), deferrals, nextAt };
    const { id, kind, attempts } = mail;
    log.warn(
      { mail: id, kind, attempts, fault, reason: failure.error },
      nextAt === undefined ? 'a mail is given up' : 'a mail could not be sent yet',
    );
    await datastore.transaction((trx) => markFailed(trx, mail, failure));
  }
}

/** Sends mail in the background, beside as many other nodes as there are. */
export function mailSender(platform: Platform, delivery: Delivery): Worker {
  const sender = new Worker({
    name: 'mail',
    log: platform.log,
    work: (signal) => sendDueMails(platform, delivery, signal),
  });
  platform.datastore.onChange(MAIL_QUEUED, () => sender.wake());
  return sender;
}
