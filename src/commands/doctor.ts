import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import {
  type Config,
  loadSecret,
  mailSettings,
  maskUrl,
  resolveAddresses,
  storageFolders,
} from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import { assertWordPress } from '../identity/wordpress/index.ts';
import { assertPricesKnown, stripeChecks } from '../licensing/checkout/index.ts';
import { countMails, createDelivery, renderMail } from '../mail/index.ts';
import { migrations } from '../migrations/index.ts';
import { openPlatform } from '../modules/platform.ts';
import { findStorageAlerts, formatSize, readStorage } from '../operations/storage/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { assertSameSecret, migrationStatus } from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { normaliseEmail } from '../platform/email-address.ts';
import { CliError } from '../platform/errors.ts';
import { findUntrustedProxy } from '../platform/http/untrusted-proxy.ts';
import { createLogger, withoutSecrets } from '../platform/log.ts';
import { checkBrowser, checkSite } from '../privacy/scanner/index.ts';
import { command, currentConfig, orRefuse, print } from './cli.ts';
import { assertDatabaseKept } from './installation.ts';

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
      const checks = await examine(testAddress);
      const lines = checks.map(
        ({ ok, name, message }) => `${ok ? 'ok  ' : 'FAIL'}  ${name}: ${message}`,
      );
      print(json, { ok: checks.every(({ ok }) => ok), checks }, lines.join('\n'));
      const failed = checks.filter(({ ok }) => !ok).length;
      if (failed > 0) throw new CliError(`${failed} of ${checks.length} checks failed`);
    });
}

async function examine(testAddress: string | undefined): Promise<Check[]> {
  const checks: Check[] = [];
  async function check<T>(
    name: string,
    work: () => T | Promise<T>,
    say: (value: T) => string,
  ): Promise<T | undefined> {
    try {
      const value = await work();
      checks.push({ name, ok: true, message: say(value) });
      return value;
    } catch (error) {
      checks.push({ name, ok: false, message: (error as Error).message });
      return undefined;
    }
  }

  const config = await check('settings', currentConfig, ({ production }) =>
    production ? 'valid (production)' : 'valid (development: NODE_ENV is not "production")',
  );
  if (!config) return checks;
  if (config.production) {
    await check(
      'addresses',
      () => assertHttps(config),
      (message) => message,
    );
  }
  await check(
    'data folder',
    () => assertWritable(config.dataDir),
    () => `${config.dataDir} is writable`,
  );
  const { wordpressUrl } = config;
  if (wordpressUrl !== undefined) {
    await check(
      'WordPress',
      () => assertWordPress(wordpressUrl),
      () => `${wordpressUrl} reachable`,
    );
  }
  if (config.services.includes('plugin')) {
    await check(
      'browser',
      () => lookAtBrowser(config),
      (message) => message,
    );
    await check(
      'site',
      () => lookAtSite(config),
      (message) => message,
    );
  }
  const secret = await check(
    'secret',
    () => loadCheckedSecret(config),
    () =>
      config.secret ? 'set by PAVIS_SECRET' : 'in the data folder, readable only by its owner',
  );
  if (!secret) return checks;

  let platform: Platform | undefined;
  try {
    await check(
      'database',
      () =>
        orRefuse(config, async () => {
          const log = await createLogger('silent');
          platform = await openPlatform(config, { secret, log });
          await platform.datastore.ping();
        }),
      () => `connected (${maskUrl(config.databaseUrl)})`,
    );
    const opened = platform;
    if (opened && checks.at(-1)?.ok) {
      await check(
        'schema',
        () => assertCurrent(opened, config),
        (message) => message,
      );
      await check(
        'storage',
        () => assertEnoughStorage(opened, config),
        (message) => message,
      );
      await check(
        'proxy',
        () => assertProxyIsTrusted(opened),
        (message) => message,
      );
      await check(
        'mail queue',
        () => assertMailFlows(opened),
        (message) => message,
      );
      if (config.payments.stripe) {
        await check(
          'prices of subscriptions',
          () => assertSubscriptionsFollowed(opened, config),
          (message) => message,
        );
      }
    }
  } finally {
    await platform?.datastore.close();
  }
  await check(
    'mail',
    () => tryMail(config, testAddress),
    (message) => message,
  );
  const { stripe, prices, webhookSecrets } = config.payments;
  const webhookUrl = `${resolveAddresses(config).baseUrl}/webhooks/stripe`;
  const stripeLooks = stripe ? stripeChecks(stripe, prices, webhookSecrets, webhookUrl) : [];
  for (const { name, look } of stripeLooks) {
    await check(name, look, (message) => message);
    // The other checks need the key.
    if (name === 'Stripe key' && !checks.at(-1)?.ok) break;
  }
  return checks;
}

/** Keys, passwords and sessions travel by these addresses. */
function assertHttps(config: Config): string {
  const { baseUrl, restRoot } = resolveAddresses(config);
  const all = {
    ...(config.services.includes('licence') && { PAVIS_BASE_URL: baseUrl }),
    ...(config.services.includes('plugin') && { PAVIS_REST_ROOT: restRoot }),
  };
  const plain = Object.entries(all).filter(([, url]) => url.startsWith('http:'));
  if (plain.length === 0) return Object.values(all).join(', ');
  const named = plain.map(([name, url]) => `${name} is ${url}`).join(', ');
  throw new CliError(`${named}: in production, serve Pavis over HTTPS and set the https addresses`);
}

