import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { html } from '../platform/html.ts';
import {
  type ErrorFormats,
  findErrorFormat,
  getPath,
  type Routes,
} from '../platform/http/error-format.ts';
import { isNavigation } from '../platform/http/navigation.ts';
import { ICON_POLICY, renderIcon } from '../platform/http/page-icon.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

const PAGE = join(PROJECT_ROOT, 'web/start/index.html');

interface StartPage {
  /** Which pages this process has; `setup` is the note on the set-up link. */
  has: Readonly<Record<'admin' | 'demo' | 'privacy' | 'account' | 'setup', boolean>>;
  /** WordPress clients discover it on this page (`rest_output_link_header`, `rest_output_link_wp_head`). */
  restRoot: (() => string) | undefined;
  /** Only where visitors may know the path: on this machine, outside production. */
  firstRunFile: string | undefined;
}

/** Serves the start page at `/`, and a 404 page with its links to browsers. API clients get the API's 404. */
export function serveStartPage(
  app: Routes,
  formats: ErrorFormats,
  { has, restRoot, firstRunFile }: StartPage,
): void {
  let page = readFileSync(PAGE, 'utf8').replace('<style>', () => `${renderIcon().text}\n<style>`);
  for (const [name, isServed] of Object.entries(has)) {
    const lines = new RegExp(`^.*(?:href="${name}/"|data-with="${name}").*\n`, 'gm');
    if (!isServed) page = page.replace(lines, '');
  }
  const notFound = page
    .replace('<title>Pavis</title>', '<title>Page not found · Pavis</title>')
    .replace(/<h1>.*<\/h1>/, '<h1>Page not found</h1>')
    .replace(/<p>.*<\/p>/, '<p>Check the address, or choose one of these pages:</p>')
    .replace(/^.*class="(?:note|start)".*\n/gm, '');
  if (firstRunFile !== undefined) {
    const where = html`<code>${firstRunFile}</code>.`;
    page = page.replace(
      /<code>first-run.json<\/code>, in the data folder of the server\./,
      () => where.text,
    );
  }

  app.addHook('onSend', async (request, reply, body) => {
    const isLost = request.is404 && isNavigation(request);
    const path = getPath(request.url);
    if (!isLost || findErrorFormat(path, formats) !== formats[0]) return body;
    setHeaders(reply);
    // Relative, since a proxy may add a path prefix.
    const up = '../'.repeat(path.split('/').length - 2);
    return notFound.replace(/href="(?!data:)/g, `$&${up}`);
  });
  app.get('/', { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) => {
    setHeaders(reply);
    if (!restRoot) return reply.send(page);
    reply.header('link', `<${restRoot()}/>; rel="https://api.w.org/"`);
    const link = html`<link rel="https://api.w.org/" href="${restRoot()}/">`;
    return reply.send(page.replace('</title>', () => `</title>\n${link.text}`));
  });
}

const setHeaders = (reply: FastifyReply): FastifyReply =>
  reply
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'unsafe-inline'; ${ICON_POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8');
