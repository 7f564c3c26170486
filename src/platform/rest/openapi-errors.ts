import { Type } from 'typebox';
import { headerReferences } from '../http/openapi.ts';
import { describeHeaders } from './openapi-headers.ts';
import { listCodes } from './refusals.ts';
import type { RestRoute } from './route.ts';

const ERRORS: [status: number, description: string, code: string, message: string][] = [
  [
    400,
    'A parameter is missing or does not fit.',
    'rest_invalid_param',
    'Invalid parameter(s): per_page',
  ],
  [
    401,
    'Nobody is signed in. The code is `incorrect_password` for an application password that has expired, and the message says when.',
    'rest_forbidden',
    'Sorry, you are not allowed to do that.',
  ],
  [
    403,
    '`rest_forbidden`: The user may not do this, or the application password lacks a scope, which `message` and `data.scope` name. `rest_cookie_invalid_nonce`: The session has no valid nonce. `second_factor_setup_required`: The user of the session must set up a second factor first.',
    'rest_forbidden',
    'Sorry, you are not allowed to do that.',
  ],
  [404, 'There is no such thing.', 'not_found', 'The vendor was not found.'],
  [
    413,
    'The body is too large.',
    'rest_body_too_large',
    'The request body is larger than 256 KiB.',
  ],
  [
    415,
    'The body is compressed.',
    'rest_unsupported_media_type',
    'Send the body uncompressed and as Content-Type: application/json.',
  ],
  [
    431,
    'The address and the headers are too large: together they may have at most 16 KiB.',
    'rest_invalid_request',
    'The request headers are too large.',
  ],
  [
    500,
    'A fault of the server; `create_failed` or `update_failed` where the database refused a write. The message says when its disk is full or cannot be written, or its file is damaged, and what to do.',
    'internal_server_error',
    'Something went wrong on our side. It has been logged.',
  ],
  [
    503,
    'The database cannot be reached, is damaged, or is a PostgreSQL server that only reads, as during a failover. Or it has cancelled a statement that took too long, or has not confirmed a change, which may have been saved; the message says which.',
    'service_unavailable',
    'The database cannot be reached. Try again in a moment.',
  ],
];

/** Core's `rest_convert_error_to_response`. */
const ErrorBody = Type.Object(
  {
    code: Type.String({ description: 'A code for programs.' }),
    message: Type.String({ description: 'What is wrong, for people.' }),
    data: Type.Object(
      { status: Type.Integer({ description: 'The HTTP status.' }) },
      {
        additionalProperties: true,
        description:
          'The status and details of the error. With `rest_missing_callback_param`, `params` lists the missing parameters. With `rest_invalid_param`, `params` and `details` say what is wrong with each.',
      },
    ),
  },
  { title: 'Error' },
);

const NOT_LOGGED_IN = {
  401: {
    rest_not_logged_in: 'You are not currently logged in.',
    incorrect_password: 'The application password expired on 2026-11-01. Create a new one.',
  },
};

/** The error responses of a route, by status. */
export function describeErrors(route: RestRoute): object {
  const { access, path, method, refusals = {} } = route;
  const common = ERRORS.filter(([status]) => {
    if (status === 401 || status === 403) return access !== 'public';
    if (status === 413 || status === 415) return method !== 'GET';
    return status !== 404 || path.includes('{');
  });
  const errors = new Map(
    common.map(([status, text, code, message]) => [status, { texts: [text], code, message }]),
  );
  const own = { ...(access === 'user' && NOT_LOGGED_IN), ...refusals };
  for (const [key, refusal] of Object.entries(own)) {
    const codes = listCodes(refusal);
    const [[code, message]] = codes;
    const status = Number(key);
    // Where there is no user or no such thing, a route has one code or another, not both.
    const usual = status === 401 || status === 404 ? undefined : errors.get(status);
    const text = usual?.texts.join(' ') ?? '';
    // That of 403 names its codes itself, which are several.
    const texts = usual ? [text.startsWith('`') ? text : `\`${usual.code}\`: ${text}`] : [];
    const meanings = codes.map(([each, , meaning]) => `\`${each}\`: ${meaning}`);
    errors.set(status, { texts: [...texts, ...meanings], code, message });
  }
  return Object.fromEntries(
    [...errors].map(([status, { texts, code, message }]) => [
      status,
      {
        description: texts.join(' '),
        headers: headerReferences(describeHeaders(route, status)),
        content: {
          'application/json': {
            schema: ErrorBody,
            example: { code, message, data: { status } },
          },
        },
      },
    ]),
  );
}
