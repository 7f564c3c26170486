import type { FastifyReply, FastifyRequest } from 'fastify';
import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { clientAddress } from '../../../platform/http/client-address.ts';
import type { Routes } from '../../../platform/http/error-format.ts';
import {
  getErrorStatus,
  readField,
  readQueryParam,
  sendView,
  serveViews,
} from '../../../platform/http/views.ts';
import { RestError } from '../../../platform/rest/errors.ts';
import { isWithdrawalLinkGood, requestWithdrawal, withdraw } from '../cases/withdrawal.ts';
import type { Dsar } from '../context.ts';
import { downloadPackage, findLinkProblem } from '../export/packages.ts';
import { assertEnabled, caseOf, confirmAddress, isLinkGood, takeIn } from '../intake/intake.ts';

import { cookieVisitor, findVisitor } from '../intake/visitor.ts';
import { languageOf } from '../messages/index.ts';

import { en } from './en.ts';
import {
  type FormFacts,
  readRequest,
  TRAP_FIELD,
  typedBy,
  VISITOR_FIELD,
  type Wrongs,
} from './form.ts';
import { readNotice } from './notice.ts';
import {
  closedPage,
  confirmedPage,
  confirmOverPage,
  downloadOverPage,
  faultPage,
  formPage,
  LANGUAGES,
  linkPage,
  sentPage,
  statusForm,
  statusPage,
  type View,
  withdrawalSentPage,
  withdrawnPage,
  withdrawOverPage,
} from './views.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const options = { schema: { hide: true } };

/**
 * `/privacy/`: to send a request, see how far it is, and use the links that were mailed. No cookie is
 * set and nobody is signed in, so another site's form can do no more than its visitor could.
 */
