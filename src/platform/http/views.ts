import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorFormat, Routes } from './error-format.ts';
import { HttpError, isAbort, toApiError } from './errors.ts';
import { createViewRenderer, type ViewDocument } from './view-document.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

const { policy, documentOf } = createViewRenderer('pages.css');

/** Faults in the words of pages are what `Faults` says; this only gives them a status and a code. */
const PAGE_ERRORS: ErrorFormat = {
  prefix: '',
  formatError: () => ({}),
  getCode: (status) => String(status),
  createRouteError: () => {
    throw new Error('pages answer for every path of theirs');
  },
};

/** What went wrong, as far as a page tells it, with its status; faults are logged. */
export function getErrorStatus(error: unknown, request: FastifyRequest): number {
  if (isAbort(error, request)) return 400;
  const { status } = toApiError(error, PAGE_ERRORS);
  if (status === 500) request.log.error({ err: error }, 'request failed');
  return status;
}

interface PageScope {
  /** Path of all pages, without a trailing slash. */
  prefix: string;
  /** The page for what went wrong, and for a path where there is nothing (404). */
  errorPage(request: FastifyRequest, status: number): Promise<ViewDocument>;
}

/**
 * Pages of plain HTML below a prefix, which work without scripts: forms come as they are sent by
 * browsers, answers are never kept, and every error is a page.
 */
export function serveViews(
  server: Routes,
  { prefix, errorPage }: PageScope,
  addRoutes: (routes: Routes) => void,
): void {
  const options = { schema: { hide: true } };
  server.get(prefix, options, (_request, reply) =>
    reply.redirect(`${prefix.slice(prefix.lastIndexOf('/') + 1)}/`, 301),
  );
  server.register(
    async (routes: Routes) => {
      prepareViews(routes, errorPage);
      addRoutes(routes);
      routes.get('/*', options, async (request, reply) =>
        sendView(reply.code(404), await errorPage(request, 404)),
      );
    },
    { prefix },
  );
}

/** What all pages of a context have: forms as bodies, strict headers, and a page for every error. */
export function prepareViews(routes: Routes, errorPage: PageScope['errorPage']): void {
  acceptForms(routes);
  routes.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', policy);
    reply.header('cache-control', 'no-store, private');
    // Addresses hold tokens.
    reply.header('referrer-policy', 'no-referrer');
    done();
  });
  routes.setErrorHandler(async (error, request, reply) => {
    const status = getErrorStatus(error, request);
    if (status === 503) reply.header('retry-after', 5);
    return sendView(reply.code(status), await errorPage(request, status));
  });
}

/** The policy of a page whose form leads to another site: browsers hold a form's redirects against it too. */
export const policyWithFormTo = ({ hostname, origin, protocol }: URL): string =>
  // A policy cannot name an IPv6 address.
  policy.replace(
    "form-action 'self'",
    `form-action 'self' ${hostname.startsWith('[') ? protocol : origin}`,
  );

export const sendView = (reply: FastifyReply, page: ViewDocument): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(documentOf(page));

/** Reads bodies as browsers send forms, into `URLSearchParams`, and refuses every other kind. */
function acceptForms(routes: Routes): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') done(new HttpError(415));
    else if (!isUtf8(bytes)) done(new HttpError(400));
    else done(null, new URLSearchParams(bytes.toString()));
  });
}

/** A field of the form that was sent, trimmed, its lines ended by `\n`; empty if it was not sent. */
export function readField({ body }: FastifyRequest, name: string): string {
  const value = (body instanceof URLSearchParams && body.get(name)) || '';
  // What nobody can type: no database column keeps it as it was sent.
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .trim();
}

/** A parameter of the address; empty if there is none, or several. */
export function readQueryParam({ query }: FastifyRequest, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
