import { Type } from 'typebox';
import type { Platform } from '../platform/deps.ts';
import { readEmail } from '../platform/email-address.ts';
import { DomainError, InvalidFieldError, NotFoundError } from '../platform/errors.ts';
import type { User } from '../platform/rest/caller.ts';
import { hasCapability } from '../platform/rest/capabilities.ts';
import { toListResponse, toOffsetAndLimit } from '../platform/rest/pagination.ts';
import type { RestApi } from '../platform/rest/rest-api.ts';
import { MailQuery, OutboxMailRecord, toMailRecord } from './schemas.ts';
import { queueMail } from './service.ts';
import { findMail, listMails, reviveMail } from './store.ts';
import { renderMail } from './template.ts';

const TEST_MAIL = renderMail({
  language: 'en',
  subject: 'A test email from Pavis',
  parts: ['An administrator has sent this email to test the email settings of Pavis. They work.'],
});
const NO_ADDRESS =
  'Your account has no email address. Send the test from the command line: pavis doctor --send-test-mail ADDRESS';

/**
 * The outbox: `/mail`.
 * @param requests the beginning of `about` of emails about data subject requests. Users who handle requests and are
 * not administrators see these emails only.
 */
export function mailRoutes(
  api: RestApi,
  { datastore, clock }: Platform,
  { requests }: { requests: string },
): void {
  const getScope = (user: User | null) =>
    user && hasCapability(user, 'manage_options') ? '' : requests;
  api.add({
    method: 'GET',
    path: '/mail',
    access: 'manage_privacy_requests',
    summary: 'List emails',
    args: MailQuery,
    answers: { 200: Type.Array(OutboxMailRecord) },
    async handle(request) {
      const { args, user } = request;
      const filter = { ...args, aboutPrefix: getScope(user) };
      const { mails, total } = await listMails(datastore.db, filter, toOffsetAndLimit(args));
      return toListResponse(request, mails.map(toMailRecord), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/mail/test',
    summary: 'Send a test email to the current user',
    answers: { 201: OutboxMailRecord },
    async handle({ user }) {
      // Of a WordPress user as it is spelt there.
      const to = readEmail(user?.email ?? '');
      if (to === undefined) throw new InvalidFieldError('email', NO_ADDRESS);
      const mail = await datastore.transaction(async (trx, announce) => {
        const id = await queueMail(trx, announce, { ...TEST_MAIL, to, kind: 'test' }, clock.now());
        return findMail(trx, id ?? 0);
      });
      if (!mail) throw new NotFoundError('The test email');
      return { status: 201, body: toMailRecord(mail) };
    },
  });
  api.add({
    method: 'GET',
    path: '/mail/{id}',
    summary: 'Get an email',
    answers: { 200: OutboxMailRecord },
    async handle({ id }) {
      const mail = await findMail(datastore.db, id);
      if (!mail) throw new NotFoundError('The email');
      return { body: toMailRecord(mail) };
    },
  });
  api.add({
    method: 'POST',
    path: '/mail/{id}/retry',
    access: 'manage_privacy_requests',
    summary: 'Retry an email',
    answers: { 200: OutboxMailRecord },
    async handle({ id, user }) {
      const mail = await datastore.transaction((trx) =>
        reviveMail(trx, id, { now: clock.now(), aboutPrefix: getScope(user) }),
      );
      if (!mail) {
        const message =
          'No undelivered email with this id can be sent again. If its link no longer works, send a new link.';
        throw new DomainError('not_found', 'not_found', message);
      }
      return { body: toMailRecord(mail) };
    },
  });
}
