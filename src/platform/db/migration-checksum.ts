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

/**
 * The statements that a migration makes on an empty database. Nothing is executed: every query finds no
 * rows, so statements that depend on rows are missing.
 */
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

/** Counts up when checksums are computed in another way: those of an earlier way are replaced, not compared. */
const CHECKSUM_FORMAT = 1;

/**
 * What tells one text of a migration from another: a hash of the statements it makes on this engine. Names,
 * comments, line ends and the place of its file do not count.
 */
export async function computeChecksum(migration: Migration, engine: Engine): Promise<string> {
  const hash = createHash('sha256');
  for (const { sql, parameters } of await listStatements(migration, engine)) {
    hash.update(`${sql.replace(/\s+/g, ' ').trim()}\n${JSON.stringify(parameters)}\n`);
  }
  return `${CHECKSUM_FORMAT}:${hash.digest('hex')}`;
}

/** Whether a checksum was computed as `computeChecksum` does it, so that the two can be compared. */
export const isCurrent = (checksum: string | undefined): boolean =>
  checksum?.startsWith(`${CHECKSUM_FORMAT}:`) ?? false;
