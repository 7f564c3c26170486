import { type Command, Option } from 'commander';
import {
  applyEdit,
  describeLicences,
  Edit,
  getLicenceDetail,
  toStoreFilter,
} from '../licensing/admin/index.ts';
import { listBought } from '../licensing/checkout/index.ts';
import { createLicenceFile } from '../licensing/licence-file/index.ts';
import {
  extendLicence,
  type Licence,
  listLicencesBefore,
  reinstateLicence,
  revokeLicence,
  suspendLicence,
  transferLicence,
} from '../licensing/licences/index.ts';
import { NEVER } from '../licensing/products/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import type { Platform } from '../platform/deps.ts';
import { normaliseEmail } from '../platform/email-address.ts';
import { CliError, NotFoundError } from '../platform/errors.ts';
import { omitUndefined } from '../platform/omit-undefined.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { bulkLicenceCommands } from './licence-bulk.ts';
import { importCommand } from './licence-import.ts';
import { issueCommand, rerollCommand } from './licence-key.ts';
import { formatLicence, readSummary } from './licence-text.ts';
import { assertChange, freeText, MAX_DAYS, MAX_SITES, moment, wholeNumber } from './options.ts';
import { readFields } from './read-fields.ts';

/** `pavis licence …` */
export function licenceCommands(program: Command): void {
  const licence = program.command('licence').description('manage licences');

  issueCommand(licence);

  command(licence, 'list', 'list licences, newest first')
    .option('--email <address>', 'licences of one customer')
    .option('--search <text>', 'part of an email address, an id, the URL of a site or a key')
    .option('--product <slug>', 'licences of one product')
    .option('--limit <n>', 'maximum number of licences', wholeNumber(1, 100_000), 1_000)
    .action(({ json, email, limit, ...query }) =>
      withPlatform(currentConfig(), async (platform) => {
        const { db } = platform.datastore;
        const filter = {
          ...(await toStoreFilter(platform, query)),
          email: email && normaliseEmail(email),
        };
        const page = { now: platform.clock.now(), before: undefined, limit };
        const found = await listLicencesBefore(db, filter, page);
        const licences = await describeLicences(platform, found);
        const rows = licences.map((each) => [
          each.id,
          each.email ?? '-',
          each.key,
          each.product,
          each.tier,
          each.status,
          `${each.sites_used}/${each.sites_allowed}`,
          each.expires_at.slice(0, 10),
        ]);
        print(
          json,
          { licences },
          table(['id', 'customer', 'key', 'product', 'tier', 'status', 'sites', 'expires'], rows),
        );
      }),
    );

  command(licence, 'show <id>', 'show a licence, its sites and its history').action(
    (id: string, { json }) =>
      withPlatform(currentConfig(), async (platform) => {
        const { detail } = await getLicenceDetail(platform, id).catch((error) => {
          if (!(error instanceof NotFoundError)) throw error;
          throw new CliError(
            `no licence has the id ${id}. List licences with "pavis licence list"`,
          );
        });
        print(json, detail, formatLicence(detail));
      }),
  );

  command(licence, 'extend <id>', 'change the expiry of a licence')
    .addOption(new Option('--expires <iso>', 'new expiry').argParser(moment).makeOptionMandatory())
    .action((id: string, { json, expires }) =>
      change(json, (platform) => extendLicence(platform, id, expires, actor()), 'extended'),
    );

  command(licence, 'edit <id>', 'change the tier, sites, grace period or notes of a licence')
    .option('--tier <tier>', 'plan of its product; the number of sites does not change')
    .option('--sites <n>', 'activation slots', wholeNumber(1, MAX_SITES))
    .option('--grace-days <n>', 'grace period in days: works after expiry', wholeNumber(0, 365))
    .option(
      '--free-development-sites',
      'development sites (localhost, *.test, staging.…) use no slot',
    )
    .option('--no-free-development-sites', 'development sites use slots')
    .option('--notes <text>', 'notes for your staff', freeText)
    .option('--add-features <names>', 'features beside those of the plan, separated by commas')
    .option('--remove-features <names>', 'features of the plan that it lacks, separated by commas')
    .action((id: string, { json, tier, sites, graceDays, freeDevelopmentSites, ...options }) =>
      withPlatform(currentConfig(), async (platform) => {
        const edit = {
          tier,
          sites_allowed: sites,
          grace_days: graceDays,
          development_sites_free: freeDevelopmentSites,
          notes: options.notes,
          features_added: options.addFeatures,
          features_removed: options.removeFeatures,
        };
        const edits = readFields(assertChange(omitUndefined(edit), 'licence edit'), Edit);
        await applyEdit(platform, id, edits, undefined, actor());
        const { detail } = await getLicenceDetail(platform, id);
        const { activations: _sites, events: _log, ...shown } = detail;
        const { tier: name, sites_used, sites_allowed, grace_days, notice } = shown;
        const said = `Licence ${id} updated: tier ${name}, ${sites_used} of ${sites_allowed} sites in use, grace period ${grace_days} days.`;
        print(json, shown, notice ? `${said}\n${notice}` : said);
      }),
    );

  const restrictions = {
    suspend: [suspendLicence, 'suspend a licence', 'suspended'],
    revoke: [revokeLicence, 'revoke a licence permanently', 'revoked'],
  } as const;
  for (const [verb, [apply, description, done]] of Object.entries(restrictions)) {
    command(licence, `${verb} <id>`, description)
      .option('--reason <text>', 'why, for the history of the licence', freeText)
      .action((id: string, { json, reason }) =>
        change(json, (platform) => apply(platform, id, actor(), reason), done),
      );
  }
  command(licence, 'reinstate <id>', 'reinstate a suspended licence').action(
    (id: string, { json }) =>
      change(json, (platform) => reinstateLicence(platform, id, actor()), 'reinstated'),
  );

  command(licence, 'transfer <id>', 'transfer a licence to another customer')
    .addHelpText(
      'after',
      `
Active sites keep their slots, so the new customer sees their addresses and can deactivate them.
Deactivate a site first if they must not see it. They see no site that was deactivated before.`,
    )
    .requiredOption('--email <address>', 'new customer; created if new')
    .action((id: string, { json, email }) =>
      change(
        json,
        (platform) => transferLicence(platform, id, email, actor()),
        `transferred to ${email}; key and sites are unchanged ("pavis licence reroll ${id}" rotates the key)`,
      ),
    );

  command(
    licence,
    'file <id>',
    'create a signed licence file for a site without access to the server',
  )
    .option('--days <n>', 'validity in days', wholeNumber(1, MAX_DAYS), 30)
    .action((id: string, { json, days }) =>
      withPlatform(currentConfig(), async (platform) => {
        const { file, validUntil } = await createLicenceFile(platform, id, days);
        print(json, { id, file, valid_until: toIsoMoment(validUntil) }, file);
      }),
    );

  bulkLicenceCommands(licence);
  importCommand(licence);
  rerollCommand(licence);
}

const STILL_PAID =
  'A subscription still pays for it: cancel it in Stripe, or the customer goes on paying.';

function change(
  json: boolean | undefined,
  apply: (platform: Platform) => Promise<Licence>,
  done: string,
) {
  return withPlatform(currentConfig(), async (platform) => {
    const summary = await readSummary(platform, await apply(platform));
    const { id, status, expires_at } = summary;
    const text = `Licence ${id} ${done} (${status}, ${formatExpiry(expires_at)}).`;
    const isStillPaid =
      status === 'revoked' && (await listBought(platform.datastore.db, [id])).get(id)?.renews;
    print(json, summary, isStillPaid ? `${text}\n${STILL_PAID}` : text);
  });
}

/** For example "expires 22 Mar 2027". */
function formatExpiry(moment: string): string {
  if (Date.parse(moment) === NEVER) return 'lifetime';
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  return `expires ${day.format(Date.parse(moment))}`;
}
