import { formatPriceName } from '../licensing/checkout/index.ts';
import { type Config, mailSettings, maskUrl, resolveAddresses } from './index.ts';

/** The current settings by environment variable, with secrets masked. */
export function describeConfig(config: Config, addresses = resolveAddresses(config)) {
  const { baseUrl, restRoot, siteUrl } = addresses;
  const { payments } = config;
  const limit = (value: number | undefined) => value ?? 'off';
  return {
    NODE_ENV: config.production ? 'production' : 'development',
    PAVIS_HOST: config.host,
    PAVIS_PORT: config.port,
    PAVIS_SERVICES: config.services.join(','),
    PAVIS_BASE_URL: baseUrl,
    PAVIS_REST_ROOT: restRoot,
    PAVIS_SITE_URL: siteUrl,
    PAVIS_WORDPRESS_URL: config.wordpressUrl ?? 'none',
    PAVIS_OIDC_ISSUER: config.singleSignOn?.issuer ?? 'none',
    PAVIS_OIDC_CLIENT_ID: config.singleSignOn?.clientId ?? 'none',
    PAVIS_OIDC_CLIENT_SECRET: config.singleSignOn?.clientSecret ? '***' : 'none',
    PAVIS_OIDC_NAME: config.singleSignOn?.name ?? 'none',
    PAVIS_OIDC_ROLE_CLAIM: config.singleSignOn?.roleClaim ?? 'none',
    PAVIS_OIDC_ROLES:
      config.singleSignOn?.roles?.map(([value, role]) => `${value}:${role}`).join(',') ?? 'none',
    PAVIS_REQUIRE_SECOND_FACTOR: config.secondFactorFor,
    PAVIS_LICENCE_API_URL: config.licenceApiUrl ?? baseUrl,
    PAVIS_SITE_TIMEZONE: config.timeZone,
    PAVIS_ALLOWED_ORIGINS: config.allowedOrigins?.join(',') ?? new URL(siteUrl).origin,
    PAVIS_DATA_DIR: config.dataDir,
    PAVIS_DATABASE_URL: maskUrl(config.databaseUrl),
    PAVIS_DATABASE_DIRECT_URL: config.databaseDirectUrl
      ? maskUrl(config.databaseDirectUrl)
      : 'none: there is no pooler',
    PAVIS_SECRET: config.secret ? '***' : 'the file "secret" in the data folder',
    PAVIS_SMTP_URL: config.mail.smtpUrl
      ? maskUrl(config.mail.smtpUrl)
      : `none: emails are saved as files in ${config.mail.folder}`,
    PAVIS_MAIL_FROM: formatSender(config),
    PAVIS_TRUSTED_PROXIES:
      config.trustedProxies.map(([address, bits]) => `${address}/${bits}`).join(',') || 'none',
    PAVIS_COUNTRY_HEADER: config.country.header ?? 'none',
    PAVIS_COUNTRY_DATABASE: config.country.database ?? 'none',
    PAVIS_CHROMIUM: config.scanner.chromium ?? 'found or bundled',
    PAVIS_SCANNER_CONNECT_TO: config.scanner.connectTo.map(formatConnectTo).join(',') || 'none',
    PAVIS_SCANNER_INSECURE: config.scanner.insecure ? 'on' : 'off',
    PAVIS_SCANNER_PAGE_MEMORY: toMegabytes(config.scanner.pageMemory),
    PAVIS_EXTENSIONS: config.extensions.join(',') || 'none',
    PAVIS_RATE_LIMIT_VALIDATE: limit(config.rateLimits.validatePerMinute),
    PAVIS_RATE_LIMIT_ACTIVATE: limit(config.rateLimits.activatePerMinute),
    PAVIS_RATE_LIMIT_CONSENT: limit(config.rateLimits.consentPerMinute),
    PAVIS_RATE_LIMIT_DSAR: limit(config.rateLimits.dsarPerMinute),
    PAVIS_RATE_LIMIT_CHECKOUT: limit(config.rateLimits.checkoutPerMinute),
    PAVIS_RATE_LIMIT_ADMIN: limit(config.rateLimits.adminPerMinute),
    PAVIS_LEASE_DAYS: config.leaseDays,
    PAVIS_MAX_CONNECTIONS: config.connections.total,
    PAVIS_MAX_CONNECTIONS_PER_ADDRESS: limit(config.connections.perAddress),
    PAVIS_STRIPE_SECRET_KEY: describeStripeKey(config),
    PAVIS_STRIPE_WEBHOOK_SECRET: payments.webhookSecrets.map(() => '***').join(',') || 'none',
    PAVIS_STRIPE_PRICES:
      payments.prices.map((each) => `${formatPriceName(each)}=${each.price}`).join(',') || 'none',
    PAVIS_STRIPE_TAX: payments.stripe?.hasTax ? 'on' : 'off',
    PAVIS_STRIPE_API_URL: payments.stripe?.apiUrl ?? 'https://api.stripe.com',
    PAVIS_RATE_LIMIT_MAGIC_LINK: limit(config.rateLimits.magicLinks),
    PAVIS_DISK_WARN_MB: limit(toMegabytes(config.storage.diskWarnBytes)),
    PAVIS_DATABASE_WARN_MB: limit(toMegabytes(config.storage.databaseWarnBytes)),
    PAVIS_RELEASE_MAX_MB: toMegabytes(config.releases.maxBytes),
    PAVIS_PRIVATE_WITNESSES: config.privateWitnesses ? 'on' : 'off',
    PAVIS_PRIVATE_WEBHOOKS: config.privateWebhooks ? 'on' : 'off',
    PAVIS_LICENCE_EXPIRING_DAYS: config.licenceExpiringDays.join(','),
    PAVIS_DEMO: config.demo ? 'on' : 'off',
    PAVIS_HSTS_MAX_AGE: limit(config.hstsSeconds),
    PAVIS_SECURITY_CONTACT: config.securityContacts.join(',') || 'none',
    PAVIS_METRICS_TOKEN: config.metricsToken ? '***' : 'none',
    PAVIS_LOG_LEVEL: config.logLevel,
  };
}

function describeStripeKey({ payments }: Config): string {
  if (payments.stripe) return '***';
  return payments.hasTestCheckout ? 'none: the test checkout is used' : 'none';
}

function formatSender(config: Config): string {
  const { name, address } = mailSettings(config).from;
  return name ? `${name} <${address}>` : address;
}

function formatConnectTo({ host, port, toHost, toPort }: Config['scanner']['connectTo'][number]) {
  const authority = (name: string, at: number | '*') =>
    `${name.includes(':') ? `[${name}]` : name}:${at}`;
  return `${authority(host, port)}=${authority(toHost, toPort)}`;
}

function toMegabytes(bytes: number): number;
function toMegabytes(bytes: number | undefined): number | undefined;
function toMegabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 2 ** 20;
}
