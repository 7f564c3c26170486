import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../../platform/http/error-format.ts';
import { readField, readQueryParam } from '../../platform/http/views.ts';
import type { LicenceInfo } from '../account/index.ts';
import {
  type AccountContext,
  type Billing,
  describeError,
  options,
  readTarget,
  type Target,
  toTargetPath,
} from './context.ts';
import { readOwnLicence } from './own-licence.ts';
import { switchPage } from './switch-views.ts';

/** The page behind the `help_url` of `activation_limit_reached`. */
export function switchPages(routes: Routes, context: AccountContext): void {
  const { call, session, readBilling, readProductName, show, sendError } = context;
  routes.get('/switch-site', options, async (request, reply) => {
    const target = readTarget((name) => readQueryParam(request, name));
    return target.site ? showSwitch(request, reply, { target }) : sendError(request, reply, 404);
  });

  routes.post('/switch-site', options, async (request, reply) => {
    const target = readTarget((name) => readField(request, name));
    if (!target.site) return sendError(request, reply, 404);
    const token = session.getToken(request);
    if (!token) return reply.redirect(toTargetPath(target), 303);
    if (!session.isOwnForm(request)) return sendError(request, reply, 403);
    const chosen = Number(readField(request, 'activation')) || undefined;
    const path = `/customer/licences/${target.licence}/switch`;
    const { status, json } = await call(request, 'POST', path, {
      token,
      body: { site_url: target.site, ...(chosen !== undefined && { activation_id: chosen }) },
    });
    if (status === 200) return reply.redirect('./?done=switched', 303);
    if (status >= 500) return sendError(request, reply, status);
    return showSwitch(request, reply, { target, chosen, wrong: { status, json } });
  });

  interface Shown {
    target: Target;
    chosen?: number | undefined;
    wrong?: { status: number; json: { error: string; message: string } };
  }

  /** The page; visitors sign in first and return to it. */
  async function showSwitch(
    request: FastifyRequest,
    reply: FastifyReply,
    { target, chosen, wrong }: Shown,
  ): Promise<FastifyReply> {
    const query = new URLSearchParams({ site_url: target.site });
    const path = `/customer/licences/${target.licence}/switch?${query}`;
    const own = await readOwnLicence(context, request, reply, { path, target });
    if (!own) return reply;
    const token = session.getToken(request);
    const answer = await call(request, 'GET', `/customer/licences/${target.licence}`, { token });
    if (answer.status !== 200) return sendError(request, reply, answer.status);
    const info: LicenceInfo = answer.json;
    const [billing] = await readBilling([info]);
    const productName = await readProductName(info.product);
    return show(request, reply.code(wrong?.status ?? 200), (view) => {
      const { switching } = view.texts;
      const describe = (error: NonNullable<Shown['wrong']>) => {
        if (error.json.error !== 'activation_limit_reached') return describeError(view, error.json);
        return chosen === undefined ? switching.notChosen : switching.stillFull;
      };
      return switchPage(view, {
        options: own.json,
        licence: { ...info, ...(billing as Billing), productName },
        site: target.site,
        form: own.form,
        chosen,
        wrong: wrong && describe(wrong),
      });
    });
  }
}
