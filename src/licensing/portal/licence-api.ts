import type { FastifyRequest } from 'fastify';
import type { Routes } from '../../platform/http/error-format.ts';

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: typed by the schemas of the Licence API
  json: any;
  retryAfter: string | undefined;
}

export type CallLicenceApi = (
  request: FastifyRequest,
  method: 'GET' | 'POST',
  path: string,
  options?: { token?: string; body?: object },
) => Promise<Answer>;

/** Calls the Licence API in the same process, for the client of a page request. */
export const createApiClient =
  (server: Routes, prefix: string): CallLicenceApi =>
  async (request, method, path, { token, body } = {}) => {
    const forwarded = request.headers['x-forwarded-for'];
    const answer = await server.inject({
      method,
      url: prefix + path,
      remoteAddress: request.raw.socket.remoteAddress ?? '',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(forwarded && { 'x-forwarded-for': forwarded }),
      },
      ...(body && { payload: body }),
    });
    const retryAfter = answer.headers['retry-after']?.toString();
    return { status: answer.statusCode, json: JSON.parse(answer.body), retryAfter };
  };
