import { ApiError } from '../platform/errors.ts';
import type { ApiScope } from '../platform/http/scope.ts';

const CODES: Record<number, string> = {
  400: 'rest_invalid_request',
  413: 'rest_body_too_large',
  415: 'rest_unsupported_media_type',
  503: 'service_unavailable',
};

/** The plugin REST API: errors as WordPress core shapes them, and 404 for an unknown path and a wrong method alike. */
export const pluginScope = (prefix: string): ApiScope => ({
  prefix,
  errorBody: ({ code, message, status }) => ({ code, message, data: { status } }),
  codeOf: (status) =>
    CODES[status] ?? (status < 500 ? 'rest_invalid_request' : 'internal_server_error'),
  noRoute: () =>
    new ApiError(404, 'rest_no_route', 'No route was found matching the URL and request method.'),
});
