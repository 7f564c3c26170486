import type { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../log.ts';

/**
 * How many connections each pool has. With the one that listens a node has 11 at most, so that two nodes fit
 * into a small managed server with 25, of which three are usually reserved.
 */
const POOLS = {
  /** Administration, requests of data subjects, and work in the background. */
  main: 4,
  /** The Licence API, whose transactions wait for locks of licences. */
  licences: 3,
  /** The writer of consents, which uses one at a time, and what is as short: snapshots of licences, messages to other nodes. */
  hot: 2,
  /** `/health` and `/readyz`. */
  health: 1,
};
export type PoolName = keyof typeof POOLS;

/** How long somebody waits for a free connection before the answer is 503. */
const POOL_WAIT_MS = 3_000;
const HEARTBEAT_MS = 5_000;
const RECONNECT_MS = 500;
const QUERY_TIMEOUT_MS = 8_000;
/** How long a server may take to close a connection that we end. */
const GOODBYE_MS = 2_000;

/** int8 as a number: ids and epoch milliseconds stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/**
 * A client that gives its connection up when the server falls silent (a stalled machine, a cable):
 * what waits on it, and the next user of the connection, must not wait for ever.
 */
class ImpatientClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: one body for every form that `query` has
  override query(...args: any[]): any {
    const result = (super.query as (...args: unknown[]) => unknown)(...args);
    if (result instanceof Promise) {
      result.catch(({ message }: Error) => {
        if (message === 'Query read timeout') this.#cut();
      });
    }
    return result;
  }

  // biome-ignore lint/suspicious/noExplicitAny: one body for every form that `end` has
  override end(...args: any[]): any {
    const timer = setTimeout(() => this.#cut(), GOODBYE_MS);
    this.once('end', () => clearTimeout(timer));
    return (super.end as (...args: unknown[]) => unknown)(...args);
  }

  #cut(): void {
    (this as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}

export function createPool(url: string, log: Logger, name: PoolName): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: POOLS[name],
    connectionTimeoutMillis: POOL_WAIT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: `pavis-${name}`,
    Client: ImpatientClient,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS - 1_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // An idle connection that breaks must not end the process: the next query gets a fresh one.
  pool.on('error', (err) => log.warn({ err }, 'a database connection broke'));
  // The pool does not listen to a client that is in use: an error between two queries of a
  // transaction would be nobody's, and end the process. Its next query tells.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export interface Subscription {
  close(): Promise<void>;
}

/**
 * Hears what other nodes announce on a channel, for as long as the process lives: a connection that
 * breaks or falls silent is replaced.
 * @param onMessage gets each payload
 * @param onGap called after each (re)connection, when messages may have been missed
 * @returns once the first connection was tried
 */
export async function subscribe(
  url: string,
  channel: string,
  log: Logger,
  onMessage: (payload: string) => void,
  onGap: () => void,
): Promise<Subscription> {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new ImpatientClient({
      connectionString: url,
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_MS,
      keepAlive: true,
      application_name: 'pavis-listener',
    });
    // Also errors after `end` land here; without a listener they would end the process.
    next.on('error', () => again(next));
    next.on('end', () => again(next));
    next.on('notification', ({ payload }) => {
      try {
        onMessage(payload ?? '');
      } catch (err) {
        log.warn({ err }, 'cannot read what another node announced');
        onGap();
      }
    });
    client = next;
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      onGap();
      beat(next);
    } catch (err) {
      log.warn({ err }, 'cannot hear the other nodes');
      again(next);
    }
  }

  function beat(of: pg.Client): void {
    if (closed || client !== of) return;
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => beat(of),
        () => again(of),
      );
    }, HEARTBEAT_MS).unref();
  }

  function again(of: pg.Client): void {
    if (closed || client !== of) return;
    client = undefined;
    clearTimeout(timer);
    of.end().catch(() => {});
    timer = setTimeout(connect, RECONNECT_MS).unref();
  }

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
