import { type Command, InvalidArgumentError } from 'commander';
import {
  countLicences,
  createPlan,
  createProduct,
  DEFAULT_PRODUCT,
  INTERVALS,
  type Interval,
  PlanCreate,
  PlanUpdate,
  ProductCreate,
  ProductUpdate,
  readCatalogue,
  readPlan,
  readProduct,
  toPlanRecord,
  toProductRecord,
  updatePlan,
  updateProduct,
} from '../licensing/products/index.ts';
import type { Platform } from '../platform/deps.ts';
import { omitUndefined } from '../platform/omit-undefined.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { formatSites } from './licence-text.ts';
import { assertChange, MAX_SITES, wholeNumber } from './options.ts';
import { readFields } from './read-fields.ts';

/** `pavis product …` */
export function productCommands(program: Command): void {
  const product = program.command('product').description('manage the products that you license');

  command(product, 'list', 'list products').action(({ json }) =>
    withPlatform(currentConfig(), async (platform) => {
      const products = await listRecords(platform);
      const rows = products.map((each) => [
        each.slug,
        each.name,
        each.current_version ?? '-',
        each.plans.filter(({ archived_at }) => archived_at === null).length,
        each.licences,
      ]);
      print(json, { products }, table(['slug', 'name', 'version', 'plans', 'licences'], rows));
    }),
  );

  const withFields = (each: Command) =>
    each
      .option('--current-version <version>', 'current version, for example 2.4.1')
      .option('--site-url <url>', 'website of the product');
  withFields(
    command(product, 'create <slug>', 'create a product').requiredOption('--name <name>', 'name'),
  ).action((slug: string, options) =>
    withPlatform(currentConfig(), async (platform) => {
      const wanted = readFields({ slug, ...toProductArgs(options) }, ProductCreate);
      await createProduct(platform, wanted, actor());
      await printProduct(platform, slug, options.json, 'created');
    }),
  );
  withFields(
    command(product, 'update <slug>', 'change a product').option('--name <name>', 'name'),
  ).action((slug: string, options) =>
    withPlatform(currentConfig(), async (platform) => {
      const edits = readFields(
        assertChange(toProductArgs(options), 'product update'),
        ProductUpdate,
      );
      await assertExists(platform, slug);
      await updateProduct(platform, slug, { edits }, actor());
      await printProduct(platform, slug, options.json, 'updated');
    }),
  );
}

