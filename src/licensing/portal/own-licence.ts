import type { FastifyReply, FastifyRequest } from 'fastify';
import { linkForm, notYoursPage } from './account-views.ts';
import type { AccountContext, Target } from './context.ts';

/** What the Licence API says of a licence, and the CSRF token of the forms. */
interface OwnLicence {
  // biome-ignore lint/suspicious/noExplicitAny: typed by the schemas of the Licence API
  json: any;
  form: string;
}

/**
 * Reads something of a licence for its customer. Visitors sign in first and return to the target.
 * @param path of the Licence API
 * @returns undefined if another page was sent instead
 */
export async function readOwnLicence(
  { call, session, show, sendError }: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, target }: { path: string; target: Target },
): Promise<OwnLicence | undefined> {
  const token = session.getToken(request);
  const { status, json } = token
    ? await call(request, 'GET', path, { token })
    : { status: 401, json: undefined };
  const form = session.getFormToken(token);
  if (status === 200) return { json, form };
  if (status === 401) {
    if (token) session.end(reply);
    await show(request, reply, (view) =>
      linkForm(view, {
        canBuy: false,
        target,
        ...(token && { notice: view.texts.notices.ended }),
      }),
    );
  } else if (status === 404)
    await show(request, reply.code(404), (view) => notYoursPage(view, form));
  else await sendError(request, reply, status);
  return undefined;
}
