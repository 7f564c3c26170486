import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { equalInConstantTime } from '../auth/constant-time.ts';
import { isLoopback } from './client-address.ts';
import type { FastLanes } from './fast-lane.ts';
import type { Routes } from './scope.ts';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * `GET /metrics` in Prometheus' format: what the process uses, and how long each route takes.
 * Without a token only for callers on this machine that did not come through a proxy.
 */
export function serveMetrics(app: Routes, lanes: FastLanes, token: string | undefined): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'pavis_' });
  const durations = new Histogram({
    name: 'pavis_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  lanes.observe(({ method, path }, milliseconds) => {
    durations.observe({ method, route: path, status: 200 }, milliseconds / 1000);
  });
  app.get(
    '/metrics',
    { schema: { hide: true }, config: { quiet: true } },
    async (request, reply) => {
      const allowed = token
        ? equalInConstantTime(request.headers.authorization ?? '', `Bearer ${token}`)
        : isLoopback(request.socket.remoteAddress) &&
          request.headers['x-forwarded-for'] === undefined;
      if (!allowed) return reply.callNotFound();
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}
