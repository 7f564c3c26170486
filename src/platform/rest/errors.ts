import { toIsoMoment } from '../clock.ts';
import { describeWriteFault, toWriteFault } from '../db/index.ts';
import { ApiError } from '../errors.ts';
import type { ValidationError } from './coerce.ts';
import type { Scope } from './scopes.ts';

export const NO_ROUTE = 'rest_no_route';

export const noRoute = (): ApiError =>
  new ApiError(404, NO_ROUTE, 'No route was found matching the URL and request method.');

export const forbidden = (status: 401 | 403): ApiError =>
  new ApiError(status, 'rest_forbidden', 'Sorry, you are not allowed to do that.');

export const notLoggedIn = (): ApiError =>
  new ApiError(401, 'rest_not_logged_in', 'You are not currently logged in.');

/** The code is that of WordPress for an application password it refuses. @param at epoch milliseconds */
export const passwordExpired = (at: number): ApiError =>
  new ApiError(
    401,
    'incorrect_password',
    `The application password expired on ${toIsoMoment(at).slice(0, 10)}. Create a new one in the console, in your account, or with "pavis user app-password".`,
  );

/** An application password is limited to other scopes. */
export class MissingScopeError extends ApiError {
  /** Undefined: no scope allows it. */
  readonly scope: Scope | undefined;

  constructor(scope: Scope | undefined) {
    const message =
      scope === undefined
        ? 'This application password is limited to scopes. Use one that has all rights of its user.'
        : `This application password lacks the scope ${scope}. Create one that has it.`;
    super(403, 'rest_forbidden', message, {
      details: { ...(scope !== undefined && { scope }) },
    });
    this.scope = scope;
  }
}

/** The session is good for nothing else until then. */
export const secondFactorSetupRequired = (): ApiError =>
  new ApiError(
    403,
    'second_factor_setup_required',
    'Your role requires a second factor. Set up an authenticator app or a passkey in the console first.',
  );

export const invalidNonce = (): ApiError =>
  new ApiError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed');

/** A write that the database refused and rolled back. */
export function writeFailed(method: string, cause: unknown): ApiError {
  const [code, what] =
    method === 'POST' ? ['create_failed', 'written'] : ['update_failed', 'changed'];
  const fault = toWriteFault(cause);
  const message = fault
    ? describeWriteFault(fault, 'Nothing was saved.')
    : `The database could not be ${what}. Nothing was saved, and the fault has been logged.`;
  return new ApiError(500, code, message, { cause });
}

/** The codes and messages of PHP's `json_last_error`. */
const JSON_ERRORS = {
  1: 'Maximum stack depth exceeded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
} as const;

export const invalidJson = (code: keyof typeof JSON_ERRORS): ApiError =>
  new ApiError(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    details: { json_error_code: code, json_error_message: JSON_ERRORS[code] },
  });

export const missingParams = (params: string[]): ApiError =>
  new ApiError(400, 'rest_missing_callback_param', `Missing parameter(s): ${params.join(', ')}`, {
    details: { params },
  });

export function invalidParams(errors: Record<string, ValidationError>): ApiError {
  const names = Object.keys(errors);
  const params = Object.fromEntries(names.map((name) => [name, errors[name]?.message]));
  const message = `Invalid parameter(s): ${names.join(', ')}`;
  return new ApiError(400, 'rest_invalid_param', message, { details: { params, details: errors } });
}

/** WordPress core's format: `{code, message, data: {status, …}}`. */
export const restErrorBody = ({ code, message, status, details }: ApiError): object => ({
  code,
  message,
  data: { status, ...details },
});
