import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { maskUrl } from '../config/index.ts';
import { purgeSqlite } from '../platform/db/index.ts';
import { CliError } from '../platform/errors.ts';
import { command, currentConfig, orRefuse, print } from './cli.ts';
import { assertNotMoved, assertServerUser } from './installation.ts';

/** `pavis compact` */
export function compactCommand(program: Command): void {
  command(program, 'compact', 'compact the embedded database; blocks writes while it runs').action(
    async ({ json }) => {
      const config = currentConfig();
      assertServerUser(config);
      const { databaseUrl } = config;
      if (!databaseUrl.startsWith('sqlite:')) {
        throw new CliError(
          `the database is PostgreSQL: use "vacuumdb --full '${maskUrl(databaseUrl)}'"`,
        );
      }
      assertNotMoved(config);
      const database = databaseUrl.slice('sqlite:'.length);
      const before = statSync(database, { throwIfNoEntry: false })?.size;
      if (before === undefined) throw new CliError(`there is no database ${database}`);
      // A large copy does not fit into memory or the shared temporary folder.
      process.env.SQLITE_TMPDIR = dirname(database);
      await orRefuse(config, () => purgeSqlite(database, { keepsCopyInMemory: false }));
      const bytes = statSync(database).size;
      const text = `${database} compacted: ${before} bytes before, ${bytes} now.`;
      print(json, { database, bytes_before: before, bytes }, text);
    },
  );
}
