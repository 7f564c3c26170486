import type { Command } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { seedConsents } from '../privacy/consent/index.ts';
import { readAskedOfVisitors } from '../privacy/data-map/index.ts';
import { SettingsCache } from '../privacy/settings/index.ts';
import { command, currentConfig, print, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';

/** `pavis seed` */
export function seedCommand(program: Command): void {
  command(program, 'seed', 'generate sample consent records for load tests')
    .requiredOption('--consents <n>', 'number of consent records', wholeNumber(1, 100_000_000))
    .option(
      '--days <n>',
      'number of days over which to spread them, up to now',
      wholeNumber(1, 3_650),
      365,
    )
    .action(async ({ json, consents, days }) => {
      const config = currentConfig();
      const { restRoot, siteUrl } = resolveAddresses(config);
      const { timeZone } = config;
      const startedAt = performance.now();
      await withPlatform(config, async (platform) => {
        const scope = {
          platform,
          siteUrl: () => siteUrl,
          restRoot: () => restRoot,
          timeZone,
          readAsked: readAskedOfVisitors,
        };
        const settings = await new SettingsCache(scope).read();
        await seedConsents(platform, { count: consents, days, timeZone, settings }, (done) => {
          if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${consents}`);
        });
      });
      if (process.stderr.isTTY) process.stderr.write('\n');
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      print(json, { consents, seconds }, `Generated ${consents} consent records in ${seconds} s.`);
    });
}
