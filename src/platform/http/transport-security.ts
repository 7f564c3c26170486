import type { Routes } from './error-format.ts';

/** Sends HSTS (RFC 6797) with every response, those of fast paths included. */
export function sendTransportSecurity(app: Routes, seconds: number): void {
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', `max-age=${seconds}`);
  });
}
