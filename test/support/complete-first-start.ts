import { prepareDatabase } from '../../src/commands/cli.ts';
import { firstRun } from '../../src/commands/first-run.ts';
import {
  type Environment,
  loadSecret,
  resolveAddresses,
  toConfig,
} from '../../src/config/index.ts';
import { openPlatform } from '../../src/modules/platform.ts';
import { createLogger } from '../../src/platform/log.ts';

/** Prepares data folder and database as a first start does before the server listens. */
export async function completeFirstStart(env: Environment): Promise<void> {
  const config = toConfig(env);
  const log = await createLogger('silent');
  const platform = await openPlatform(config, { secret: loadSecret(config), log });
  await prepareDatabase(platform, config);
  await firstRun(platform, config, resolveAddresses(config), 'http://127.0.0.1:8787');
  await platform.datastore.close();
}
