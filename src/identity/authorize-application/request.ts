import type { FastifyRequest } from 'fastify';
import { readQueryParam } from '../../platform/http/views.ts';
import { parseAuthorizationRequest } from '../users/index.ts';

const PARAMS = ['app_name', 'app_id', 'success_url', 'reject_url'] as const;
const SCOPES = 'scopes';

/** What the application asks for. @throws InvalidFieldError */
export const parseRequest = (request: FastifyRequest) =>
  parseAuthorizationRequest((name) => readQueryParam(request, name), readScopes(request));

/** Undefined if the parameter is missing. If it is repeated, all count: ignoring it would offer all rights. */
function readScopes({ query }: FastifyRequest): string | undefined {
  const given = (query as Record<string, string | string[] | undefined>)[SCOPES];
  return given === undefined ? undefined : [given].flat().join(',');
}

/** The address of the page with its own parameters only. */
export function formatAction(request: FastifyRequest): string {
  const given = PARAMS.map((name) => [name, readQueryParam(request, name)]);
  const params = new URLSearchParams(given.filter(([, value]) => value !== ''));
  const scopes = readScopes(request);
  if (scopes !== undefined) params.set(SCOPES, scopes);
  return `authorize-application.php?${params}`;
}