export function privacyPages(server: Routes, dsar: Dsar): void {
  const { platform, site, assertCalm } = dsar;

  const clientOf = ({ raw, headers }: FastifyRequest): string =>
    clientAddress(
      raw.socket.remoteAddress,
      headers['x-forwarded-for'] as string | undefined,
      platform.trustedProxies,
    );

  function viewOf(request: FastifyRequest): View {
    const asked = readQueryParam(request, 'lang') || readField(request, 'lang');
    const language = Object.hasOwn(LANGUAGES, asked)
      ? asked
      : languageOf(request.headers['accept-language']);
    const params = new URLSearchParams(request.query as Record<string, string>);
    return {
      language,
      words: LANGUAGES[language] ?? en,
      site: new URL(site.siteUrl()).host,
      inLanguage:
        request.method === 'POST'
          ? undefined
          : (other) => {
              params.set('lang', other);
              return `?${params}`;
            },
    };
  }

  const factsOf = async (request: FastifyRequest): Promise<FormFacts> => ({
    // A token of the link that led here, or the banner's cookie.
    visitor: {
      token: readField(request, VISITOR_FIELD) || readQueryParam(request, VISITOR_FIELD),
      hasCookie: cookieVisitor(request.headers) !== undefined,
    },
    notice: await readNotice(dsar),
  });

  /** An address of the site's that receives email; empty if none is known. */
  const writeTo = async () => (await site.settings()).mail.reply_to;

  /** Says that what is shown is one of several, and by what it was chosen. */
  const answerIn = (reply: FastifyReply, { language }: View): FastifyReply =>
    reply.header('content-language', language).header('vary', 'accept-language');

  /** What was made for a request and when it is due, as the page after it may show it: nobody else can make one up. */
  const markOf = (reference: string, deadline: string): string =>
    platform.secret.hash('dsar-sent', `${reference} ${deadline}`).slice(0, 22);

  serveViews(
    server,
    {
      prefix: '/privacy',
      errorPage: async (request, status) => faultPage(viewOf(request), status),
    },
    (routes) => {
      routes.get('/', { ...options, prefixTrailingSlash: 'slash' }, async (request, reply) => {
        const view = viewOf(request);
        const { dsar: rules } = await site.settings();
        const page = rules.enabled
          ? formPage(
              view,
              typedBy(() => ''),
              await factsOf(request),
            )
          : closedPage(view, await writeTo());
        return sendView(answerIn(reply, view), page);
      });

      routes.post('/request', options, async (request, reply) => {
        const view = viewOf(request);
        const { errors } = view.words;
        const typed = typedBy((name) => readField(request, name));
        const refuse = async (status: number, wrongs: Wrongs) =>
          sendView(reply.code(status), formPage(view, typed, await factsOf(request), wrongs));
        try {
          await assertEnabled(dsar);
          if (readField(request, TRAP_FIELD)) return refuse(400, { form: errors.trap });
          assertCalm('intake', clientOf(request));
          const asked = readRequest(typed, view.words);
          if ('wrongs' in asked) return refuse(asked.wrongs.email ? 422 : 400, asked.wrongs);
          const { reference, deadline } = await takeIn(dsar, {
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
            from: clientOf(request),
          });
          const mark = markOf(reference, deadline);
          const params = new URLSearchParams({ reference, deadline, mark, lang: view.language });
          // A page of its own: to load it again sends nothing again.
          return reply.redirect(`sent?${params}`, 303);
        } catch (error) {
          const status = getErrorStatus(error, request);
          if (error instanceof RestError && error.code === 'dsar_disabled') {
            return sendView(reply.code(status), closedPage(view, await writeTo()));
          }
          if (status === 429) return refuse(429, { form: errors.tooMany });
          return refuse(status, { form: errors.fault });
        }
      });

      routes.get('/sent', options, async (request, reply) => {
        const view = viewOf(request);
        const reference = readQueryParam(request, 'reference');
        const deadline = readQueryParam(request, 'deadline');
        const isOurs = equalInConstantTime(
          readQueryParam(request, 'mark'),
          markOf(reference, deadline),
        );
        if (!isOurs || !DAY.test(deadline)) return sendView(reply.code(404), faultPage(view, 404));
        return sendView(answerIn(reply, view), sentPage(view, { reference, deadline }));
      });

      routes.get('/status', options, async (request, reply) => {
        const view = viewOf(request);
        return sendView(answerIn(reply, view), statusForm(view, { reference: '', email: '' }));
      });

      routes.post('/status', options, async (request, reply) => {
        const view = viewOf(request);
        const typed = {
          reference: readField(request, 'reference'),
          email: readField(request, 'email'),
        };
        const { errors, status } = view.words;
        try {
          assertCalm('status', clientOf(request));
        } catch (error) {
          return sendView(
            reply.code(getErrorStatus(error, request)),
            statusForm(view, typed, errors.tooMany),
          );
        }
        const dsarCase = await caseOf(dsar, typed);
        return dsarCase
          ? sendView(reply, statusPage(view, dsarCase, dsar))
          : sendView(reply.code(404), statusForm(view, typed, status.unknown));
      });

      routes.post('/withdraw-link', options, async (request, reply) => {
        const view = viewOf(request);
        const typed = {
          reference: readField(request, 'reference'),
          email: readField(request, 'email'),
        };
        assertCalm('status', clientOf(request));
        try {
          return (await requestWithdrawal(dsar, typed))
            ? sendView(reply, withdrawalSentPage(view))
            : sendView(reply.code(404), statusForm(view, typed, view.words.status.unknown));
        } catch (error) {
          // It was closed since its status was shown: the status says so.
          const dsarCase = isClosedSince(error) && (await caseOf(dsar, typed));
          if (!dsarCase) throw error;
          return sendView(reply.code(409), statusPage(view, dsarCase, dsar));
        }
      });

      // Whoever checks links in mails follows them: only the button does something.
      routes.get('/withdraw', options, async (request, reply) => {
        const view = viewOf(request);
        const token = readQueryParam(request, 'token');
        return (await isWithdrawalLinkGood(dsar, token))
          ? sendView(answerIn(reply, view), linkPage(view, 'withdraw', token))
          : sendView(reply.code(404), withdrawOverPage(view, await writeTo()));
      });

      routes.post('/withdraw', options, async (request, reply) => {
        const view = viewOf(request);
        assertCalm('withdraw', clientOf(request));
        const dsarCase = await unlessOver(withdraw(dsar, readField(request, 'token')));
        return dsarCase
          ? sendView(reply, withdrawnPage(view, dsarCase))
          : sendView(reply.code(404), withdrawOverPage(view, await writeTo()));
      });

      routes.get('/confirm', options, async (request, reply) => {
        const view = viewOf(request);
        const token = readQueryParam(request, 'token');
        return (await isLinkGood(dsar, token))
          ? sendView(answerIn(reply, view), linkPage(view, 'confirm', token))
          : sendView(reply.code(404), confirmOverPage(view, await writeTo()));
      });

      routes.get('/download', options, async (request, reply) => {
        const view = viewOf(request);
        const token = readQueryParam(request, 'token');
        const problem = await findLinkProblem(dsar, token);
        return problem === undefined
          ? sendView(answerIn(reply, view), linkPage(view, 'download', token))
          : sendView(reply.code(404), downloadOverPage(view, problem, await writeTo()));
      });

      routes.post('/confirm', options, async (request, reply) => {
        const view = viewOf(request);
        assertCalm('verify', clientOf(request));
        const dsarCase = await unlessOver(confirmAddress(dsar, readField(request, 'token')));
        return dsarCase
          ? sendView(reply, confirmedPage(view, dsarCase))
          : sendView(reply.code(404), confirmOverPage(view, await writeTo()));
      });

      routes.post('/download', options, async (request, reply) => {
        assertCalm('package', clientOf(request));
        const token = readField(request, 'token');
        const opened = await unlessOver(downloadPackage(dsar, token));
        if (!opened) {
          // Without a problem it was used, by another request, while this one ran.
          const problem = (await findLinkProblem(dsar, token)) ?? 'used';
          const page = downloadOverPage(viewOf(request), problem, await writeTo());
          return sendView(reply.code(404), page);
        }
        reply.header('content-disposition', `attachment; filename="${opened.reference}.zip"`);
        return reply.type('application/zip').send(opened.content);
      });
    },
  );
}

const isClosedSince = (error: unknown): boolean =>
  error instanceof RestError && error.code === 'invalid_transition';

/** What a mailed link gives; undefined if it does not work any more. */
async function unlessOver<T>(used: Promise<T>): Promise<T | undefined> {
  try {
    return await used;
  } catch (error) {
    if (error instanceof RestError && error.code === 'not_found') return undefined;
    throw error;
  }
}
