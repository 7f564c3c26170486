import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../platform/html.ts';
import {
  type ErrorFormats,
  findErrorFormat,
  getPath,
  type Routes,
} from '../platform/http/error-format.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

const PAGE = join(PROJECT_ROOT, 'web/start/index.html');

/**
 * `/`: where everything is; and the same for somebody who has gone astray with a browser. Programs get
 * the answer of the interface, as they do not navigate.
 * @param there which of the addresses that not every process has this one has
 * @param restRoot of the plugin REST API, where this process has it: named as WordPress names it on its
 *   pages, so that clients find it (`rest_output_link_header`, `rest_output_link_wp_head`)
 */
export function serveStartPage(
  app: Routes,
  formats: ErrorFormats,
  there: Readonly<Record<'admin' | 'demo' | 'privacy' | 'account', boolean>>,
  restRoot: (() => string) | undefined,
): void {
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, isThere] of Object.entries(there)) {
    const lines = new RegExp(`^.*(?:href="${name}/"|data-with="${name}").*\n`, 'gm');
    if (!isThere) page = page.replace(lines, '');
  }
  const astray = page
    .replace('<title>Pavis</title>', '<title>Nothing here · Pavis</title>')
    .replace(/<h1>.*<\/h1>/, '<h1>There is nothing here.</h1>')
    .replace(/<p>.*<\/p>/, '<p>The address may be old, or mistyped. What there is:</p>')
    .replace(/^.*class="note".*\n/m, '');

  // On the way out, when nothing and nobody else has had an answer.
  app.addHook('onSend', async (request, reply, body) => {
    const isLost = request.is404 && isNavigation(request);
    const path = getPath(request.url);
    if (!isLost || findErrorFormat(path, formats) !== formats[0]) return body;
    dress(reply);
    // Relative, since a proxy may have put everything below a path of its own.
    const up = '../'.repeat(path.split('/').length - 2);
    return astray.replaceAll('href="', `href="${up}`);
  });
  app.get('/', { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) => {
    dress(reply);
    if (!restRoot) return reply.send(page);
    reply.header('link', `<${restRoot()}/>; rel="https://api.w.org/"`);
    const link = html`<link rel="https://api.w.org/" href="${restRoot()}/">`;
    return reply.send(page.replace('</title>', () => `</title>\n${link.text}`));
  });
}

/** Over http, browsers say so to this machine only (Fetch Metadata §2); elsewhere they ask for HTML first. */
const isNavigation = ({ headers, method }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === undefined
    ? method === 'GET' && /^text\/html\b/.test(headers.accept ?? '')
    : headers['sec-fetch-mode'] === 'navigate';

const dress = (reply: FastifyReply): FastifyReply =>
  reply
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8');
