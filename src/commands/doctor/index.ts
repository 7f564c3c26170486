import type { Command } from 'commander';
import { type Config, maskUrl, readEnvironment, resolveAddresses } from '../../config/index.ts';
import { listUnknownSettings } from '../../config/unknown-settings.ts';
import { assertProvider } from '../../identity/single-sign-on/index.ts';
import { assertWordPress } from '../../identity/wordpress/index.ts';
import { listCheckedPrices, listStripeChecks } from '../../licensing/checkout/index.ts';
import type { Catalogue } from '../../licensing/products/index.ts';
import { openPlatform } from '../../modules/platform.ts';
import type { Platform } from '../../platform/deps.ts';
import { normaliseEmail } from '../../platform/email-address.ts';
import { CliError } from '../../platform/errors.ts';
import { createLogger } from '../../platform/log.ts';
import { readErasures } from '../../privacy/dsar/index.ts';
import { command, currentConfig, orRefuse, print } from '../cli.ts';
import { assertServerUser, findOtherUser } from '../installation.ts';
import {
  checkBannerPictures,
  checkClock,
  checkConsentLog,
  checkMailQueue,
  checkNotifications,
  checkProxy,
  checkSchema,
  checkStandbys,
  checkStorage,
  checkSubscriptionPrices,
  checkTiers,
  describeSecondFactors,
  readProducts,
} from './database.ts';
import {
  checkAddresses,
  checkContainerUser,
  checkCountryDatabase,
  checkExtensions,
  checkMail,
  describeBrowser,
  describeSecurityContacts,
  describeSite,
  loadCheckedSecret,
  orCheckSetting,
} from './environment.ts';
import { checkFolders } from './folders.ts';
import { isContainer, readMounts } from './mounts.ts';

interface Check {
  name: string;
  ok: boolean;
  message: string;
}

/** `pavis doctor` */
export function doctorCommand(program: Command): void {
  command(program, 'doctor', 'check settings, data folder, browser, site, database and email')
    .option('--send-test-mail <address>', 'send a test email to this address')
    .action(async ({ json, sendTestMail }) => {
      const testAddress =
        sendTestMail === undefined ? undefined : normaliseEmail(sendTestMail as string);
      const checks = await runChecks(testAddress);
      const lines = checks.map(
        ({ ok, name, message }) => `${ok ? 'ok  ' : 'FAIL'}  ${name}: ${message}`,
      );
      print(json, { ok: checks.every(({ ok }) => ok), checks }, lines.join('\n'));
      const failed = checks.filter(({ ok }) => !ok).length;
      if (failed > 0) throw new CliError(`${failed} of ${checks.length} checks failed`);
    });
}

async function runChecks(testAddress: string | undefined): Promise<Check[]> {
  const checks: Check[] = [];
  /** @returns the result of `work`; undefined if it threw, with the error as the message */
  async function check<T>(
    name: string,
    work: () => T | Promise<T>,
    describe: (result: T) => string = String,
  ): Promise<T | undefined> {
    try {
      const result = await work();
      checks.push({ name, ok: true, message: describe(result) });
      return result;
    } catch (error) {
      checks.push({ name, ok: false, message: (error as Error).message });
      return undefined;
    }
  }

  const config = await check('settings', currentConfig, ({ production }) =>
    production ? 'valid (production)' : 'valid (development: NODE_ENV is not "production")',
  );
  if (!config) return checks;
  const unknown = listUnknownSettings(config, readEnvironment());
  if (unknown.length > 0)
    await check(
      'unknown settings',
      () => `${unknown.join(', ')}: Pavis has no such setting. Check the spelling`,
    );
  const { wordpressUrl, singleSignOn, payments } = config;
  if (config.production) {
    await check('addresses', () => checkAddresses(config));
    await check('security contact', () => describeSecurityContacts(config));
    if (isContainer(readMounts())) await check('user', () => checkContainerUser());
  }
  if (findOtherUser(config) !== undefined) {
    // The other checks write to the data folder.
    await check('user', () => assertServerUser(config));
    return checks;
  }
  await check('data folder', async () => {
    const message = checkFolders(config);
    if (config.services.includes('plugin'))
      await orRefuse(config, () => readErasures({ site: config }));
    return message;
  });
  if (wordpressUrl !== undefined) {
    const message = `${wordpressUrl} reachable`;
    await check(
      'WordPress',
      () => orCheckSetting('PAVIS_WORDPRESS_URL', () => assertWordPress(wordpressUrl)),
      () => message,
    );
  }
  if (singleSignOn !== undefined) {
    const { issuer } = singleSignOn;
    await check(
      'single sign-on',
      () => orCheckSetting('PAVIS_OIDC_ISSUER', () => assertProvider(singleSignOn)),
      () => `${issuer} reachable`,
    );
  }
  if (config.extensions.length > 0) await check('extensions', () => checkExtensions(config));
  if (config.country.database !== undefined)
    await check('country database', () => checkCountryDatabase(config));
  if (config.services.includes('plugin')) {
    await check('browser', () => describeBrowser(config));
    await check('site', () => describeSite(config));
  }
  const secret = await check(
    'secret',
    () => orRefuse(config, async () => loadCheckedSecret(config)),
    () =>
      config.secret ? 'set by PAVIS_SECRET' : 'in the data folder, readable only by its owner',
  );
  if (!secret) return checks;
  const platform = await check(
    'database',
    () => orRefuse(config, () => connect(config, secret)),
    () => `connected (${maskUrl(config.databaseUrl)})`,
  );
  let catalogue: Catalogue = [];
  if (platform) {
    const checkDatabase = (name: string, work: typeof checkSchema) =>
      check(name, () => orRefuse(config, () => work(platform, config)));
    try {
      await checkDatabase('schema', checkSchema);
      if (platform.datastore.engine === 'postgres') {
        await checkDatabase('clock', checkClock);
        await checkDatabase('standbys', checkStandbys);
        await checkDatabase('notifications between nodes', checkNotifications);
      }
      await checkDatabase('storage', checkStorage);
      await checkDatabase('proxy', checkProxy);
      if (config.services.includes('plugin'))
        await checkDatabase('banner pictures', checkBannerPictures);
      if (config.services.includes('plugin')) await checkDatabase('consent log', checkConsentLog);
      await checkDatabase('second factor', describeSecondFactors);
      await checkDatabase('mail queue', checkMailQueue);
      if (payments.prices.length > 0)
        await checkDatabase('tiers of PAVIS_STRIPE_PRICES', checkTiers);
      if (payments.stripe) {
        await checkDatabase('prices of subscriptions', checkSubscriptionPrices);
        // The check before says what is wrong with the database.
        catalogue = await readProducts(platform).catch(() => []);
      }
    } finally {
      await platform.datastore.close();
    }
  }
  await check('mail', () => checkMail(config, testAddress));
  if (!payments.stripe) return checks;
  const webhookUrl = `${resolveAddresses(config).baseUrl}/webhooks/stripe`;
  const { stripe, webhookSecrets } = payments;
  const prices = listCheckedPrices(payments.prices, catalogue);
  for (const { name, run } of listStripeChecks(stripe, prices, webhookSecrets, webhookUrl)) {
    const message = await check(name, run);
    // The other checks need the key.
    if (name === 'Stripe key' && message === undefined) break;
  }
  return checks;
}

async function connect(config: Config, secret: Buffer): Promise<Platform> {
  const platform = await openPlatform(config, { secret, log: await createLogger('silent') });
  try {
    await platform.datastore.ping();
    return platform;
  } catch (error) {
    await platform.datastore.close();
    throw error;
  }
}
