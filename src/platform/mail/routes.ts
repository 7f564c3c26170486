import { type Static, Type } from 'typebox';
import { isoMoment } from '../clock.ts';
import type { Platform } from '../deps.ts';
import { Moment, nullable, OneOf } from '../http/schemas.ts';
import { notFound } from '../rest/errors.ts';
import { listAnswer, pageArgs, sliceOf } from '../rest/pagination.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { listMails, type OutboxMail, reviveMail } from './store.ts';
import { MAIL_STATUSES } from './tables.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';

const OutboxMailRecord = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String(),
    recipient: nullable(Type.String()),
    subject: nullable(Type.String({ description: 'Null once it was sent.' })),
    status: OneOf(MAIL_STATUSES),
    attempts: Type.Integer(),
    last_error: nullable(Type.String()),
    created_at: Moment('When it was queued.', EXAMPLE),
    next_attempt_at: nullable(Moment('When it is tried next.', EXAMPLE)),
    sent_at: nullable(Moment('When it was sent.', EXAMPLE)),
  },
  { title: 'Mail', description: 'A mail of the outbox.' },
);

const toRecord = (mail: OutboxMail): Static<typeof OutboxMailRecord> => ({
  id: mail.id,
  kind: mail.kind,
  recipient: mail.recipient,
  subject: mail.subject,
  status: mail.status,
  attempts: mail.attempts,
  last_error: mail.lastError,
  created_at: isoMoment(mail.createdAt),
  next_attempt_at: mail.status === 'pending' ? isoMoment(mail.dueAt) : null,
  sent_at: mail.sentAt === null ? null : isoMoment(mail.sentAt),
});

/** What is on its way out, and what is stuck: `/mail`. */
export function mailRoutes(api: RestApi, { datastore, clock }: Platform): void {
  api.add({
    method: 'GET',
    path: '/mail',
    summary: 'The outbox, newest first; `status=dead` are those that were given up',
    args: Type.Object({ status: Type.Optional(OneOf(MAIL_STATUSES)), ...pageArgs() }),
    answers: { 200: Type.Array(OutboxMailRecord) },
    async handle(request) {
      const { mails, total } = await listMails(
        datastore.db,
        request.args.status,
        sliceOf(request.args),
      );
      return listAnswer(request, mails.map(toRecord), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/mail/{id}/retry',
    summary: 'Send a mail after all that was given up or held',
    answers: { 200: OutboxMailRecord },
    async handle({ id }) {
      const mail = await datastore.transaction((trx) => reviveMail(trx, id, clock.now()));
      if (!mail) throw notFound('A mail that was given up');
      return { body: toRecord(mail) };
    },
  });
}
