import type { FastifyRequest } from 'fastify';
import type { Routes } from '../../../platform/http/error-format.ts';
import { readQueryParam, sendView, serveViews } from '../../../platform/http/views.ts';
import type { Declarations } from '../service.ts';
import { LANGUAGES } from '../texts/index.ts';
import { declarationView, faultView } from './view.ts';

/** `/privacy/declaration/`: the declaration as a page without scripts. */
export function declarationPage(server: Routes, declarations: Declarations): void {
  const siteHost = () => new URL(declarations.scope.siteUrl()).host;
  serveViews(
    server,
    {
      prefix: '/privacy/declaration',
      errorPage: async (request, status) => faultView(readLanguage(request), siteHost(), status),
    },
    (routes) => {
      const options = { schema: { hide: true }, prefixTrailingSlash: 'slash' } as const;
      routes.get('/', options, async (request, reply) => {
        const language = readLanguage(request);
        const { declaration } = await declarations.get(language);
        reply.header('content-language', language).header('vary', 'accept-language');
        return sendView(reply, declarationView(declaration, siteHost()));
      });
    },
  );
}

/** The language in the address, or the first that the browser accepts and the page has. */
function readLanguage(request: FastifyRequest): string {
  const accepted = (request.headers['accept-language'] ?? '').split(',');
  const wanted = [readQueryParam(request, 'lang'), ...accepted];
  const tags = wanted.map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return tags.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? 'en';
}
