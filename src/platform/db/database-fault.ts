import { SqliteSyncError, SqliteUnavailable } from './sqlite-driver.ts';

/**
 * Why the database refused: `contention`, try again; `unavailable`, no connection; `unwritable`, full, read-only,
 * damaged or on a broken disk; `fault`, a mistake of ours. Nothing was written, except where `isUnconfirmed`.
 */
type DatabaseFault = 'contention' | 'unavailable' | 'unwritable' | 'fault';

/** https://www.sqlite.org/rescode.html */
const SQLITE_PRIMARY_CODES: Record<number, DatabaseFault> = {
  5: 'contention', // BUSY
  6: 'contention', // LOCKED
  8: 'unwritable', // READONLY
  10: 'unwritable', // IOERR
  11: 'unwritable', // CORRUPT
  13: 'unwritable', // FULL
  14: 'unavailable', // CANTOPEN
  26: 'unwritable', // NOTADB
};

const POSTGRES_CONTENTION = new Set(['40001', '40P01', '55P03']);
/** Disk full, read-only, I/O error. */
const POSTGRES_UNWRITABLE = new Set(['53100', '25006', '58030']);
/** SQLSTATE classes of a server that is away: connection, resources, operator intervention, system; and failed logins. */
const POSTGRES_AWAY = /^(?:08|53|57|58)|^(?:28P01|28000|3D000)$/;
const POSTGRES_CANCELLED = '57014';
const NETWORK_AWAY =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
/** Errors of `pg` without a code. */
const POSTGRES_AWAY_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|the database system is|Client was closed|Cannot use a pool after)/;

/** Neither the network nor the server refused a connection to PostgreSQL: for example TLS with an unknown certificate. */
class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: unknown;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = (cause as { code?: unknown }).code;
  }
}

/** The error to throw for that of a new connection. Errors of TLS do not say that they are about the database. */
export const toConnectionError = (error: Error): Error =>
  databaseFault(error) === undefined ? new ConnectionError(error) : error;

/** Whether all connections of a pool were in use for longer than a request waits. */
export const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/** Whether PostgreSQL cancelled a statement and rolled it back, because of `statement_timeout` or a call of somebody. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === POSTGRES_CANCELLED;

/** What the caller of a statement that `isCancelled` has to know. */
export const CANCELLED =
  'The database cancelled a statement that took too long. It changed nothing. Ask for less, for example a shorter period, or try again later.';

/** Whether PostgreSQL rejected a write because it only reads, as a server does that was the leader until a moment ago. */
export const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '25006';

/**
 * The answer to a commit was lost, so the change may have been made, or be made later. Or the leader committed it without
 * its synchronous standby, because somebody cancelled the wait: if the leader fails now, it is lost.
 */
export class UnconfirmedCommitError extends Error {
  override readonly name = 'UnconfirmedCommitError';
}

/** Whether a change failed that may have been saved nevertheless. */
export const isUnconfirmed = (error: unknown): boolean =>
  error instanceof UnconfirmedCommitError || error instanceof SqliteSyncError;

/** What the caller of a change that `isUnconfirmed` has to know. */
export const UNCONFIRMED =
  'The database has not confirmed the change; it may have been saved. Check before you repeat it.';

/** Classifies an error of the database; undefined for any other error. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = [SqliteUnavailable, UnconfirmedCommitError, ConnectionError];
  if (known.some((type) => error instanceof type)) return 'unavailable';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return SQLITE_PRIMARY_CODES[Number(errcode) & 0xff] ?? 'fault';
  if (typeof code === 'string') {
    if (POSTGRES_CONTENTION.has(code)) return 'contention';
    if (POSTGRES_UNWRITABLE.has(code)) return 'unwritable';
    if ('severity' in error) return POSTGRES_AWAY.test(code) ? 'unavailable' : 'fault';
    // A name with several addresses fails with all their errors in one.
    const isNetwork = 'syscall' in error || error instanceof AggregateError;
    if (isNetwork && NETWORK_AWAY.test(code)) return 'unavailable';
  }
  return POSTGRES_AWAY_MESSAGES.test(error.message) ? 'unavailable' : undefined;
}

/**
 * The error to throw for that of a statement that commits, on PostgreSQL. A statement that was cancelled or timed out is
 * rolled back: `statement_timeout` ends before the commit itself, and cancelling the wait for a standby is a warning.
 */
export function toUnconfirmed(error: unknown): unknown {
  const isCertain = error instanceof UnconfirmedCommitError || isCancelled(error);
  return !isCertain && databaseFault(error) === 'unavailable'
    ? new UnconfirmedCommitError(`The answer to a commit was lost: ${(error as Error).message}`)
    : error;
}
