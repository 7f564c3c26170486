import type { Routes } from './error-format.ts';

/**
 * Tells browsers with every response to use HTTPS only (RFC 6797). Browsers ignore it over plain HTTP.
 * @param seconds how long; 0 makes them forget it
 */
export function sendTransportSecurity(app: Routes, seconds: number): void {
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('strict-transport-security', `max-age=${seconds}`);
  });
}
