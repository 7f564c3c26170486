import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  CANCELLED,
  databaseFault,
  describeWriteFault,
  isCancelled,
  isPoolExhausted,
  isUnconfirmed,
  toWriteFault,
  UNCONFIRMED,
} from '../db/index.ts';
import { ApiError, DomainError, type ErrorKind } from '../errors.ts';
import { type ErrorFormat, type ErrorFormats, findErrorFormat } from './error-format.ts';
import { BODY_LIMIT_BYTES } from './limits.ts';

const RETRY_AFTER_SECONDS = 5;
/** RFC 9110; 429 is RFC 6585. */
const STATUS_BY_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  upstream_failed: 502,
};
const KEPT_ON_FAULT = new Set([
  'x-request-id',
  'x-content-type-options',
  'connection',
  // Pages of other origins read the error.
  'vary',
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

const FRAMEWORK_MESSAGES: Record<string, string> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request body is empty: send a JSON object.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body is not as long as Content-Length says.',
  FST_ERR_BAD_URL: 'The path is not a valid URL path.',
};
const STATUS_MESSAGES: Record<number, string> = {
  400: 'The request is malformed.',
  408: 'The request took too long to arrive.',
  413: `The request body is larger than ${BODY_LIMIT_BYTES / 1024} KiB.`,
  414: 'The URL is too long.',
  417: 'The expectation in the Expect header cannot be met.',
  431: 'The request headers are too large.',
  500: 'Something went wrong on our side. It has been logged.',
  503: 'The database cannot be reached. Try again in a moment.',
};

export const createStatusError = (
  status: number,
  format: ErrorFormat,
  message = STATUS_MESSAGES[status] ?? 'The request was refused.',
): ApiError => new ApiError(status, format.getCode(status), message);

/** Thrown in the HTTP layer where the error format is not known. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

/** @param bodyType the content type of bodies that the route reads */
export function toApiError(
  error: unknown,
  format: ErrorFormat,
  bodyType = 'application/json',
): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DomainError) {
    const { kind, code, message, details, cause } = error;
    return new ApiError(STATUS_BY_KIND[kind], code, message, { details, cause });
  }
  const typeMessage = `Send the body uncompressed and as Content-Type: ${bodyType}.`;
  const getMessage = (status: number) => (status === 415 ? typeMessage : undefined);
  if (error instanceof HttpError)
    return createStatusError(error.status, format, getMessage(error.status));
  if (isPoolExhausted(error)) {
    return createStatusError(503, format, 'The database is busy. Try again in a moment.');
  }
  if (isUnconfirmed(error)) return createStatusError(503, format, UNCONFIRMED);
  if (isCancelled(error)) return createStatusError(503, format, CANCELLED);
  const writeFault = toWriteFault(error);
  if (writeFault) {
    return createStatusError(503, format, describeWriteFault(writeFault, 'Nothing was saved.'));
  }
  const fault = databaseFault(error);
  if (fault) return createStatusError(fault === 'fault' ? 500 : 503, format);
  const { statusCode, code, validation } = (error ?? {}) as Partial<FastifyError>;
  if (validation) return createStatusError(400, format, formatValidation(validation));
  // Other libraries' errors may have a status too, which is not about this request.
  const isFramework = typeof code === 'string' && code.startsWith('FST_');
  if (!isFramework || !statusCode || statusCode >= 500) return createStatusError(500, format);
  return createStatusError(statusCode, format, FRAMEWORK_MESSAGES[code] ?? getMessage(statusCode));
}

/** Sends an error in the format of the API, and logs faults. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  formats: ErrorFormats,
): FastifyReply {
  const format = findErrorFormat(request.url, formats);
  const refusal = isAbort(error, request)
    ? createStatusError(400, format)
    : toApiError(error, format, request.routeOptions.schema?.consumes?.[0]);
  if (refusal.status === 500) {
    const err = error instanceof Error ? error : new Error(`thrown: ${typeof error}`);
    request.log.error({ err }, 'request failed');
    // A header that the handler set may be invalid.
    for (const name of Object.keys(reply.getHeaders())) {
      if (!KEPT_ON_FAULT.has(name)) reply.removeHeader(name);
    }
  } else if (refusal.status > 500) request.log.warn({ err: error }, 'request refused for now');
  if (refusal.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  return (
    reply
      .code(refusal.status)
      // Errors before the first hook have none of these yet.
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store, private')
      .send(format.formatError(refusal))
  );
}

/** Whether the client closed the connection before its request was complete. */
export const isAbort = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof Error && raw.errored === error;

function formatValidation(validation: NonNullable<FastifyError['validation']>): string {
  const [first] = validation;
  if (!first) return 'The request is malformed.';
  const { keyword, params, message } = first;
  const field = first.instancePath.replace(/^\//, '').replaceAll('/', '.');
  if (keyword === 'required') return `${params.missingProperty} is missing.`;
  if (!field) return 'Send a JSON object.';
  if (keyword === 'type') return `${field} must be of type ${params.type}.`;
  if (keyword === 'minLength') return `${field} is empty.`;
  if (keyword === 'maxLength') return `${field} is longer than ${params.limit} characters.`;
  if (keyword === 'pattern') return `${field} has characters that are not allowed.`;
  if (keyword === 'enum')
    return `${field} must be one of: ${(params.allowedValues as unknown[]).join(', ')}.`;
  return `${field} ${message}.`;
}
