import { type Static, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../platform/clock.ts';
import { toRecord } from '../platform/http/record.ts';
import { Moment, nullable, OneOf, Text } from '../platform/http/schemas.ts';
import { paginationArgs } from '../platform/rest/pagination.ts';
import type { OutboxMail } from './store.ts';
import { MAIL_STATUSES } from './tables.ts';

export const MailQuery = Type.Object({
  status: Type.Optional(OneOf(MAIL_STATUSES)),
  about: Type.Optional(
    Text(200, {
      description: 'Path of a resource, for example `dsar/cases/12`. Returns the emails about it.',
    }),
  ),
  ...paginationArgs(),
});

const EXAMPLE = '2026-11-21T09:30:00.000Z';

export const OutboxMailRecord = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String(),
    about: nullable(Type.String({ description: 'Path of the resource that the email is about.' })),
    recipient: nullable(Type.String()),
    subject: nullable(Type.String({ description: 'Null after the email was sent.' })),
    status: OneOf(MAIL_STATUSES),
    attempts: Type.Integer(),
    last_error: nullable(
      Type.String({
        description:
          'Why the last attempt failed. Of a sent email: that it was saved as a file, because no mail server is set.',
      }),
    ),
    created_at: Moment('When it was queued.', EXAMPLE),
    next_attempt_at: nullable(Moment('When it is tried next.', EXAMPLE)),
    sent_at: nullable(Moment('When it was sent.', EXAMPLE)),
    expires_at: nullable(
      Moment(
        'From when it is no longer sent, because its link does not work or its content is no longer valid.',
        EXAMPLE,
      ),
    ),
  },
  { title: 'Mail', description: 'An email of the outbox.' },
);

export const toMailRecord = (mail: OutboxMail): Static<typeof OutboxMailRecord> =>
  toRecord(OutboxMailRecord, {
    ...mail,
    createdAt: toIsoMoment(mail.createdAt),
    nextAttemptAt: mail.status === 'pending' ? toIsoMoment(mail.dueAt) : null,
    sentAt: toIsoMomentOrNull(mail.sentAt),
    expiresAt: toIsoMomentOrNull(mail.expiresAt),
  });
