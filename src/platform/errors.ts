/** What kind of rule was broken. The edge of each API gives it a status. */
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

/**
 * A broken rule that the caller is meant to read. Services throw it where the rule lives; the API that was called
 * answers with the status of its kind, the code and the message.
 */
export class DomainError extends Error {
  override readonly name: string = 'DomainError';
  readonly kind: ErrorKind;
  /** As the contract names it, for example `activation_limit_reached`. */
  readonly code: string;
  /** Further fields for the caller, where the API has a place for them. */
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

/** A field that breaks a rule which its schema cannot express. */
export class InvalidFieldError extends DomainError {
  /** What is allowed. The message names the field only. */
  readonly reason: string;

  /**
   * @param message what is allowed
   * @param more fields of the answer that help the caller to correct the request
   */
  constructor(field: string, message: string, more: object = {}) {
    super('invalid', 'rest_invalid_param', `Invalid parameter(s): ${field}`, {
      details: {
        params: { [field]: message },
        details: { [field]: { code: 'rest_invalid_param', message, data: null } },
        ...more,
      },
    });
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

/**
 * A refusal that the caller is meant to read. Thrown where the rule lives, shaped at the edge by the
 * API it came through (`{error, message}` or `{code, message, data}`).
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Further fields for the caller, where the API has a place for them. */
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

/** A command or a start that cannot go on; its message is the one line the person gets. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  /** 1: refused or failed; 2: wrong usage or a wrong setting; 130 and 143: ended by SIGINT or SIGTERM. */
  readonly exitCode: 1 | 2 | 130 | 143;

  constructor(message: string, exitCode: CliError['exitCode'] = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
