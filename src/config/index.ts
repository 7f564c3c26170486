import { isIPv6 } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { apiUrl, restRoot, services } from './api-urls.ts';
import { readEnvFile } from './env-file.ts';
import {
  chromium,
  connectTo,
  countryDatabase,
  countryHeader,
  databaseDirectUrl,
  databaseUrl,
  hstsSeconds,
  listenHost,
  mailFrom,
  metricsToken,
  modulePaths,
  smtpUrl,
  trustedProxies,
  wordpressUrl,
} from './forms.ts';
import { payments } from './payments.ts';
import { readSecret } from './secret.ts';
import { readSecretFiles } from './secret-files.ts';
import { securityContacts } from './security-contact.ts';
import { singleSignOn } from './single-sign-on.ts';
import {
  dayNumbers,
  type Environment,
  flag,
  httpUrl,
  integer,
  limit,
  oneOf,
  origins,
  refuse,
  text,
  timeZone,
} from './values.ts';

export { isListenHost } from './forms.ts';
export { INSTALLATION_FILE, loadSecret, refuseFolder } from './secret.ts';
export { type Environment, maskUrl, refuse } from './values.ts';

const ENVIRONMENTS = ['production', 'development', 'test'] as const;
const SECOND_FACTOR_FOR = ['off', 'administrators', 'all'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export type Config = ReturnType<typeof toConfig>;

/** The environment, `.env` in the working folder, and the files of secrets. The only place that reads them. */
export function readEnvironment(): Environment {
  return readSecretFiles({ ...readEnvFile(resolve('.env')), ...process.env });
}

/**
 * Validates the settings.
 * @throws CliError (exit 2) naming the variable, what was wrong with it and what is allowed
 */
export function toConfig(env: Environment) {
  const production = oneOf(env, 'NODE_ENV', ENVIRONMENTS, 'development') === 'production';
  const host = listenHost(env);
  const port = integer(env, 'PAVIS_PORT', 8787, 0, 65_535);
  const dataDir = resolve(text(env, 'PAVIS_DATA_DIR') ?? './data');
  const database = databaseUrl(env, dataDir);
  const secret = readSecret(env);
  if (production && database.startsWith('postgres') && !secret) {
    refuse(
      'PAVIS_SECRET',
      'is not set',
      'in production with PostgreSQL every node needs the same one of at least 32 bytes',
    );
  }
  return Object.freeze({
    production,
    host,
    port,
    services: services(env),
    /** Undefined: `http://HOST:PORT`, known once the port is. */
    baseUrl: apiUrl(env, 'PAVIS_BASE_URL'),
    restRoot: restRoot(env),
    /** Undefined: the demo site, or without it this process's origin. */
    siteUrl: httpUrl(env, 'PAVIS_SITE_URL'),
    /** The REST root of a WordPress whose users may sign in, see `withWordPress`. */
    wordpressUrl: wordpressUrl(env, 'PAVIS_WORDPRESS_URL'),
    /** Validates the site's own licence; undefined: this process's Licence API. */
    licenceApiUrl: httpUrl(env, 'PAVIS_LICENCE_API_URL'),
    /** The provider with which users sign in; undefined without one. */
    singleSignOn: singleSignOn(env),
    /** The users who need a second factor to sign in with a password. */
    secondFactorFor: oneOf(env, 'PAVIS_REQUIRE_SECOND_FACTOR', SECOND_FACTOR_FOR, 'off'),
    timeZone: timeZone(env, 'PAVIS_SITE_TIMEZONE'),
    /** Undefined: the site's origin. */
    allowedOrigins: origins(env, 'PAVIS_ALLOWED_ORIGINS'),
    dataDir,
    databaseUrl: database,
    /** The same database without the pooler in front of it; undefined without a pooler. */
    databaseDirectUrl: databaseDirectUrl(env, database),
    /** Undefined: see `loadSecret`. */
    secret,
    mail: Object.freeze({
      /** Undefined: emails are saved as files in the folder. */
      smtpUrl: smtpUrl(env),
      from: mailFrom(env),
      folder: join(dataDir, 'mail'),
    }),
    trustedProxies: trustedProxies(env),
    /** How the country of a visitor is found; without either it is unknown. */
    country: Object.freeze({ header: countryHeader(env), database: countryDatabase(env) }),
    /** Paths or package names, in the order of loading. */
    extensions: modulePaths(env),
    rateLimits: Object.freeze({
      validatePerMinute: limit(env, 'PAVIS_RATE_LIMIT_VALIDATE', 60),
      activatePerMinute: limit(env, 'PAVIS_RATE_LIMIT_ACTIVATE', 300),
      /** Per public address. */
      consentPerMinute: limit(env, 'PAVIS_RATE_LIMIT_CONSENT', 600),
      dsarPerMinute: limit(env, 'PAVIS_RATE_LIMIT_DSAR', 120),
      checkoutPerMinute: limit(env, 'PAVIS_RATE_LIMIT_CHECKOUT', 20),
      /** Per API token. */
      adminPerMinute: limit(env, 'PAVIS_RATE_LIMIT_ADMIN', 600),
      /** Per email address, in 15 minutes. */
      magicLinks: limit(env, 'PAVIS_RATE_LIMIT_MAGIC_LINK', 5),
    }),
    /** Default and maximum number of days for which a licence lease is signed. */
    leaseDays: integer(env, 'PAVIS_LEASE_DAYS', 14, 1, 90),
    connections: Object.freeze({
      total: integer(env, 'PAVIS_MAX_CONNECTIONS', 4_096, 10, 1_000_000),
      perAddress: limit(env, 'PAVIS_MAX_CONNECTIONS_PER_ADDRESS', 256),
    }),
    payments: payments(env, production),
    scanner: Object.freeze({
      /** A path, or `off`; undefined: search for one. */
      chromium: chromium(env),
      connectTo: connectTo(env),
      insecure: flag(env, 'PAVIS_SCANNER_INSECURE', false),
      /** Bytes. */
      pageMemory: integer(env, 'PAVIS_SCANNER_PAGE_MEMORY', 1536, 256, 65_536) * 2 ** 20,
    }),
    storage: Object.freeze({
      diskWarnBytes: megabytes(limit(env, 'PAVIS_DISK_WARN_MB', 1_024)),
      databaseWarnBytes: megabytes(limit(env, 'PAVIS_DATABASE_WARN_MB', 10_240)),
    }),
    releases: Object.freeze({
      maxBytes: integer(env, 'PAVIS_RELEASE_MAX_MB', 50, 1, 1_024) * 2 ** 20,
    }),
    /** Whether witnesses of the consent log may be in private networks and on this machine. */
    privateWitnesses: flag(env, 'PAVIS_PRIVATE_WITNESSES', !production),
    /** Whether webhooks may be sent to private networks, to this machine and over http. */
    privateWebhooks: flag(env, 'PAVIS_PRIVATE_WEBHOOKS', false),
    /** How many days before the expiry of a licence `licence.expiring` is sent, descending. */
    licenceExpiringDays: dayNumbers(env, 'PAVIS_LICENCE_EXPIRING_DAYS', [30, 7, 1]),
    demo: flag(env, 'PAVIS_DEMO', !production),
    metricsToken: metricsToken(env),
    hstsSeconds: hstsSeconds(env),
    /** URIs for reports of vulnerabilities, see security.txt. */
    securityContacts: securityContacts(env),
    logLevel: oneOf(env, 'PAVIS_LOG_LEVEL', LOG_LEVELS, 'info'),
  });
}

const megabytes = (count: number | undefined): number | undefined =>
  count === undefined ? undefined : count * 2 ** 20;

/** The folders that Pavis writes to. */
export function storageFolders({ dataDir, databaseUrl: url }: Config): string[] {
  return url.startsWith('sqlite:') ? [dataDir, dirname(url.slice('sqlite:'.length))] : [dataDir];
}

export const toOrigin = (host: string, port: number): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** The public URLs. */
export function resolveAddresses(config: Config, port = config.port) {
  const origin = toOrigin(config.host, port);
  const baseUrl = config.baseUrl ?? origin;
  const restRoot = config.restRoot ?? `${origin}/wp-json`;
  return {
    baseUrl,
    restRoot,
    siteUrl: config.siteUrl ?? (config.demo ? `${origin}/demo` : origin),
    consoleUrl: toConsoleUrl(config, { baseUrl, restRoot }),
  };
}

/** The console is at the origin of the REST root, or of `PAVIS_BASE_URL` where only that is set. */
function toConsoleUrl(
  { services, ...config }: Config,
  { baseUrl, restRoot }: { baseUrl: string; restRoot: string },
): string {
  const isAtRestRoot =
    services.includes('plugin') && (config.restRoot || !services.includes('licence'));
  return `${new URL(isAtRestRoot ? restRoot : baseUrl).origin}/admin`;
}

/** The default sender is at the site's host, or at localhost. */
export function mailSettings(config: Config, siteUrl = resolveAddresses(config).siteUrl) {
  const host = new URL(siteUrl).hostname.replace(/^www\./, '');
  const isName = /[a-z]/i.test(host) && !host.includes(':');
  const from = config.mail.from ?? {
    name: '',
    address: `no-reply@${isName ? host : 'localhost'}`,
  };
  return { ...config.mail, from };
}
