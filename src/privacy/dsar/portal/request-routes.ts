import type { FastifyRequest } from 'fastify';
import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import type { Routes } from '../../../platform/http/error-format.ts';
import {
  getErrorStatus,
  readField,
  readQueryParam,
  sendView,
} from '../../../platform/http/views.ts';
import { createRequest, isEnabled } from '../intake/intake.ts';
import { findVisitor } from '../intake/visitor.ts';
import {
  type FormContext,
  type FormErrors,
  HONEYPOT_FIELD,
  readRequest,
  readTyped,
  VISITOR_FIELD,
} from './form.ts';
import { readNotice } from './notice.ts';
import { closedPage, formPage, sentPage } from './request-views.ts';
import { faultPage, type Portal, readView, setLanguage } from './view.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The form, and the page after a request was sent. */
export function requestRoutes(routes: Routes, { dsar, options, getClient, readContact }: Portal) {
  async function readContext(request: FastifyRequest): Promise<FormContext> {
    // The token of the link that opened the form, or the banner's cookie.
    const token = readField(request, VISITOR_FIELD) || readQueryParam(request, VISITOR_FIELD);
    // The browser sends the form from this origin, wherever its link was.
    const headers = { ...request.headers, 'sec-fetch-site': 'same-origin' };
    const visitor = await findVisitor(dsar, { token }, headers);
    return { visitor: { ...visitor, token }, notice: await readNotice(dsar) };
  }

  /** Signs the content of the page after the form, so that its link cannot be forged. */
  const sign = (...shown: string[]): string =>
    dsar.platform.secret.hash('dsar-sent', shown.join(' ').trim()).slice(0, 22);

  routes.get('/', { ...options, prefixTrailingSlash: 'slash' }, async (request, reply) => {
    const view = await readView(dsar, request);
    const page = (await isEnabled(dsar))
      ? formPage(
          view,
          readTyped(() => ''),
          await readContext(request),
        )
      : closedPage(view, await readContact());
    return sendView(setLanguage(reply, view), page);
  });

  routes.post('/request', options, async (request, reply) => {
    const view = await readView(dsar, request);
    const typed = readTyped((name) => readField(request, name));
    const { errors } = view.texts;
    const refuse = async (status: number, problems: FormErrors) =>
      sendView(reply.code(status), formPage(view, typed, await readContext(request), problems));
    try {
      if (!(await isEnabled(dsar)))
        return sendView(reply.code(503), closedPage(view, await readContact()));
      if (readField(request, HONEYPOT_FIELD)) return refuse(400, { form: errors.trap });
      if (!dsar.isWithinRateLimit('intake', getClient(request)))
        return refuse(429, { form: errors.tooMany });
      const asked = readRequest(typed, view.texts);
      if ('errors' in asked) return refuse(asked.errors.email ? 422 : 400, asked.errors);
      const { reference, deadline, status } = await createRequest(dsar, {
        ...asked,
        firstName: typed.first_name || null,
        lastName: typed.last_name || null,
        additionalInfo: typed.additional_info || null,
        visitor: await findVisitor(
          dsar,
          { token: readField(request, VISITOR_FIELD) },
          request.headers,
        ),
        language: view.language,
        from: getClient(request),
      });
      const started = status === 'received' ? '' : 'yes';
      const params = new URLSearchParams({
        reference,
        deadline,
        ...(started && { started }),
        mark: sign(reference, deadline, started),
        lang: view.language,
      });
      // Reloading the target does not send the form again.
      return reply.redirect(`sent?${params}`, 303);
    } catch (error) {
      return refuse(getErrorStatus(error, request), { form: errors.fault });
    }
  });

  routes.get('/sent', options, async (request, reply) => {
    const view = await readView(dsar, request);
    const reference = readQueryParam(request, 'reference');
    const deadline = readQueryParam(request, 'deadline');
    const started = readQueryParam(request, 'started');
    const mark = sign(reference, deadline, started);
    const isOurs = equalInConstantTime(readQueryParam(request, 'mark'), mark);
    if (!isOurs || !DAY.test(deadline)) return sendView(reply.code(404), faultPage(view, 404));
    const today = dsar.formatDay(dsar.platform.clock.now());
    const sent = { reference, deadline, isStarted: started !== '' };
    return sendView(setLanguage(reply, view), sentPage(view, sent, today));
  });
}
