/** The kind of a broken rule. The edge of each API maps it to a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'upstream_failed';

/** A broken rule. Services throw it; the API answers with the status of its kind, the code and the message. */
export class DomainError extends Error {
  override readonly name: string = 'DomainError';
  readonly kind: ErrorKind;
  /** The error code of the API, for example `activation_limit_reached`. */
  readonly code: string;
  /** Further fields of the response, where the API has a place for them. */
  readonly details: object;

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    { details = {}, ...options }: ErrorOptions & { details?: object } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}

/** A field that breaks a rule beyond its schema. */
export class InvalidFieldError extends DomainError {
  readonly field: string;
  /** What is allowed. The message names the field only. */
  readonly reason: string;

  /**
   * @param message what is allowed
   * @param more further fields of the response
   */
  constructor(field: string, message: string, more: object = {}) {
    super('invalid', 'rest_invalid_param', `Invalid parameter(s): ${field}`, {
      details: {
        params: { [field]: message },
        details: { [field]: { code: 'rest_invalid_param', message, data: null } },
        ...more,
      },
    });
    this.field = field;
    this.reason = message;
  }
}

/** A field whose value must be unique and is taken. */
export class TakenError extends InvalidFieldError {}

/** Nothing has this id. */
export class NotFoundError extends DomainError {
  constructor(what: string) {
    super('not_found', 'not_found', `${what} was not found.`);
  }
}

/** An error response, formatted by the API (`{error, message}` or `{code, message, data}`). Thrown in routes only. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: object;

  constructor(
    status: number,
    code: string,
    message: string,
    { details = {}, ...options }: ErrorOptions & { details?: object } = {},
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Ends a command or the start; its message is what the person reads. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  /** 1: refused or failed; 2: wrong usage or a wrong setting; 130 and 143: ended by SIGINT or SIGTERM. */
  readonly exitCode: 1 | 2 | 130 | 143;

  constructor(message: string, exitCode: CliError['exitCode'] = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
