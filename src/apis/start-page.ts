import { readFileSync } from 'node:fs';
import type { Routes } from '../platform/http/scope.ts';

const PAGE = new URL('../../web/start/index.html', import.meta.url);

/** `/`: where everything is. `there` says which of the addresses that not every process has this one has. */
export function serveStartPage(
  app: Routes,
  there: Readonly<Record<'admin' | 'demo' | 'privacy' | 'account', boolean>>,
): void {
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, isThere] of Object.entries(there)) {
    const lines = new RegExp(`^.*(?:href="${name}/"|data-with="${name}").*\n`, 'gm');
    if (!isThere) page = page.replace(lines, '');
  }
  app.get('/', { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) => {
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    reply.header('referrer-policy', 'no-referrer');
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
