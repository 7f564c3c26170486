import { readFileSync } from 'node:fs';
import type { Routes } from '../platform/http/scope.ts';

const PAGE = new URL('../../web/start/index.html', import.meta.url);

/**
 * `/`: where everything is.
 * @param absent addresses that this process does not serve, as the page links to them
 */
export function serveStartPage(app: Routes, absent: readonly string[]): void {
  const page = absent.reduce(
    (rest, name) => rest.replace(new RegExp(`^.*href="${name}/".*\\n`, 'm'), ''),
    readFileSync(PAGE, 'utf8'),
  );
  app.get('/', { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) => {
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    reply.header('referrer-policy', 'no-referrer');
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