/** `pavis plan …` */
export function planCommands(program: Command): void {
  const plan = program.command('plan').description('manage the plans of a product');
  const add = (usage: string, description: string) =>
    command(plan, usage, description).option(
      '--product <slug>',
      'product of the plan',
      DEFAULT_PRODUCT,
    );

  add('list', 'list the plans of a product').action(({ json, product }) =>
    withPlatform(currentConfig(), async (platform) => {
      const { slug } = readProduct(await readCatalogue(platform.datastore.db), product);
      const plans = (await listRecords(platform)).find((each) => each.slug === slug)?.plans ?? [];
      const rows = plans.map((each) => [
        each.tier,
        each.label,
        each.sites_allowed,
        each.features.join(', ') || '-',
        Object.keys(each.prices).join(', ') || '-',
        each.licences,
        each.archived_at === null ? 'on sale' : 'archived',
      ]);
      const headings = ['tier', 'label', 'sites', 'features', 'intervals', 'licences', 'status'];
      print(json, { plans }, table(headings, rows));
    }),
  );

  const withFields = (each: Command) =>
    each
      .option('--label <name>', 'name for people')
      .option('--description <text>', 'what buyers read; empty for the names of the features')
      .option('--sites <n>', 'sites per licence', wholeNumber(1, MAX_SITES))
      .option('--features <names>', 'names of features, separated by commas', toNames)
      .option('--grace-days <n>', 'days for which licences work after expiry', wholeNumber(0, 365))
      .option('--trial-days <n>', 'days of the free trial', wholeNumber(0, 730))
      .option('--trial-without-card', 'the trial can be started with an email address only')
      .option('--no-trial-without-card', 'the trial comes with a subscription at Stripe only')
      .option('--free-development-sites', 'development sites use no slot')
      .option('--no-free-development-sites', 'development sites use slots')
      .option(
        '--price <interval=id>',
        `price at Stripe for ${INTERVALS.join(', ')}; repeatable. Replaces all prices`,
        addPrice,
      )
      .option('--position <n>', 'place among the plans', wholeNumber(0, 1_000));
  withFields(add('create <tier>', 'create a plan')).action((tier: string, options) =>
    withPlatform(currentConfig(), async (platform) => {
      const wanted = readFields({ tier, ...toPlanArgs(options) }, PlanCreate);
      await assertExists(platform, options.product);
      await printPlan(
        platform,
        options.json,
        'created',
        await createPlan(platform, options.product, wanted, actor()),
      );
    }),
  );
  withFields(
    add('update <tier>', 'change a plan; its licences follow, with what they do not override'),
  ).action((tier: string, options) =>
    withPlatform(currentConfig(), async (platform) => {
      const edits = readFields(assertChange(toPlanArgs(options), 'plan update'), PlanUpdate);
      const id = { product: options.product, tier };
      await assertExists(platform, id.product, tier);
      await printPlan(
        platform,
        options.json,
        'updated',
        await updatePlan(platform, id, { edits }, actor()),
      );
    }),
  );
  add('archive <tier>', 'take a plan off sale; its licences keep working and can be renewed')
    .option('--undo', 'put it on sale again')
    .action((tier: string, { json, product, undo = false }) =>
      withPlatform(currentConfig(), async (platform) => {
        await assertExists(platform, product, tier);
        const changed = await updatePlan(
          platform,
          { product, tier },
          { edits: { archived: !undo } },
          actor(),
        );
        await printPlan(platform, json, undo ? 'on sale again' : 'archived', changed);
      }),
    );
}

/** @throws InvalidFieldError with the products or plans that exist */
async function assertExists(
  { datastore: { db } }: Platform,
  slug: string,
  tier?: string,
): Promise<void> {
  const product = readProduct(await readCatalogue(db), slug);
  if (tier !== undefined) readPlan(product, tier, { isArchivedAllowed: true });
}

async function listRecords({ datastore: { db } }: Platform) {
  const [catalogue, count] = await Promise.all([readCatalogue(db), countLicences(db)]);
  return catalogue.map((product) => toProductRecord(product, count));
}

async function printProduct(
  platform: Platform,
  slug: string,
  json: boolean | undefined,
  done: string,
): Promise<void> {
  const found = (await listRecords(platform)).find((each) => each.slug === slug);
  print(json, found, `Product ${slug} ${done}.`);
}

async function printPlan(
  { datastore: { db } }: Platform,
  json: boolean | undefined,
  done: string,
  { product, plan }: Awaited<ReturnType<typeof updatePlan>>,
): Promise<void> {
  const record = toPlanRecord(product, plan, await countLicences(db));
  print(
    json,
    record,
    `Plan ${plan.tier} of ${product.slug} ${done}: ${formatSites(plan.sitesAllowed)}, features ${plan.features.join(', ') || 'none'}.`,
  );
}

const toProductArgs = (options: Record<string, unknown>) =>
  omitUndefined({
    name: options.name,
    current_version: options.currentVersion,
    site_url: options.siteUrl,
  });

const toPlanArgs = (options: Record<string, unknown>) =>
  omitUndefined({
    label: options.label,
    description: options.description === '' ? null : options.description,
    sites_allowed: options.sites,
    features: options.features,
    grace_days: options.graceDays,
    trial_days: options.trialDays,
    trial_without_card: options.trialWithoutCard,
    development_sites_free: options.freeDevelopmentSites,
    prices: options.price,
    position: options.position,
  });

const toNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function addPrice(text: string, prices: Partial<Record<Interval, string>> = {}) {
  const [interval = '', price = ''] = text.split('=');
  if (INTERVALS.includes(interval as Interval) && price) return { ...prices, [interval]: price };
  throw new InvalidArgumentError(
    `It must be ${INTERVALS.join(', ')} with a price, for example year=price_123.`,
  );
}
