import { type Command, Option } from 'commander';
import { issueAndMail, rotateAndMail } from '../licensing/admin/index.ts';
import { MAX_OVERLAP_HOURS } from '../licensing/licences/index.ts';
import { NEVER } from '../licensing/products/index.ts';
import { DAY_MS } from '../platform/durations.ts';
import { CliError } from '../platform/errors.ts';
import { actor, command, currentConfig, print, withPlatform } from './cli.ts';
import { formatSites, readSummary } from './licence-text.ts';
import { freeText, MAX_DAYS, MAX_SITES, moment, wholeNumber } from './options.ts';

/** `pavis licence issue` */
export function issueCommand(licence: Command): void {
  command(licence, 'issue', 'issue a licence and print its key once')
    .requiredOption('--email <address>', 'customer; created if new')
    .option('--product <slug>', 'product (default: the default product)')
    .requiredOption('--tier <tier>', 'plan of the product, see "pavis plan list"')
    .option('--sites <n>', 'activation slots (default: of the plan)', wholeNumber(1, MAX_SITES))
    .addOption(
      new Option('--expires <iso>', 'expiry').argParser(moment).conflicts(['days', 'perpetual']),
    )
    .addOption(
      new Option('--days <n>', 'days until expiry')
        .argParser(wholeNumber(1, MAX_DAYS))
        .conflicts('perpetual'),
    )
    .option('--perpetual', 'lifetime licence')
    .option('--test', 'issue a pv_test_ key')
    .option('--mail', 'email the key to the customer; the server sends it')
    .option('--grace-days <n>', 'grace period in days: works after expiry', wholeNumber(0, 365))
    .option(
      '--free-development-sites',
      'development sites (localhost, *.test, staging.…) use no slot',
    )
    .option('--no-free-development-sites', 'development sites use slots')
    .option('--notes <text>', 'notes for your staff', freeText)
    .action((options) =>
      withPlatform(currentConfig(), async (platform) => {
        const request = {
          email: options.email,
          product: options.product,
          tier: options.tier,
          sitesAllowed: options.sites,
          expiresAt: readExpiry(options, platform.clock.now()),
          mode: options.test ? ('test' as const) : ('live' as const),
          graceDays: options.graceDays,
          developmentSitesFree: options.freeDevelopmentSites,
          notes: options.notes,
        };
        const { mail = false } = options;
        const { licence, key, email } = await issueAndMail(platform, request, mail, actor());
        const summary = await readSummary(platform, licence);
        const { id, mode, product, tier, sites_allowed, expires_at } = summary;
        print(
          options.json,
          { id, key, mode, product, tier, sites_allowed, expires_at, email },
          `${key}\n\nLicence ${id} for ${email}: ${product}, tier ${tier}, ${formatSites(sites_allowed)}, until ${expires_at}.\n` +
            'The key is shown only once. Pavis stores only its hash.',
        );
      }),
    );
}

/** `pavis licence reroll` */
export function rerollCommand(licence: Command): void {
  command(licence, 'reroll <id>', 'rotate the key of a licence and print the new one once')
    .option(
      '--overlap-hours <n>',
      'hours for which the old key keeps working',
      wholeNumber(0, MAX_OVERLAP_HOURS),
      0,
    )
    .option('--no-mail', 'do not email the new key to the customer')
    .action((id: string, { json, overlapHours, mail }) =>
      withPlatform(currentConfig(), async (platform) => {
        const how = { overlapHours, mail };
        const { licence: changed, key } = await rotateAndMail(platform, id, how, actor());
        const old = overlapHours > 0 ? `works for ${overlapHours} more hours` : 'no longer works';
        print(
          json,
          { ...(await readSummary(platform, changed)), key },
          `${key}\n\nThe old key of ${id} ${old}. The new key is shown only once${mail ? '; the server emails it to the customer' : ''}.`,
        );
      }),
    );
}

function readExpiry(
  options: { expires?: number; days?: number; perpetual?: boolean },
  now: number,
): number {
  if (options.expires !== undefined) return options.expires;
  if (options.days !== undefined) return now + options.days * DAY_MS;
  if (options.perpetual) return NEVER;
  throw new CliError('no expiry given. Use --days N, --expires ISO or --perpetual', 2);
}
