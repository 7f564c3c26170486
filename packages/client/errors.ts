/** The server has answered, and refused. */
export class PavisError extends Error {
  override readonly name = 'PavisError';
  /** The HTTP status. */
  readonly status: number;
  /** For programs, as `licence_not_found` or `rest_invalid_param`; `http_error` if the answer names none. */
  readonly code: string;
  /** When asking again makes sense, where the server says so. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole answer. */
  readonly body: unknown;

  constructor(status: number, body: unknown, retryAfterSeconds?: number) {
    const { error, code, message } = (
      typeof body === 'object' && body !== null ? body : {}
    ) as Record<string, unknown>;
    super(typeof message === 'string' ? message : `The server answered with status ${status}.`);
    const named = code ?? error;
    this.status = status;
    this.code = typeof named === 'string' ? named : 'http_error';
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }
}

/** Nobody has answered: no connection, no answer in time, or one that cannot be read. */
export class PavisUnreachable extends Error {
  override readonly name = 'PavisUnreachable';
}
