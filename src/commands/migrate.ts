import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, loadSecret } from '../config/index.ts';
import { migrations } from '../migrations/index.ts';
import { openPlatform } from '../modules/platform.ts';
import { type MigrationStatus, migrationStatus } from '../platform/db/index.ts';
import { createLogger } from '../platform/log.ts';
import { command, currentConfig, orRefuse, print } from './cli.ts';
import { assertOwnDatabase, assertServerUser } from './installation.ts';
import { migrateDatabase } from './migrate-database.ts';

/** `pavis migrate` */
export function migrateCommand(program: Command): void {
  command(program, 'migrate', 'migrate the database schema')
    .option('--status', 'list applied and pending migrations')
    .option(
      '--no-backup',
      'migrate an embedded database without a backup in the data folder; make one in another place first',
    )
    .action(async ({ json, status: onlyStatus, backup: withBackup }) => {
      const config = currentConfig();
      if (!onlyStatus) assertServerUser(config);
      const log = await createLogger('silent');
      const result = await orRefuse(config, async () => {
        // Opening the database would create it.
        if (onlyStatus && isMissing(config))
          return { applied: [], pending: Object.keys(migrations) };
        const platform = await openPlatform(config, { secret: loadSecret(config), log });
        const { datastore } = platform;
        try {
          if (onlyStatus) return await migrationStatus(datastore, migrations);
          await assertOwnDatabase(platform, config);
          return await migrateDatabase(platform, config, { withBackup });
        } finally {
          await datastore.close();
        }
      });
      print(json, result, describe(result));
    });
}

const isMissing = ({ databaseUrl }: Config): boolean =>
  databaseUrl.startsWith('sqlite:') && !existsSync(databaseUrl.slice('sqlite:'.length));

function describe({ applied, pending, backup }: MigrationStatus & { backup?: string | null }) {
  const lines = [
    ...applied.map((name) => `applied  ${name}`),
    ...pending.map((name) => `pending  ${name}`),
  ];
  lines.push(
    pending.length === 0
      ? 'The database is up to date.'
      : 'Run "pavis migrate" to apply pending migrations.',
  );
  if (backup) lines.push(`The database from before is kept as ${backup}.`);
  return lines.join('\n');
}
