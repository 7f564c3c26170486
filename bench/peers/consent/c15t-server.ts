import type { AddressInfo } from 'node:net';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** c15t as its documentation sets it up, with Kysely on `node:sqlite`. Runs in the folder in which it is installed. */

interface SqliteDatabase {
  close(): void;
  prepare(sql: string): {
    reader: boolean;
    all(parameters: SQLInputValue[]): unknown[];
    run(parameters: SQLInputValue[]): unknown;
    iterate(parameters: SQLInputValue[]): Iterable<unknown>;
  };
}

/** Not a dependency, so its types are not here: these are the parts that are used. */
interface Packages {
  '@c15t/backend': {
    c15tInstance(options: object): { handler(request: Request): Promise<Response> };
    policyPackPresets: Record<'europeOptIn' | 'worldNoBanner', () => object>;
  };
  '@c15t/backend/db/adapters/kysely': { kyselyAdapter(options: object): object };
  '@c15t/backend/db/migrator': {
    migrator(options: object): Promise<{ execute(): Promise<void> }>;
  };
  '@c15t/backend/db/schema': { DB: { client(adapter: object): object } };
  '@hono/node-server': {
    serve(options: object, listening: (address: AddressInfo) => void): { close(): void };
  };
  kysely: {
    Kysely: new (options: object) => object;
    SqliteDialect: new (options: { database: SqliteDatabase }) => object;
  };
}

const load = <Name extends keyof Packages>(name: Name): Promise<Packages[Name]> => import(name);

const [file = ''] = process.argv.slice(2);
const handle = new DatabaseSync(file);
handle.exec('pragma journal_mode = wal; pragma synchronous = full');

/** What Kysely expects of better-sqlite3. */
const database: SqliteDatabase = {
  close: () => handle.close(),
  prepare(sql) {
    const statement = handle.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...parameters),
      run: (parameters) => statement.run(...parameters),
      iterate: (parameters) => statement.iterate(...parameters),
    };
  },
};

const { c15tInstance, policyPackPresets } = await load('@c15t/backend');
const { kyselyAdapter } = await load('@c15t/backend/db/adapters/kysely');
const { migrator } = await load('@c15t/backend/db/migrator');
const { DB } = await load('@c15t/backend/db/schema');
const { serve } = await load('@hono/node-server');
const { Kysely, SqliteDialect } = await load('kysely');

const db = new Kysely({ dialect: new SqliteDialect({ database }) });
const adapter = kyselyAdapter({ db, provider: 'sqlite' });
await (await migrator({ db: DB.client(adapter), schema: 'latest' })).execute();

const c15t = c15tInstance({
  appName: 'bench',
  adapter,
  trustedOrigins: ['example.com'],
  policyPacks: [policyPackPresets.europeOptIn(), policyPackPresets.worldNoBanner()],
  // Each choice would log two lines otherwise.
  logger: { level: 'error' },
});

const server = serve({ fetch: c15t.handler, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stderr.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, msg: 'ready' })}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  handle.close();
  process.exit(0);
});
