import { Type } from 'typebox';
import type { Platform } from '../deps.ts';
import { notFound } from '../rest/errors.ts';
import { listAnswer, sliceOf } from '../rest/pagination.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { MailQuery, OutboxMailRecord, toMailRecord } from './schemas.ts';
import { listMails, reviveMail } from './store.ts';

/** What is on its way out, and what is stuck: `/mail`. */
export function mailRoutes(api: RestApi, { datastore, clock }: Platform): void {
  api.add({
    method: 'GET',
    path: '/mail',
    summary: 'The outbox, newest first; `status=dead` are those that were given up',
    args: MailQuery,
    answers: { 200: Type.Array(OutboxMailRecord) },
    async handle(request) {
      const { mails, total } = await listMails(datastore.db, request.args, sliceOf(request.args));
      return listAnswer(request, mails.map(toMailRecord), total);
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
      return { body: toMailRecord(mail) };
    },
  });
}
