import type { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../log.ts';

/**
 * Connections per pool. With the listening one a node has 12, but rarely all at once: they are opened when they are
 * needed and closed after half a minute. So two nodes fit into a small managed server with 25, of which three are
 * usually reserved.
 */
const POOLS = {
  /** Administration, data subject requests and background work. */
  main: 4,
  /** The Licence API, whose transactions wait for locks on licences. */
  licences: 3,
  /** Short queries: the consent writer, licence snapshots, messages to other nodes. */
  hot: 2,
  /** `/health` and `/readyz`. */
  health: 1,
  /** The thread that writes the consent log. It tries again if it gets none. */
  log: 1,
};
export type PoolName = keyof typeof POOLS;

/** How long a request waits for a free connection before it gets a 503. Activations of the same licence wait for each other. */
const POOL_WAIT_MS = 5_000;
const HEARTBEAT_MS = 5_000;
const RECONNECT_MS = 500;
const QUERY_TIMEOUT_MS = 8_000;
/** How long the server may take to close a connection that we end, and to respond to what is sent when a pool ends. */
const END_TIMEOUT_MS = 1_000;

/** int8 as a number: ids and epoch milliseconds stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Destroys its connection when the server stops responding, so that neither queries nor the next user wait for ever. */
class TimeoutClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: one body for every form that `query` has
  override query(...args: any[]): any {
    const result = (super.query as (...args: unknown[]) => unknown)(...args);
    if (result instanceof Promise) {
      result.catch(({ message }: Error) => {
        if (message === 'Query read timeout') this.destroySocket();
      });
    }
    return result;
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

/** Ends also the connections that are in use, when the database does not respond to what they have sent. */
class TimeoutPool extends pg.Pool {
  readonly #clients = new Set<TimeoutClient>();

  constructor(options: pg.PoolConfig) {
    super({ ...options, Client: TimeoutClient });
    this.on('connect', (client) => this.#clients.add(client as unknown as TimeoutClient));
    this.on('remove', (client) => this.#clients.delete(client as unknown as TimeoutClient));
  }

  override async end(): Promise<void> {
    const timer = setTimeout(() => {
      for (const client of this.#clients) client.destroySocket();
    }, END_TIMEOUT_MS);
    await super.end();
    clearTimeout(timer);
  }
}

export function createPool(url: string, log: Logger, name: PoolName): pg.Pool {
  const pool = new TimeoutPool({
    connectionString: url,
    types,
    max: POOLS[name],
    connectionTimeoutMillis: POOL_WAIT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: `pavis-${name}`,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS - 1_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // Without listeners, a connection that breaks while idle or between two queries would end the process.
  pool.on('error', (err) => log.warn({ err }, 'a database connection broke'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Listens to a channel. A connection that breaks or stops responding is replaced.
 * @param onGap called after each (re)connection, when messages may have been missed
 * @returns after the first attempt to connect
 */
export async function subscribe(
  url: string,
  channel: string,
  log: Logger,
  onMessage: (payload: string) => void,
  onGap: () => void,
): Promise<{ close(): Promise<void> }> {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new TimeoutClient({
      connectionString: url,
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_MS,
      keepAlive: true,
      application_name: 'pavis-listener',
    });
    // Also called for errors after `end`.
    next.on('error', () => reconnect(next));
    next.on('end', () => reconnect(next));
    next.on('notification', ({ payload }) => {
      try {
        onMessage(payload ?? '');
      } catch (err) {
        log.warn({ err }, 'cannot read a message of another node');
        onGap();
      }
    });
    client = next;
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      onGap();
      scheduleHeartbeat(next);
    } catch (err) {
      log.warn({ err }, 'cannot listen to other nodes');
      reconnect(next);
    }
  }

  function scheduleHeartbeat(of: pg.Client): void {
    if (closed || client !== of) return;
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => scheduleHeartbeat(of),
        () => reconnect(of),
      );
    }, HEARTBEAT_MS).unref();
  }

  function reconnect(of: pg.Client): void {
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
