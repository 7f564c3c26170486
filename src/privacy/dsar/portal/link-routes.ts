import type { FastifyReply } from 'fastify';
import type { Routes } from '../../../platform/http/error-format.ts';
import { readField, readQueryParam, sendView } from '../../../platform/http/views.ts';
import { isLinkValid } from '../cases/links.ts';
import { withdraw } from '../cases/withdrawal.ts';
import { assertWithinRateLimit } from '../context.ts';
import { downloadPackage, findLinkProblem } from '../export/download.ts';
import { confirmAddress } from '../intake/intake.ts';
import { confirmedPage, invalidLinkPage, linkPage, withdrawnPage } from './link-views.ts';
import { type Portal, readView, setLanguage, type View } from './view.ts';

const CASE_LINKS = [
  {
    purpose: 'confirm',
    token: 'verify',
    useLink: confirmAddress,
    toDonePage: confirmedPage,
  },
  {
    purpose: 'withdraw',
    token: 'withdraw',
    useLink: withdraw,
    toDonePage: withdrawnPage,
  },
] as const;

/** The links in emails. Link scanners open them, so only the button of a page uses the link. */
export function linkRoutes(routes: Routes, { dsar, options, getClient, readContact }: Portal) {
  const sendInvalid = async (reply: FastifyReply, view: View, text: string) =>
    sendView(reply.code(404), invalidLinkPage(view, text, await readContact()));

  /** @param findProblem returns an explanation for a link that does not work */
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

  for (const { purpose, token: tokenPurpose, useLink, toDonePage } of CASE_LINKS) {
    addPage(purpose, async ({ texts }, token) =>
      (await isLinkValid(dsar, tokenPurpose, token)) ? undefined : texts.over[purpose],
    );
    routes.post(`/${purpose}`, options, async (request, reply) => {
      const view = await readView(dsar, request);
      assertWithinRateLimit(dsar, tokenPurpose, getClient(request));
      const dsarCase = await useLink(dsar, readField(request, 'token'));
      return dsarCase
        ? sendView(reply, toDonePage(view, dsarCase, dsar))
        : sendInvalid(reply, view, view.texts.over[purpose]);
    });
  }

  addPage('download', async ({ texts }, token) => {
    const problem = await findLinkProblem(dsar, token);
    return problem && texts.over.download[problem];
  });
  routes.post('/download', options, async (request, reply) => {
    assertWithinRateLimit(dsar, 'package', getClient(request));
    const opened = await downloadPackage(dsar, readField(request, 'token'));
    if (typeof opened === 'string') {
      const view = await readView(dsar, request);
      return sendInvalid(reply, view, view.texts.over.download[opened]);
    }
    reply.header('content-disposition', `attachment; filename="${opened.reference}.zip"`);
    return reply.type('application/zip').send(opened.content);
  });
}
