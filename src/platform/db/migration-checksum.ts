import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from './dialect.ts';

/** The statements of a migration. None is executed and every query returns no rows, so statements that depend on rows are missing. */
export async function listStatements(
  migration: Migration,
  engine: Engine,
): Promise<readonly Pick<CompiledQuery, 'sql' | 'parameters'>[]> {
  const statements: CompiledQuery[] = [];
  const isPostgres = engine === 'postgres';
  const db = new Kysely<unknown>({
    dialect: {
      createDriver: () => new RecordingDriver((query) => statements.push(query)),
      createAdapter: () => (isPostgres ? new PostgresAdapter() : new SqliteAdapter()),
      createQueryCompiler: () =>
        isPostgres ? new PostgresQueryCompiler() : new SqliteQueryCompiler(),
      createIntrospector: (any) =>
        isPostgres ? new PostgresIntrospector(any) : new SqliteIntrospector(any),
    },
  });
  await migration.up(db);
  await db.destroy();
  return statements;
}

class RecordingDriver extends DummyDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(record: (query: CompiledQuery) => void) {
    super();
    this.#connection = {
      async executeQuery(query) {
        record(query);
        return { rows: [] };
      },
      async *streamQuery() {},
    };
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
}

/** Incremented when checksums are computed differently: older ones are replaced, not compared. */
const CHECKSUM_FORMAT = 1;

/** A hash of the statements of a migration on an engine. Names, comments and the file's place do not count. */
export async function computeChecksum(migration: Migration, engine: Engine): Promise<string> {
  const hash = createHash('sha256');
  for (const { sql, parameters } of await listStatements(migration, engine)) {
    hash.update(`${sql.replace(/\s+/g, ' ').trim()}\n${JSON.stringify(parameters)}\n`);
  }
  return `${CHECKSUM_FORMAT}:${hash.digest('hex')}`;
}

/** Whether a checksum has the present format. */
export const isCurrent = (checksum: string | undefined): boolean =>
  checksum?.startsWith(`${CHECKSUM_FORMAT}:`) ?? false;
