import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../../../platform/http/error-format.ts';
import type { ViewDocument } from '../../../platform/http/view-document.ts';
import { readField, readQueryParam, sendView } from '../../../platform/http/views.ts';
import { isWithdrawalLinkValid, withdraw } from '../cases/withdrawal.ts';
import { assertWithinRateLimit } from '../context.ts';
import { downloadPackage, findLinkProblem } from '../export/download.ts';
import { confirmAddress, isConfirmationLinkValid } from '../intake/intake.ts';
import { confirmedPage, invalidLinkPage, linkPage } from './link-views.ts';
import type { Portal } from './portal.ts';
import { withdrawnPage } from './status-views.ts';
import { readView, setLanguage, type View } from './view.ts';

/** The links that are emailed. Link scanners open them, so only the button of a page does something. */
export function linkRoutes(routes: Routes, { dsar, options, getClient, readContact }: Portal) {
  const sendInvalid = async (reply: FastifyReply, view: View, text: string) =>
    sendView(reply.code(404), invalidLinkPage(view, text, await readContact()));

  /** @param findProblem gives the text for a link that does not work */
  const addPage = (
    purpose: 'confirm' | 'download' | 'withdraw',
    findProblem: (view: View, token: string) => Promise<string | undefined>,
  ) =>
    routes.get(`/${purpose}`, options, async (request, reply) => {
      const view = await readView(dsar, request);
      const token = readQueryParam(request, 'token');
      const problem = await findProblem(view, token);
      return problem === undefined
        ? sendView(setLanguage(reply, view), linkPage(view, purpose, token))
        : sendInvalid(reply, view, problem);
    });

  addPage('confirm', async ({ texts }, token) =>
    (await isConfirmationLinkValid(dsar, token)) ? undefined : texts.over.confirm,
  );
  addPage('withdraw', async ({ texts }, token) =>
    (await isWithdrawalLinkValid(dsar, token)) ? undefined : texts.over.withdraw,
  );
  addPage('download', async ({ texts }, token) => {
    const problem = await findLinkProblem(dsar, token);
    return problem && texts.over.download[problem];
  });

  const sendResult = (
    reply: FastifyReply,
    page: ViewDocument | undefined,
    view: View,
    problem: string,
  ) => (page ? sendView(reply, page) : sendInvalid(reply, view, problem));
  const readToken = (request: FastifyRequest) => readField(request, 'token');

  routes.post('/confirm', options, async (request, reply) => {
    const view = await readView(dsar, request);
    assertWithinRateLimit(dsar, 'verify', getClient(request));
    const dsarCase = await confirmAddress(dsar, readToken(request));
    const page = dsarCase && confirmedPage(view, dsarCase);
    return sendResult(reply, page, view, view.texts.over.confirm);
  });

  routes.post('/withdraw', options, async (request, reply) => {
    const view = await readView(dsar, request);
    assertWithinRateLimit(dsar, 'withdraw', getClient(request));
    const dsarCase = await withdraw(dsar, readToken(request));
    const page = dsarCase && withdrawnPage(view, dsarCase);
    return sendResult(reply, page, view, view.texts.over.withdraw);
  });

  routes.post('/download', options, async (request, reply) => {
    assertWithinRateLimit(dsar, 'package', getClient(request));
    const opened = await downloadPackage(dsar, readToken(request));
    if (typeof opened === 'string') {
      const view = await readView(dsar, request);
      return sendInvalid(reply, view, view.texts.over.download[opened]);
    }
    reply.header('content-disposition', `attachment; filename="${opened.reference}.zip"`);
    return reply.type('application/zip').send(opened.content);
  });
}
