import { Type } from 'typebox';
import type { User } from '../auth/caller.ts';
import { hasCapability } from '../auth/capabilities.ts';
import type { Platform } from '../deps.ts';
import { notFound } from '../rest/errors.ts';
import { listAnswer, sliceOf } from '../rest/pagination.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { MailQuery, OutboxMailRecord, toMailRecord } from './schemas.ts';
import { listMails, reviveMail } from './store.ts';

/**
 * What is on its way out, and what is stuck: `/mail`.
 * @param requests how the resources begin that subject requests are: who handles those, and is no
 * administrator, sees no other mails
 */
export function mailRoutes(
  api: RestApi,
  { datastore, clock }: Platform,
  { requests }: { requests: string },
): void {
  const scopeOf = (user: User | null) =>
    user && hasCapability(user, 'manage_options') ? '' : requests;
  api.add({
    method: 'GET',
    path: '/mail',
    access: 'manage_privacy_requests',
    summary: 'The outbox, newest first; `status=dead` are those that were given up',
    args: MailQuery,
    answers: { 200: Type.Array(OutboxMailRecord) },
    async handle(request) {
      const { args, user } = request;
      const filter = { ...args, aboutPrefix: scopeOf(user) };
      const { mails, total } = await listMails(datastore.db, filter, sliceOf(args));
      return listAnswer(request, mails.map(toMailRecord), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/mail/{id}/retry',
    access: 'manage_privacy_requests',
    summary: 'Send a mail after all that was given up or held',
    answers: { 200: OutboxMailRecord },
    async handle({ id, user }) {
      const mail = await datastore.transaction((trx) =>
        reviveMail(trx, id, { now: clock.now(), aboutPrefix: scopeOf(user) }),
      );
      if (!mail) throw notFound('A mail that was given up');
      return { body: toMailRecord(mail) };
    },
  });
}
