import type { Socket } from 'node:net';
import pg from 'pg';
import { isReadOnlyServer, toConnectionError, UnconfirmedCommitError } from './database-fault.ts';

/** How long the server may take to close a connection that we end, and to respond to what is sent when a pool ends. */
export const END_TIMEOUT_MS = 1_000;
/** The function of PostgreSQL that warns when it stops waiting for a standby, in the fields of the notice. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/**
 * A connection that is not used again after its server stopped responding or turned out to be read-only, and whose
 * commits are only acknowledged when the synchronous standby, if there is one, has them.
 */
export class TimeoutClient extends pg.Client {
  /** Whether the server rejected a write because it is, or has become, a standby. */
  isReadOnly = false;
  #isUnconfirmed = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) this.#isUnconfirmed = true;
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: one body for every form that `connect` has
  override connect(callback?: any): any {
    if (callback) {
      return super.connect((error: Error | null) => callback(error && toConnectionError(error)));
    }
    return super.connect().catch((error: Error) => {
      throw toConnectionError(error);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: one body for every form that `query` has
  override query(...args: any[]): any {
    const result = (super.query as (...args: unknown[]) => unknown)(...args);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value) => {
        if (!this.#isUnconfirmed) return value;
        this.#isUnconfirmed = false;
        throw new UnconfirmedCommitError('The standby has not confirmed the commit.');
      },
      (error: Error) => {
        if (error.message === 'Query read timeout') this.destroySocket();
        if (isReadOnlyServer(error)) this.isReadOnly = true;
        throw error;
      },
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: one body for every form that `end` has
  override end(...args: any[]): any {
    const timer = setTimeout(() => this.destroySocket(), END_TIMEOUT_MS);
    this.once('end', () => clearTimeout(timer));
    return (super.end as (...args: unknown[]) => unknown)(...args);
  }

  destroySocket(): void {
    (this as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}
