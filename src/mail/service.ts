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

/** A topic of `onChange`. */
const MAIL_QUEUED = 'mail';

/** Placeholder in text and HTML for a secret that is stored encrypted, see `sealForMail`. */
export const SEALED_PLACE = '[[sealed]]';
const SEALING = 'mail';

/** Sent concurrently. */
const BATCH = 5;
const SENT_WITHIN_MS = 120_000;
/** Renewed while a mail is being sent. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;

export interface Mail extends RenderedMail {
  /** A valid, normalised address. */
  to: string;
  /** For example `dsar_acknowledgement`. */
  kind: string;
  /** Path of the related resource, for example `dsar/cases/12`. */
  about?: string;
  fromName?: string;
  replyTo?: string;
  /** Idempotency key: only the first mail with a key is sent. */
  onceKey?: string;
  /** From `sealForMail`: replaces `SEALED_PLACE` when the mail is sent. */
  sealed?: string;
  /** When it is given up instead of sent, because its link no longer works; epoch milliseconds. */
  expiresAt?: number;
}

/** Encrypts a secret in a mail, for example a licence key, for the database. */
export const sealForMail = (secret: Secret, text: string): string => secret.seal(SEALING, text);

/**
 * Queues a mail. It is sent at least once if the transaction commits, always with the same Message-ID.
 * @returns its id; undefined if a mail with this `onceKey` exists
 */
export async function queueMail(
  trx: Trx,
  announce: Announce,
  mail: Mail,
  now: number,
): Promise<number | undefined> {
  const id = await insertMail(trx, {
    message_id: randomUUID(),
    once_key: mail.onceKey ?? null,
    kind: mail.kind,
    about: mail.about ?? null,
    recipient: mail.to,
    from_name: mail.fromName || null,
    reply_to: mail.replyTo || null,
    subject: mail.subject,
    body_text: mail.text,
    body_html: mail.html,
    sealed: mail.sealed ?? null,
    status: 'pending',
    due_at: now,
    expires_at: mail.expiresAt ?? null,
    last_error: null,
    created_at: now,
    sent_at: null,
    ended_at: null,
  });
  announce(MAIL_QUEUED, mail.kind);
  return id;
}

/** Sends a few of the mails that are due. @returns whether there may be more */
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
    const timeout = AbortSignal.timeout(SENT_WITHIN_MS);
    const signal = stopping ? AbortSignal.any([stopping, timeout]) : timeout;
    const [result] = await Promise.allSettled([deliver(mail, signal)]);
    const dueAt = await endLease();
    if (result.status === 'rejected') await fail({ ...mail, dueAt }, result.reason);
    else await datastore.transaction((trx) => markSent(trx, mail.id, clock.now(), delivery.note));
  }

  async function deliver({ sealed, ...mail }: OutboxMail, signal: AbortSignal): Promise<void> {
    if (isExpired(mail, clock.now())) throw new Error('its link no longer works');
    if (sealed === null) return delivery.deliver(mail, signal);
    const text = secret.unseal(SEALING, sealed);
    const fill = (body: string | null) => body?.replaceAll(SEALED_PLACE, () => text) ?? null;
    return delivery.deliver({ ...mail, text: fill(mail.text), html: fill(mail.html) }, signal);
  }

  /** @returns a function that stops renewing and returns the end of the lease */
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
    const next = nextAttempt(fault, { ...mail, deferrals }, clock.now(), Math.random());
    const nextAt = next === undefined || isExpired(mail, next) ? undefined : next;
    const failure = { at: clock.now(), error: formatErrorMessage(error), deferrals, nextAt };
    const { id, kind, attempts } = mail;
    log.warn(
      { mail: id, kind, attempts, fault, reason: failure.error },
      nextAt === undefined ? 'an email is given up' : 'an email could not be sent yet',
    );
    await datastore.transaction((trx) => markFailed(trx, mail, failure));
  }
}

const isExpired = ({ expiresAt }: Pick<OutboxMail, 'expiresAt'>, at: number): boolean =>
  expiresAt !== null && expiresAt <= at;

/** Sends mails in the background, on all nodes. */
export function mailSender(platform: Platform, delivery: Delivery): Worker {
  const sender = new Worker({
    name: 'mail',
    log: platform.log,
    work: (signal) => sendDueMails(platform, delivery, signal),
  });
  platform.datastore.onChange(MAIL_QUEUED, () => sender.wake());
  return sender;
}
