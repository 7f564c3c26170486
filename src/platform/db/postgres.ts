import pg from 'pg';
import type { Logger } from '../log.ts';
import { END_TIMEOUT_MS, TimeoutClient } from './postgres-client.ts';

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
  /** Only while the schema is changed or deleted rows are removed. */
  migrations: 2,
};
export type PoolName = keyof typeof POOLS;

/** How long a request waits for a free connection before it gets a 503. Activations of the same licence wait for each other. */
const POOL_WAIT_MS = 5_000;
const QUERY_TIMEOUT_MS = 8_000;
/** A change of a large table takes as long as it takes. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;
/** So that health checks are about the server that new connections reach. */
const HEALTH_LIFETIME_SECONDS = 5;
/** How long the server works on what we have stopped waiting for, in milliseconds. */
const SERVER_TIMEOUTS = {
  statement_timeout: QUERY_TIMEOUT_MS - 1_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
};
/** The same for one transaction, where a pooler gives each transaction another connection of the server. */
export const SET_TRANSACTION_TIMEOUTS = Object.entries(SERVER_TIMEOUTS)
  .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
  .join('; ');

/** int8 as a number: ids and epoch milliseconds stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Ends also the connections that are in use, when the database does not respond to what they have sent. */
class TimeoutPool extends pg.Pool {
  readonly #clients = new Set<TimeoutClient>();

  constructor(options: pg.PoolConfig) {
    super({ ...options, Client: TimeoutClient });
    this.on('connect', (client) => this.#clients.add(client as unknown as TimeoutClient));
    this.on('release', (_error, client) => {
      // An ended connection is not used again. The next one goes to the new leader.
      if ((client as unknown as TimeoutClient).isReadOnly) client.end().catch(() => {});
    });
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

/** @param isPooler whether the URL is that of a pooler, which takes no settings for a session */
export function createPool(url: string, log: Logger, name: PoolName, isPooler = false): pg.Pool {
  const isMigration = name === 'migrations';
  const pool = new TimeoutPool({
    connectionString: url,
    types,
    max: POOLS[name],
    connectionTimeoutMillis: POOL_WAIT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: `pavis-${name}`,
    query_timeout: isMigration ? MIGRATION_TIMEOUT_MS : QUERY_TIMEOUT_MS,
    ...(isPooler ? {} : SERVER_TIMEOUTS),
    ...(isMigration ? { statement_timeout: MIGRATION_TIMEOUT_MS } : {}),
    ...(name === 'health' ? { maxLifetimeSeconds: HEALTH_LIFETIME_SECONDS } : {}),
  });
  // Without listeners, a connection that breaks while idle or between two queries would end the process.
  pool.on('error', (err) => log.warn({ err }, 'a database connection broke'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
