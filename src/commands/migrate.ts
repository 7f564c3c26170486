import type { Command } from 'commander';
import { loadSecret } from '../config/index.ts';
import { migrations } from '../migrations/index.ts';
import { openPlatform } from '../modules/platform.ts';
import { type MigrationStatus, migrate, migrationStatus } from '../platform/db/index.ts';
import { createLogger } from '../platform/log.ts';
import { command, currentConfig, orRefuse, print } from './cli.ts';
import { assertDatabaseKept } from './installation.ts';

/** `pavis migrate` */
export function migrateCommand(program: Command): void {
  command(program, 'migrate', 'migrate the database schema')
    .option('--status', 'list applied and pending migrations')
    .action(async ({ json, status: onlyStatus }) => {
      const config = currentConfig();
      const log = await createLogger('silent');
      const result = await orRefuse(config, async () => {
        const platform = await openPlatform(config, { secret: loadSecret(config), log });
        const { datastore } = platform;
        try {
          if (onlyStatus) return await migrationStatus(datastore, migrations);
          await assertDatabaseKept(platform, config);
          return await migrate(datastore, migrations);
        } finally {
          await datastore.close();
        }
      });
      print(json, result, describe(result));
    });
}

function describe({ applied, pending }: MigrationStatus): string {
  const lines = [
    ...applied.map((name) => `applied  ${name}`),
    ...pending.map((name) => `pending  ${name}`),
  ];
  lines.push(
    pending.length === 0
      ? 'The database is up to date.'
      : 'Run "pavis migrate" to apply pending migrations.',
  );
  return lines.join('\n');
}
