import type { FastifyReply } from 'fastify';
import { type Html, html } from '../html.ts';
import type { Routes } from '../http/error-format.ts';
import { resolveReferences } from '../http/openapi-schemas.ts';
import { createViewRenderer } from '../http/view-document.ts';
import { callList, chapterPage, describeScheme } from './chapter.ts';
import { type Chapter, listChapters, type OpenApi } from './document.ts';
import { line, prose } from './markdown.ts';

interface DocumentedApi {
  /** Its part of the path. */
  name: string;
  /** Path of its OpenAPI document. */
  document: string;
}

interface Described extends DocumentedApi {
  api: OpenApi;
  chapters: Chapter[];
}

const { policy, renderDocument } = createViewRenderer('pages.css', 'docs.css');

/** `/docs`: the API reference, rendered from the OpenAPI documents with the first request. */
export function serveDocs(app: Routes, apis: DocumentedApi[]): void {
  let pages: Promise<Map<string, Buffer>> | undefined;
  const options = { schema: { hide: true }, config: { quiet: true } };
  app.get('/docs', options, (_request, reply) => reply.redirect('docs/', 301));
  app.get<{ Params: { '*': string } }>('/docs/*', options, async (request, reply) => {
    pages ??= renderPages(app, apis);
    const page = (await pages).get(request.params['*']);
    return page === undefined ? reply.callNotFound() : setHeaders(reply).send(page);
  });
}

const setHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8');

/** Every page, by its path below `/docs/`. */
async function renderPages(app: Routes, apis: DocumentedApi[]): Promise<Map<string, Buffer>> {
  const described = await Promise.all(
    apis.map(async (each): Promise<Described> => {
      const document = (await app.inject({ url: each.document })).json<OpenApi>();
      const api = resolveReferences(document);
      return { ...each, api, chapters: listChapters(api) };
    }),
  );
  const page = (at: string, title: string, main: Html) => {
    const up = '../'.repeat(at.split('/').length - 1);
    const document = renderDocument({
      language: 'en',
      dir: 'ltr',
      title,
      brand: 'Pavis',
      home: `${up}../`,
      skip: 'Skip to the content',
      menu: menu(described, at, up),
      main,
    });
    return Buffer.from(document);
  };
  const pages = new Map([['', page('', 'Pavis APIs', overview(described))]]);
  for (const { name, api, chapters } of described)
    for (const chapter of chapters) {
      const at = `${name}/${chapter.name}`;
      const title = `${chapter.title} · ${api.info.title}`;
      pages.set(at, page(at, title, chapterPage(api, chapter)));
    }
  return pages;
}

/** Collapsed on narrow screens, without a script. On wide screens it scrolls, so it is focusable. */
const menu = (
  apis: Described[],
  at: string,
  up: string,
): Html => html`<nav class="menu" aria-label="APIs" tabindex="0">
<details><summary><span>Contents</span></summary>
<ul><li>${link('', 'Overview', at, up)}</li></ul>
${apis.map(
  ({ name, api, chapters }) => html`<h2>${api.info.title}</h2>
<ul>${chapters.map((chapter) => html`<li>${link(`${name}/${chapter.name}`, chapter.title, at, up)}</li>`)}</ul>
`,
)}</details>
</nav>
`;

const link = (to: string, title: string, at: string, up: string): Html =>
  html`<a href="${up || './'}${to}"${to === at && html` aria-current="page"`}>${title}</a>`;

const overview = (apis: Described[]): Html => html`<h1>Pavis APIs</h1>
<p class="lead">Every operation, with what it takes, what it answers and an example. What is not called optional is always there, or has to be sent.</p>
${apis.map(
  ({ name, document, api, chapters }) => html`<h2>${api.info.title}</h2>
${prose(api.info.description)}
<dl>
<dt>Address</dt><dd><code>${api.servers[0].url}</code></dd>
<dt>Version</dt><dd>${api.info.version}</dd>
<dt>Access</dt>${Object.values(api.components.securitySchemes).map((scheme) => html`<dd>With ${describeScheme(scheme)}: ${line(scheme.description)}</dd>`)}
<dt>For programs</dt><dd><a href="..${document}">OpenAPI 3.1</a></dd>
</dl>
${chapters.map(
  (chapter) => html`<h3>${chapter.title}</h3>
<p class="note">${line(chapter.description)}</p>
${callList(chapter, `${name}/${chapter.name}`)}`,
)}`,
)}`;
