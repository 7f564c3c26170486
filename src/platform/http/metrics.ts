import type { Registry } from 'prom-client';
import { equalInConstantTime } from '../crypto/constant-time.ts';
import type { Routes } from './error-format.ts';
import type { FastPaths } from './fast-path.ts';
import { isLocalRequest } from './local-request.ts';
import { RouteDurations } from './route-durations.ts';

/** `GET /metrics` in Prometheus' format. Without a token only for programs on this machine. */
export function serveMetrics(
  app: Routes,
  fastPaths: FastPaths,
  {
    token,
    counters,
    shown,
  }: {
    token: string | undefined;
    counters: { countRateLimited(route: string): void };
    /** Metrics beside those of the process and the routes. */
    shown: readonly { render(): string | Promise<string> }[];
  },
): void {
  let registry: Promise<Registry> | undefined;
  const durations = new RouteDurations();
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'none';
    durations.observe(method, route, statusCode, elapsedTime / 1000);
    if (statusCode === 429) counters.countRateLimited(route);
    done();
  });
  fastPaths.observe(({ method, path }, status, milliseconds) => {
    durations.observe(method, path, status, milliseconds / 1000);
    if (status === 429) counters.countRateLimited(path);
  });
  app.get(
    '/metrics',
    { schema: { hide: true }, config: { quiet: true } },
    async (request, reply) => {
      const allowed = token
        ? equalInConstantTime(request.headers.authorization ?? '', `Bearer ${token}`)
        : isLocalRequest(request.raw);
      if (!allowed) return reply.callNotFound();
      registry ??= processMetrics();
      const ofProcess = await registry;
      const texts = await Promise.all([
        ofProcess.metrics(),
        ...[durations, ...shown].map((each) => each.render()),
      ]);
      return reply.type(ofProcess.contentType).send(texts.join(''));
    },
  );
}

/** Collected from the first request on: loading prom-client slows the start down. */
async function processMetrics(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'pavis_' });
  return registry;
}
