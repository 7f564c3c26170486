import { type Config, mailSettings, maskUrl, resolveAddresses } from './index.ts';

/** The settings of the environment as they are in force, by variable, secrets masked. */
export function describeConfig(config: Config, addresses = resolveAddresses(config)) {
  const { baseUrl, restRoot, siteUrl } = addresses;
  const { payments } = config;
  const limit = (perMinute: number | undefined) => perMinute ?? 'off';
  return {
    NODE_ENV: config.production ? 'production' : 'development',
    PAVIS_HOST: config.host,
    PAVIS_PORT: config.port,
    PAVIS_SERVICES: config.services.join(','),
    PAVIS_BASE_URL: baseUrl,
    PAVIS_REST_ROOT: restRoot,
    PAVIS_SITE_URL: siteUrl,
    PAVIS_WORDPRESS_URL: config.wordpressUrl ?? 'none',
    PAVIS_LICENCE_API_URL: config.licenceApiUrl ?? baseUrl,
    PAVIS_SITE_TIMEZONE: config.timeZone,
    PAVIS_ALLOWED_ORIGINS: config.allowedOrigins?.join(',') ?? new URL(siteUrl).origin,
    PAVIS_DATA_DIR: config.dataDir,
    PAVIS_DATABASE_URL: maskUrl(config.databaseUrl),
    PAVIS_SECRET: config.secret ? '***' : 'the file "secret" in the data folder',
    PAVIS_SMTP_URL: config.mail.smtpUrl
      ? maskUrl(config.mail.smtpUrl)
      : `none: mails become files in ${config.mail.folder}`,
    PAVIS_MAIL_FROM: senderOf(config),
    PAVIS_TRUSTED_PROXIES:
      config.trustedProxies.map(([address, bits]) => `${address}/${bits}`).join(',') || 'none',
    PAVIS_CHROMIUM: config.scanner.chromium ?? 'found or bundled',
    PAVIS_SCANNER_CONNECT_TO: config.scanner.connectTo.map(connectToText).join(',') || 'none',
    PAVIS_SCANNER_INSECURE: config.scanner.insecure ? 'on' : 'off',
    PAVIS_SCANNER_PAGE_MEMORY: config.scanner.pageMemory / 2 ** 20,
    PAVIS_EXTENSIONS: config.extensions.join(',') || 'none',
    PAVIS_RATE_LIMIT_VALIDATE: limit(config.rateLimits.validatePerMinute),
    PAVIS_RATE_LIMIT_ACTIVATE: limit(config.rateLimits.activatePerMinute),
    PAVIS_RATE_LIMIT_DSAR: limit(config.rateLimits.dsarPerMinute),
    PAVIS_RATE_LIMIT_CHECKOUT: limit(config.rateLimits.checkoutPerMinute),
    PAVIS_MAX_CONNECTIONS: config.connections.total,
    PAVIS_MAX_CONNECTIONS_PER_ADDRESS: limit(config.connections.perAddress),
    PAVIS_STRIPE_SECRET_KEY: stripeKey(config),
    PAVIS_STRIPE_WEBHOOK_SECRET: payments.webhookSecrets.map(() => '***').join(',') || 'none',
    PAVIS_STRIPE_PRICES:
      payments.prices.map((each) => `${each.tier}/${each.interval}=${each.price}`).join(',') ||
      'none',
    PAVIS_STRIPE_API_URL: payments.stripe?.apiUrl ?? 'that of Stripe',
    PAVIS_RATE_LIMIT_MAGIC_LINK: limit(config.rateLimits.magicLinks),
    PAVIS_DEMO: config.demo ? 'on' : 'off',
    PAVIS_HSTS_MAX_AGE: limit(config.hstsSeconds),
    PAVIS_METRICS_TOKEN: config.metricsToken ? '***' : 'none',
    PAVIS_LOG_LEVEL: config.logLevel,
  };
}

function stripeKey({ payments }: Config): string {
  if (payments.stripe) return '***';
  return payments.hasTestCheckout ? 'none: the test checkout stands in' : 'none';
}

function senderOf(config: Config): string {
  const { name, address } = mailSettings(config).from;
  return name ? `${name} <${address}>` : address;
}

function connectToText({ host, port, toHost, toPort }: Config['scanner']['connectTo'][number]) {
  const authority = (name: string, at: number | '*') =>
    `${name.includes(':') ? `[${name}]` : name}:${at}`;
  return `${authority(host, port)}=${authority(toHost, toPort)}`;
}
