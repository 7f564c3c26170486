import type { FastifyRequest } from 'fastify';
import type { Routes } from '../../../platform/http/error-format.ts';
import { readField, sendView } from '../../../platform/http/views.ts';
import { isExpired } from '../cases/expiry.ts';
import { requestWithdrawal } from '../cases/withdrawal.ts';
import { assertWithinRateLimit } from '../context.ts';
import { findCaseOfRequester } from '../intake/intake.ts';
import { isClosed } from '../rules.ts';
import { statusForm, statusPage, withdrawalSentPage } from './status-views.ts';
import { type Portal, readView, setLanguage } from './view.ts';

/** The status of a request, and the link that withdraws it. */
export function statusRoutes(routes: Routes, { dsar, options, getClient }: Portal) {
  const readFields = (request: FastifyRequest) => ({
    reference: readField(request, 'reference'),
    email: readField(request, 'email'),
  });

  routes.get('/status', options, async (request, reply) => {
    const view = await readView(dsar, request);
    return sendView(setLanguage(reply, view), statusForm(view, { reference: '', email: '' }));
  });

  routes.post('/status', options, async (request, reply) => {
    const view = await readView(dsar, request);
    const typed = readFields(request);
    const { errors, status } = view.texts;
    if (!dsar.isWithinRateLimit('status', getClient(request)))
      return sendView(reply.code(429), statusForm(view, typed, errors.tooMany));
    const dsarCase = await findCaseOfRequester(dsar, typed);
    return dsarCase
      ? sendView(reply, statusPage(view, dsarCase, dsar, await isExpired(dsar, dsarCase)))
      : sendView(reply.code(404), statusForm(view, typed, status.unknown));
  });

  routes.post('/withdraw-link', options, async (request, reply) => {
    const view = await readView(dsar, request);
    const typed = readFields(request);
    assertWithinRateLimit(dsar, 'status', getClient(request));
    const dsarCase = await requestWithdrawal(dsar, typed);
    if (!dsarCase)
      return sendView(reply.code(404), statusForm(view, typed, view.texts.status.unknown));
    // It was closed after its status was shown.
    return isClosed(dsarCase.status)
      ? sendView(reply.code(409), statusPage(view, dsarCase, dsar, await isExpired(dsar, dsarCase)))
      : sendView(reply, withdrawalSentPage(view));
  });
}
