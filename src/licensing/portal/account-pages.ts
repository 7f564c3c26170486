import type { Routes } from '../../platform/http/error-format.ts';
import { readField, readQueryParam } from '../../platform/http/views.ts';
import type { LicenceInfo } from '../account/index.ts';
import { dashboard, expiredLinkPage, linkForm, mailedPage, signInPage } from './account-views.ts';
import {
  type AccountContext,
  type Billing,
  describeError,
  findNotice,
  options,
  parseLicenceId,
  readTarget,
  toTargetPath,
} from './context.ts';

/** How many licences a page shows with their sites. */
const LICENCES_SHOWN = 100;
const SEARCH_MAX_LENGTH = 200;
/** Messages that are no longer true once a customer has signed in again. */
const SIGNED_OUT = ['signed-out', 'everywhere', 'ended'];

const toQuery = (params: Record<string, string>): string => {
  const given = Object.entries(params).filter(([, value]) => value);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
};

/** The licences of a customer. */
export function licencePages(
  routes: Routes,
  { call, session, readCanBuy, readProductNames, readBilling, show, sendError }: AccountContext,
): void {
  routes.get('/', { ...options, prefixTrailingSlash: 'slash' }, async (request, reply) => {
    const token = session.getToken(request);
    const done = readQueryParam(request, 'done');
    const canBuy = await readCanBuy();
    if (!token) {
      return show(request, reply, (view) =>
        linkForm(view, { canBuy, notice: findNotice(view, done) }),
      );
    }
    const before = readQueryParam(request, 'before');
    const search = readQueryParam(request, 'search').trim().slice(0, SEARCH_MAX_LENGTH);
    const list = `/customer/licences${toQuery({ before, search })}`;
    const { status, json } = await call(request, 'GET', list, { token });
    if (status === 401) {
      session.end(reply);
      return show(request, reply, (view) =>
        linkForm(view, { canBuy, notice: findNotice(view, done) ?? view.texts.notices.ended }),
      );
    }
    if (status !== 200) return sendError(request, reply, status);
    const listed: { id: string }[] = json.licences;
    const answers = await Promise.all(
      listed
        .slice(0, LICENCES_SHOWN)
        .map(({ id }) => call(request, 'GET', `/customer/licences/${id}`, { token })),
    );
    const failed = answers.find((answer) => answer.status !== 200);
    if (failed) return sendError(request, reply, failed.status);
    const names = await readProductNames();
    const infos = answers.map(({ json }): LicenceInfo => json);
    const billing = await readBilling(infos);
    const licences = infos.map((info, index) => ({
      ...info,
      ...(billing[index] as Billing),
      productName: names.get(info.product) ?? '',
    }));
    const last = listed.length > licences.length && licences.at(-1)?.id;
    const older = last ? `./${toQuery({ before: last, search })}` : undefined;
    const form = session.getFormToken(token);
    return show(request, reply, (view) => {
      const notice = SIGNED_OUT.includes(done) ? undefined : findNotice(view, done);
      return dashboard(view, { canBuy, notice, licences, search, older, form });
    });
  });

  routes.post('/new-key', options, async (request, reply) => {
    const token = session.getToken(request);
    if (!token) return reply.redirect('./?done=ended', 303);
    if (!session.isOwnForm(request)) return sendError(request, reply, 403);
    const id = encodeURIComponent(readField(request, 'licence'));
    const { status } = await call(request, 'POST', `/customer/licences/${id}/new-key`, { token });
    if (status === 200) return reply.redirect('./?done=new-key', 303);
    if (status === 429) return reply.redirect('./?done=key-sent', 303);
    return status === 401 ? reply.redirect('./', 303) : sendError(request, reply, status);
  });

  routes.post('/licence-file', options, async (request, reply) => {
    const token = session.getToken(request);
    if (!token) return reply.redirect('./?done=ended', 303);
    if (!session.isOwnForm(request)) return sendError(request, reply, 403);
    const id = parseLicenceId(readField(request, 'licence'));
    const { status, json } = await call(request, 'POST', `/customer/licences/${id}/file`, {
      token,
    });
    if (status === 401) return reply.redirect('./', 303);
    if (status !== 200) return sendError(request, reply, status);
    return reply
      .type('application/jwt')
      .header('content-disposition', `attachment; filename="${id}.jwt"`)
      .send(json.file);
  });

  routes.post('/deactivate', options, async (request, reply) => {
    const token = session.getToken(request);
    if (!token) return reply.redirect('./?done=ended', 303);
    if (!session.isOwnForm(request)) return sendError(request, reply, 403);
    const id = encodeURIComponent(readField(request, 'licence'));
    const { status } = await call(request, 'POST', `/customer/licences/${id}/deactivate`, {
      token,
      body: { activation_id: Number(readField(request, 'activation')) },
    });
    if (status === 200) return reply.redirect('./?done=deactivated', 303);
    return status === 401 ? reply.redirect('./', 303) : sendError(request, reply, status);
  });
}

/** Signing in by email, and out. */
export function signInPages(
  routes: Routes,
  { call, session, readCanBuy, show, sendError }: AccountContext,
): void {
  routes.post('/link', options, async (request, reply) => {
    const email = readField(request, 'email');
    const target = readTarget((name) => readField(request, name));
    const { licence, site } = target;
    const { status, json, retryAfter } = await call(request, 'POST', '/auth/magic-link', {
      body: { email, ...(licence && { licence }), ...(site && { site_url: site }) },
    });
    if (status === 202) return reply.redirect('mailed', 303);
    if (status >= 500) return sendError(request, reply, status);
    if (retryAfter) reply.header('retry-after', retryAfter);
    const canBuy = await readCanBuy();
    return show(request, reply.code(status), (view) => {
      const wrong = status === 429 ? { form: describeError(view, json) } : { email: true as const };
      return linkForm(view, { canBuy, email, target, wrong });
    });
  });

  routes.get('/mailed', options, (request, reply) => show(request, reply, mailedPage));

  // Email scanners open links, so only the button signs in.
  routes.get('/sign-in', options, async (request, reply) => {
    const token = readQueryParam(request, 'token');
    const target = readTarget((name) => readQueryParam(request, name));
    return token
      ? show(request, reply, (view) => signInPage(view, token, target))
      : show(request, reply.code(404), expiredLinkPage);
  });

  routes.post('/sign-in', options, async (request, reply) => {
    const body = { token: readField(request, 'token') };
    const { status, json } = await call(request, 'POST', '/auth/token', { body });
    if (status >= 500) return sendError(request, reply, status);
    if (status !== 200) return show(request, reply.code(404), expiredLinkPage);
    session.begin(reply, json.token);
    const target = readTarget((name) => readField(request, name));
    return reply.redirect(toTargetPath(target), 303);
  });

  routes.post('/sign-out', options, async (request, reply) => {
    const token = session.getToken(request);
    if (!token) return reply.redirect('./', 303);
    if (!session.isOwnForm(request)) return sendError(request, reply, 403);
    session.end(reply);
    const isEverywhere = readField(request, 'where') === 'everywhere';
    const path = isEverywhere ? '/auth/sign-out-everywhere' : '/auth/sign-out';
    const { status } = await call(request, 'POST', path, { token });
    if (status >= 500) return sendError(request, reply, status);
    // A session that has ended cannot end those of other devices.
    if (isEverywhere && status === 401) return reply.redirect('./?done=ended', 303);
    return reply.redirect(`./?done=${isEverywhere ? 'everywhere' : 'signed-out'}`, 303);
  });
}
