import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Config,
  loadSecret,
  mailSettings,
  maskUrl,
  resolveAddresses,
} from '../../config/index.ts';
import { VERSION } from '../../config/version.ts';
import { HOOK_CATALOGUE } from '../../extensions/catalogue.ts';
import { listMissingExtensions, loadExtensions } from '../../extensions/loading.ts';
import { createDelivery, renderMail } from '../../mail/index.ts';
import { createExtensionRegistry } from '../../modules/platform.ts';
import { CliError } from '../../platform/errors.ts';
import { Hooks } from '../../platform/hooks/hooks.ts';
import { openCountryFinder } from '../../platform/http/client-country.ts';
import { createLogger, withoutSecrets } from '../../platform/log.ts';
import { checkBrowser, checkSite } from '../../privacy/scanner/index.ts';

/** In production keys, passwords and sessions need HTTPS. */
export function checkAddresses(config: Config): string {
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

/** A contact is not required, so this is not an error. */
export const describeSecurityContacts = ({ securityContacts }: Config): string =>
  securityContacts.length === 0
    ? 'none: set PAVIS_SECURITY_CONTACT to serve /.well-known/security.txt'
    : `${securityContacts.join(', ')} (/.well-known/security.txt)`;

/** In a container, root is the root of the machine, unless it is mapped to another user (user_namespaces(7)). */
export function checkContainerUser(uidMap = readFileSync('/proc/self/uid_map', 'utf8')): string {
  const uid = process.getuid?.();
  if (uid === 0 && /^\s*0\s+0\s/m.test(uidMap)) {
    throw new CliError(
      'Pavis runs as root: start the container without --user and "user:", so that it runs as user 1000, and give the data folder to that user (chown -R 1000:1000)',
    );
  }
  return `${uid}, in a container`;
}

export function loadCheckedSecret(config: Config): Buffer {
  const secret = loadSecret(config);
  const file = join(config.dataDir, 'secret');
  if (!config.secret && existsSync(file) && (statSync(file).mode & 0o077) !== 0) {
    throw new CliError(`${file} is readable by others. Run: chmod 600 ${file}`);
  }
  return secret;
}

/** Loads the extensions as the server does, which starts without those that fail. */
export async function checkExtensions({ extensions }: Config): Promise<string> {
  const missing = listMissingExtensions(extensions);
  if (missing.length > 0) {
    throw new CliError(
      `cannot find ${missing.join(', ')}: check PAVIS_EXTENSIONS. Relative paths and packages are searched from ${process.cwd()}`,
    );
  }
  const log = await createLogger('silent');
  const hooks = new Hooks(log, HOOK_CATALOGUE);
  const registry = createExtensionRegistry(log);
  const { problems } = await loadExtensions(extensions, { hooks, registry, log });
  if (problems.length === 0) return extensions.join(', ');
  const named = problems.map(({ extension, message }) => `${extension}: ${message}`).join('; ');
  throw new CliError(`${named}. Correct the extension, or remove it from PAVIS_EXTENSIONS`);
}

/** The server does not start without it. */
export async function checkCountryDatabase({ country, trustedProxies }: Config): Promise<string> {
  await openCountryFinder(country, trustedProxies);
  return `${country.database} readable`;
}

/** Scans work without a browser, so only a configured one must start. */
export async function describeBrowser({ scanner, dataDir }: Config): Promise<string> {
  const { chromium, insecure } = scanner;
  if (chromium === 'off') return 'off: the scanner reads HTML without a browser';
  const log = await createLogger('silent');
  const found = await checkBrowser({ chromium, insecure, dataDir }, log);
  const isFound = 'name' in found;
  const used = isFound
    ? `${found.name}${found.sandbox ? '' : ', without its sandbox'}`
    : `not found: the scanner reads HTML and does not run scripts${found.reason ? `. ${found.reason}` : ''}`;
  if (chromium !== undefined && !(isFound && found.name.endsWith('configured'))) {
    throw new CliError(
      `${chromium} does not start; in its place: ${used}. Correct PAVIS_CHROMIUM, or remove it`,
    );
  }
  return used;
}

/**
 * Runs the check of another server.
 * @param setting that has its address
 * @throws CliError that says what to do
 */
export async function orCheckSetting<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = (error as Error).message.replace(/\.$/, '');
    throw new CliError(
      `${problem}. Check ${setting}, and whether this machine may connect to the server`,
    );
  }
}

/** The site may be this server itself, which need not be running. */
export async function describeSite(config: Config): Promise<string> {
  const addresses = resolveAddresses(config);
  const { siteUrl } = addresses;
  const settings = {
    ...config.scanner,
    addresses: () => addresses,
    connectTo: () => config.scanner.connectTo,
  };
  const log = await createLogger('silent');
  const check = async () => {
    await checkSite({ ...settings, dataDir: config.dataDir, version: VERSION }, siteUrl, log);
    return `${siteUrl} reachable`;
  };
  if (config.siteUrl !== undefined) return orCheckSetting('PAVIS_SITE_URL', check);
  return check().catch(() => `${siteUrl} is this server, which is not running`);
}

/** @param testAddress to send a test email to */
export async function checkMail(config: Config, testAddress: string | undefined): Promise<string> {
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
    const recipient = { recipient: testAddress, fromName: null, replyTo: null };
    await delivery.deliver({ ...mail, ...recipient, id: 0, messageId: randomUUID() });
    return settings.smtpUrl
      ? 'test email accepted by the mail server'
      : `test email written to ${settings.folder}`;
  } catch (error) {
    const where = maskUrl(settings.smtpUrl ?? settings.folder);
    const advice = settings.smtpUrl
      ? '. Check PAVIS_SMTP_URL, and whether this machine may connect to the mail server'
      : '';
    throw new CliError(`${where}: ${withoutSecrets((error as Error).message)}${advice}`);
  }
}
