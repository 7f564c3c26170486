import { describeWriteFault, toWriteFault } from '../db/index.ts';
import { ApiError } from '../errors.ts';
import type { ValidationError } from './coerce.ts';

/** An error as WordPress core formats it: `{code, message, data: {status, …}}`. */
export class RestError extends ApiError {
  override readonly name = 'RestError';

  constructor(
    status: number,
    code: string,
    message: string,
    details: object = {},
    options?: ErrorOptions,
  ) {
    super(status, code, message, { ...options, details });
  }
}

export const NO_ROUTE = 'rest_no_route';

export const noRoute = (): RestError =>
  new RestError(404, NO_ROUTE, 'No route was found matching the URL and request method.');

export const forbidden = (status: 401 | 403): RestError =>
  new RestError(status, 'rest_forbidden', 'Sorry, you are not allowed to do that.');

export const notLoggedIn = (): RestError =>
  new RestError(401, 'rest_not_logged_in', 'You are not currently logged in.');

export const invalidNonce = (): RestError =>
  new RestError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed');

export const notFound = (what: string): RestError =>
  new RestError(404, 'not_found', `${what} was not found.`);

/** A write that the database refused and rolled back. */
export function writeFailed(method: string, cause: unknown): RestError {
  const [code, what] =
    method === 'POST' ? ['create_failed', 'written'] : ['update_failed', 'changed'];
  const fault = toWriteFault(cause);
  const message = fault
    ? describeWriteFault(fault, 'Nothing was saved.')
    : `The database could not be ${what}. Nothing was saved, and the fault has been logged.`;
  return new RestError(500, code, message, {}, { cause });
}

export const invalidJson = (): RestError =>
  new RestError(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: 4,
    json_error_message: 'Syntax error',
  });

export const missingParams = (params: string[]): RestError =>
  new RestError(400, 'rest_missing_callback_param', `Missing parameter(s): ${params.join(', ')}`, {
    params,
  });

/** @param more further fields of `data` */
export function invalidParams(
  errors: Record<string, ValidationError>,
  more: object = {},
): RestError {
  const names = Object.keys(errors);
  const params = Object.fromEntries(names.map((name) => [name, errors[name]?.message]));
  const message = `Invalid parameter(s): ${names.join(', ')}`;
  return new RestError(400, 'rest_invalid_param', message, { params, details: errors, ...more });
}

/** A parameter that breaks a rule beyond its schema. */
export const invalidParam = (name: string, message: string, more: object = {}): RestError =>
  invalidParams({ [name]: { code: 'rest_invalid_param', message, data: null } }, more);

export const restErrorBody = ({ code, message, status, details }: ApiError): object => ({
  code,
  message,
  data: { status, ...details },
});
