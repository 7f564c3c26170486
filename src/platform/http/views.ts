import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { ErrorFormat, Routes } from './error-format.ts';
import { HttpError, isAbort, toApiError } from './errors.ts';
import { decodeBody } from './json-body.ts';
import { allowStyle, createViewRenderer, type ViewDocument } from './view-document.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

const { policy, renderDocument } = createViewRenderer('pages.css');

/** Only for statuses: pages have texts of their own. */
const PAGE_ERRORS: ErrorFormat = {
  prefix: '',
  formatError: () => ({}),
  getCode: (status) => String(status),
  createRouteError: () => new ApiError(404, '404', ''),
};

/** The status of an error page; faults are logged. */
export function getErrorStatus(error: unknown, request: FastifyRequest): number {
  if (isAbort(error, request)) return 400;
  const { status } = toApiError(error, PAGE_ERRORS);
  if (status === 500) request.log.error({ err: error }, 'request failed');
  return status;
}

interface PageScope {
  /** Path of all pages, without a trailing slash. */
  prefix: string;
  /** The page for an error, and for an unknown path (404). */
  errorPage(request: FastifyRequest, status: number): Promise<ViewDocument>;
}

/** HTML pages without scripts below a prefix: form bodies, no caching, a page for every error. */
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

export function prepareViews(routes: Routes, errorPage: PageScope['errorPage']): void {
  acceptForms(routes);
  routes.addHook('onRequest', (_request, reply, done) => {
    reply.header(POLICY_HEADER, policy);
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

/** The policy of a page whose form redirects to another site. */
export const policyWithFormTo = ({ hostname, origin, protocol }: URL): string =>
  // A policy cannot name an IPv6 address.
  policy.replace(
    "form-action 'self'",
    `form-action 'self' ${hostname.startsWith('[') ? protocol : origin}`,
  );

const POLICY_HEADER = 'content-security-policy';

export const sendView = (reply: FastifyReply, page: ViewDocument): FastifyReply =>
  reply
    .header(POLICY_HEADER, allowStyle(String(reply.getHeader(POLICY_HEADER) ?? policy), page))
    .type('text/html; charset=utf-8')
    .send(renderDocument(page));

/** Accepts uncompressed forms only, as `URLSearchParams`. */
function acceptForms(routes: Routes): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const text = decodeBody(request, body as Buffer);
    if (text instanceof HttpError) done(text);
    else done(null, new URLSearchParams(text));
  });
}

/** A field of the form, trimmed, with `\n` as line end; empty if it is missing. */
export function readField({ body }: FastifyRequest, name: string): string {
  const value = (body instanceof URLSearchParams && body.get(name)) || '';
  // Without control characters.
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .trim();
}

/** A query parameter; empty if it is missing or repeated. */
export function readQueryParam({ query }: FastifyRequest, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