function assertWritable(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function loadCheckedSecret(config: Config): Buffer {
  const secret = loadSecret(config);
  const file = join(config.dataDir, 'secret');
  if (!config.secret && existsSync(file) && (statSync(file).mode & 0o077) !== 0) {
    throw new CliError(`${file} is readable by others. Run: chmod 600`);
  }
  return secret;
}

async function assertCurrent(platform: Platform, config: Config): Promise<string> {
  const { datastore, secret } = platform;
  await assertDatabaseKept(platform, config);
  const { applied, pending } = await migrationStatus(datastore, migrations);
  if (applied.length > 0 && pending.length === 0) await assertSameSecret(datastore, secret);
  if (pending.length === 0) return `up to date (${applied.at(-1)})`;
  return `${pending.length} migrations pending; the next start applies them`;
}

/** Which browser scans would use. None is no fault, unless one was asked for. */
async function lookAtBrowser({ scanner, dataDir }: Config): Promise<string> {
  const { chromium, insecure } = scanner;
  if (chromium === 'off') return 'off: the scanner reads HTML without a browser';
  const log = await createLogger('silent');
  const found = await checkBrowser({ chromium, insecure, dataDir }, log);
  const used = found
    ? `${found.name}${found.sandbox ? '' : ', without its sandbox'}`
    : 'not found: the scanner reads HTML and does not run scripts';
  if (chromium !== undefined && !found?.name.endsWith('configured')) {
    throw new CliError(`${chromium} does not start; in its place: ${used}`);
  }
  return used;
}

/** The site may be this server itself, which need not be running. */
async function lookAtSite(config: Config): Promise<string> {
  const { siteUrl } = resolveAddresses(config);
  const settings = { ...config.scanner, connectTo: () => config.scanner.connectTo };
  const log = await createLogger('silent');
  try {
    await checkSite({ ...settings, dataDir: config.dataDir, version: VERSION }, siteUrl, log);
    return `${siteUrl} reachable`;
  } catch (error) {
    if (config.siteUrl !== undefined) throw error;
    return `${siteUrl} is this server, which is not running`;
  }
}

async function assertEnoughStorage(platform: Platform, config: Config): Promise<string> {
  const reading = await readStorage(platform, storageFolders(config));
  const [alert] = findStorageAlerts([reading], config.storage, new Set());
  const found = `${formatSize(reading.freeBytes)} free, database size ${formatSize(reading.databaseBytes)}`;
  if (alert === undefined) return found;
  throw new CliError(
    alert === 'disk_low'
      ? `${found}: free some space or enlarge the disk, or set PAVIS_DISK_WARN_MB lower`
      : `${found}: check the space that is left for it, and set PAVIS_DATABASE_WARN_MB higher if there is enough`,
  );
}

const PROXY_REMEMBERED_MS = 7 * 86_400_000;

/** Behind an untrusted proxy all visitors have the same address. */
async function assertProxyIsTrusted(platform: Platform): Promise<string> {
  if (platform.trustedProxies.length > 0) return 'PAVIS_TRUSTED_PROXIES is set';
  const { applied } = await migrationStatus(platform.datastore, migrations);
  const proxy = applied.length > 0 ? await findUntrustedProxy(platform) : undefined;
  if (!proxy || proxy.at < platform.clock.now() - PROXY_REMEMBERED_MS) {
    return 'none detected in the last 7 days';
  }
  throw new CliError(
    `${proxy.address} forwards requests (detected ${toIsoMoment(proxy.at)}) but is not trusted, so all visitors have its address. Set PAVIS_TRUSTED_PROXIES=${proxy.address}`,
  );
}

async function assertSubscriptionsFollowed(
  { datastore }: Platform,
  { payments }: Config,
): Promise<string> {
  const { applied } = await migrationStatus(datastore, migrations);
  if (!applied.includes('046-unknown-prices')) return 'none yet';
  return assertPricesKnown(datastore.db, payments.prices);
}

async function assertMailFlows({ datastore }: Platform): Promise<string> {
  const { applied } = await migrationStatus(datastore, migrations);
  if (!applied.includes('013-mail')) return 'none yet';
  const { pending = 0, sending = 0, dead = 0 } = await countMails(datastore.db);
  if (dead > 0) {
    throw new CliError(
      `${dead} emails could not be delivered. List them with GET /mail?status=dead`,
    );
  }
  return `${pending + sending} emails queued, none failed`;
}

async function tryMail(config: Config, testAddress: string | undefined): Promise<string> {
  const settings = mailSettings(config);
  const delivery = createDelivery(settings);
  try {
    const found = await delivery.verify();
    if (testAddress === undefined) return found;
    const mail = renderMail({
      language: 'en',
      subject: 'Test email from Pavis',
      parts: ['This is the test email of "pavis doctor". Email delivery works.'],
    });
    await delivery.deliver({
      ...mail,
      id: 0,
      messageId: randomUUID(),
      recipient: testAddress,
      fromName: null,
      replyTo: null,
    });
    return settings.smtpUrl
      ? 'test email accepted by the mail server'
      : `test email written to ${settings.folder}`;
  } catch (error) {
    const where = maskUrl(settings.smtpUrl ?? settings.folder);
    throw new CliError(`${where}: ${withoutSecrets((error as Error).message)}`);
  }
}
