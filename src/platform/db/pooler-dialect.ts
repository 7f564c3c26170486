import { CompiledQuery, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely';
import { SET_TRANSACTION_TIMEOUTS } from './postgres.ts';

/** Begins transactions with the timeouts that a direct connection has for all its queries. */
class PoolerDriver extends PostgresDriver {
  override async beginTransaction(
    connection: Parameters<PostgresDriver['beginTransaction']>[0],
  ): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`begin; ${SET_TRANSACTION_TIMEOUTS}`));
  }
}

/** PostgreSQL behind a pooler that gives each transaction another connection of the server. */
export class PoolerDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new PoolerDriver(this.#config);
  }
}
