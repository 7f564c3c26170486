import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadSecret, maskUrl } from '../config/index.ts';
import { migrations } from '../migrations/index.ts';
import { systemClock } from '../platform/clock.ts';
import { Secret } from '../platform/crypto/secret.ts';
import {
  assertFillable,
  type Datastore,
  migrate,
  moveToPostgres,
  openDatastore,
} from '../platform/db/index.ts';
import { CliError } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { recordRestore, toLogFile } from '../privacy/consent-log/index.ts';
import { command, currentConfig, orRefuse, print } from './cli.ts';
import { assertNotMoved, assertServerUser, noteMove } from './installation.ts';
import { migrateDatabase } from './migrate-database.ts';
import { progressBar } from './progress.ts';

/** The default product and its plans. */
const FILLED_BY_MIGRATIONS = ['plans', 'products'];

/** `pavis move` */
export function moveCommand(program: Command): void {
  command(program, 'move <url>', 'copy the embedded database into an empty PostgreSQL database')
    .addHelpText('after', '\nStop the server first. The URL is what PAVIS_DATABASE_URL will be.')
    .action(async (url: string, { json }) => {
      const config = currentConfig();
      assertServerUser(config);
      const source = config.databaseUrl;
      if (!source.startsWith('sqlite:')) throw new CliError('the database is already PostgreSQL');
      if (!/^postgres(ql)?:\/\//.test(url)) {
        throw new CliError('the URL must begin with postgres://, as in PAVIS_DATABASE_URL', 2);
      }
      assertNotMoved(config);
      const file = source.slice('sqlite:'.length);
      if (!existsSync(file)) throw new CliError(`there is no database ${file}`);
      const log = await createLogger('silent');
      await withDatastore(config, source, async (datastore) => {
        await migrateDatabase({ datastore, clock: systemClock, log }, config);
        // Afterwards nothing shows that the database was restored: the log is part of the other one.
        await recordRestore(withSecret(config, datastore), config);
      });
      const moved = await withDatastore(config, url, async (target) => {
        await assertFillable(target);
        await migrate(target, migrations);
        return withBar((onProgress) =>
          moveToPostgres(
            file,
            { others: [toLogFile(config.dataDir)], filled: FILLED_BY_MIGRATIONS },
            target,
            onProgress,
          ),
        );
      });
      const unmarked = markAsMoved(config, url);
      const rows = moved.reduce((sum, table) => sum + table.rows, 0);
      const lines = [
        `${rows} rows copied to ${maskUrl(url)}. Now set:`,
        '  PAVIS_DATABASE_URL  to that URL',
        ...(config.secret === undefined
          ? [`  PAVIS_SECRET        to the content of ${join(config.dataDir, 'secret')}`]
          : []),
        unmarked === undefined
          ? `${file} is unchanged, and Pavis no longer starts with it. Delete it and the folder log when you no longer need them.`
          : `${file} is unchanged.`,
      ];
      print(json, { database: maskUrl(url), rows, tables: moved }, lines.join('\n'));
      if (unmarked === undefined) return;
      throw new CliError(
        `everything was copied, but ${file} could not be marked as moved (${unmarked}). Do not move again. Set PAVIS_DATABASE_URL before the next start, and rename or delete ${file}: Pavis would still start with it, and the two databases would diverge`,
      );
    });
}

/** The secret may be known to the server only, and is needed only after `pavis log restart`. */
const withSecret = (config: Config, datastore: Datastore) => ({
  datastore,
  clock: systemClock,
  get secret() {
    return new Secret(loadSecret(config));
  },
});

/** Marks the database as moved. @returns why that failed; undefined if it did not */
function markAsMoved(config: Config, url: string): string | undefined {
  try {
    noteMove(config, url, systemClock.now());
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Shows the bar with the first rows, when their number is known. */
async function withBar<T>(
  work: (onProgress: (rows: number, ofAll: number) => void) => Promise<T>,
): Promise<T> {
  let bar: ReturnType<typeof progressBar> | undefined;
  try {
    return await work((rows, ofAll) => {
      bar ??= progressBar(ofAll, 'rows');
      void bar.then((shown) => shown?.increment(rows));
    });
  } finally {
    (await bar)?.stop();
  }
}

async function withDatastore<T>(
  config: Config,
  databaseUrl: string,
  work: (datastore: Datastore) => Promise<T>,
): Promise<T> {
  const log = await createLogger('silent');
  return orRefuse({ ...config, databaseUrl }, async () => {
    const datastore = await openDatastore(databaseUrl, log);
    try {
      return await work(datastore);
    } finally {
      await datastore.close();
    }
  });
}
