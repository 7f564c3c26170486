/**
 * A refusal that the caller is meant to read. Thrown where the rule lives, shaped at the edge by the
 * API it came through (`{error, message}` or `{code, message, data}`).
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

/** A command or a start that cannot go on; its message is the one line the person gets. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  /** 1: refused or failed; 2: wrong usage or a wrong setting; 130 and 143: ended by SIGINT or SIGTERM. */
  readonly exitCode: 1 | 2 | 130 | 143;

  constructor(message: string, exitCode: Refusal['exitCode'] = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
