import { readFileSync } from 'node:fs';
import type { Routes } from '../platform/http/scope.ts';

const PAGE = new URL('../../web/start/index.html', import.meta.url);

/** `/`: where everything is; the demo site where there is one. */
export function serveStartPage(app: Routes, isDemo: boolean): void {
  const whole = readFileSync(PAGE, 'utf8');
  const page = isDemo ? whole : whole.replace(/^.*href="demo\/".*\n/m, '');
  app.get('/', { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) => {
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    reply.header('referrer-policy', 'no-referrer');
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
