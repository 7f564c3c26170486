import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { parsePrices } from './licensing/checkout/index.ts';
import { readEmail } from './platform/email-address.ts';
import { Refusal } from './platform/errors.ts';
import { parseAddressRanges } from './platform/http/client-address.ts';
import { parseConnectTo } from './privacy/scanner/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const SERVICES = ['licence', 'plugin'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const SECRET_MIN_BYTES = 32;

export type Config = ReturnType<typeof toConfig>;

/** The environment, over what `.env` in the working folder says. The only place that reads either. */
export function readEnvironment(folder = process.cwd()): Environment {
  const file = join(folder, '.env');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env };
}

/**
 * The settings in force, checked; touches nothing outside its argument.
 * @throws Refusal (exit 2) naming the variable, what was wrong with it and what is allowed
 */
export function toConfig(env: Environment) {
  const production = env.NODE_ENV === 'production';
  const host = text(env, 'PAVIS_HOST') ?? '127.0.0.1';
  const port = integer(env, 'PAVIS_PORT', 8787, 0, 65_535);
  const dataDir = resolve(text(env, 'PAVIS_DATA_DIR') ?? './data');
  const database = databaseUrl(env, dataDir);
  const secret = secretOf(env);
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
    services: list(env, 'PAVIS_SERVICES', SERVICES),
    /** Undefined: `http://HOST:PORT`, known once the port is. */
    baseUrl: httpUrl(env, 'PAVIS_BASE_URL'),
    restRoot: httpUrl(env, 'PAVIS_REST_ROOT'),
    /** The site that is protected; undefined: the demo site, or without it what is at this process' own origin. */
    siteUrl: httpUrl(env, 'PAVIS_SITE_URL'),
    /** The REST root of a WordPress that judges who is an administrator, see `withWordPress`. */
    wordpressUrl: wordpressUrl(env, 'PAVIS_WORDPRESS_URL'),
    /** Whom the site asks about its own licence; undefined: this process' Licence API. */
    licenceApiUrl: httpUrl(env, 'PAVIS_LICENCE_API_URL'),
    timeZone: timeZone(env, 'PAVIS_SITE_TIMEZONE'),
    /** Undefined: the site's origin. */
    allowedOrigins: origins(env, 'PAVIS_ALLOWED_ORIGINS'),
    dataDir,
    databaseUrl: database,
    /** Undefined: the one in the data folder, see `loadSecret`. */
    secret,
    mail: Object.freeze({
      /** Undefined: mails become files in the folder. */
      smtpUrl: smtpUrl(env),
      from: mailFrom(env),
      folder: join(dataDir, 'mail'),
    }),
    trustedProxies: trustedProxies(env),
    /** Paths or package names of modules, in the order in which they are loaded. */
    extensions: modulePaths(env),
    rateLimits: Object.freeze({
      validatePerMinute: limit(env, 'PAVIS_RATE_LIMIT_VALIDATE', 60),
      activatePerMinute: limit(env, 'PAVIS_RATE_LIMIT_ACTIVATE', 300),
      dsarPerMinute: limit(env, 'PAVIS_RATE_LIMIT_DSAR', 120),
      checkoutPerMinute: limit(env, 'PAVIS_RATE_LIMIT_CHECKOUT', 20),
      /** Of one e-mail address, in 15 minutes. */
      magicLinks: limit(env, 'PAVIS_RATE_LIMIT_MAGIC_LINK', 5),
    }),
    payments: payments(env, production),
    scanner: Object.freeze({
      /** A path, or `off`; undefined: one that is found. */
      chromium: chromium(env),
      connectTo: connectTo(env),
      insecure: flag(env, 'PAVIS_SCANNER_INSECURE', false),
    }),
    demo: flag(env, 'PAVIS_DEMO', !production),
    metricsToken: text(env, 'PAVIS_METRICS_TOKEN'),
    logLevel: oneOf(env, 'PAVIS_LOG_LEVEL', LOG_LEVELS, 'info'),
  });
}

/** `http://HOST:PORT`, with the brackets that an IPv6 address needs. */
export const originOf = (host: string, port: number): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** The public addresses of the two interfaces, once the port is known. */
export function addressesOf(config: Config, port = config.port) {
  const origin = originOf(config.host, port);
  return {
    baseUrl: config.baseUrl ?? origin,
    restRoot: config.restRoot ?? `${origin}/wp-json`,
    siteUrl: config.siteUrl ?? (config.demo ? `${origin}/demo` : origin),
  };
}

/** How mails go out. Without a sender of its own the site's host is named, or this machine. */
export function mailSettings(config: Config, siteUrl = addressesOf(config).siteUrl) {
  const host = new URL(siteUrl).hostname.replace(/^www\./, '');
  const isName = /[a-z]/i.test(host) && !host.includes(':');
  const from = config.mail.from ?? {
    name: '',
    address: `no-reply@${isName ? host : 'localhost'}`,
  };
  return { ...config.mail, from };
}

/**
 * The installation's secret: the setting, or the one in the data folder, made there the first time
 * (mode 0600). Two processes that start at once end up with the same.
 */
export function loadSecret(config: Config): Buffer {
  if (config.secret) return Buffer.from(config.secret);
  const file = join(config.dataDir, 'secret');
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, {
      mode: 0o600,
      flush: true,
    });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (Buffer.byteLength(secret) < SECRET_MIN_BYTES) {
    throw new Refusal(`${file} is too short to be the secret: restore it from a backup`, 2);
  }
  return Buffer.from(secret);
}

/** A URL that may be shown: without password, wherever it stands in it. */
export function maskUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || text.startsWith('sqlite:')) return text.replace(/\/\/[^/]*@/, '//***@');
  const secrets = [...url.searchParams.keys()].filter((name) =>
    /pass|key|secret|token/i.test(name),
  );
  if (!url.password && secrets.length === 0) return text;
  if (url.password) url.password = '***';
  for (const name of secrets) url.searchParams.set(name, '***');
  return url.href;
}

function refuse(name: string, wrong: string, allowed: string): never {
  throw new Refusal(`${name} ${wrong}: ${allowed}`, 2);
}

/** Set to nothing counts as not set. */
const text = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

function integer(
  env: Environment,
  name: string,
  otherwise: number,
  min: number,
  max: number,
  orOff = '',
): number {
  const value = text(env, name);
  if (value === undefined) return otherwise;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    refuse(name, `is "${value}"`, `a whole number from ${min} to ${max}${orOff} is allowed`);
  }
  return number;
}

function limit(env: Environment, name: string, otherwise: number): number | undefined {
  return text(env, name) === 'off'
    ? undefined
    : integer(env, name, otherwise, 1, 100_000, ', or off,');
}

function flag(env: Environment, name: string, otherwise: boolean): boolean {
  return oneOf(env, name, ['on', 'off'], otherwise ? 'on' : 'off') === 'on';
}

function oneOf(env: Environment, name: string, allowed: string[], otherwise: string): string {
  const value = text(env, name) ?? otherwise;
  if (!allowed.includes(value)) refuse(name, `is "${value}"`, `allowed are ${allowed.join(', ')}`);
  return value;
}

function list<T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
): readonly T[] {
  const items = text(env, name)
    ?.split(',')
    .map((item) => item.trim());
  if (!items) return allowed;
  const wrong = items.find((item) => !allowed.includes(item as T));
  if (wrong !== undefined) {
    refuse(name, `names "${wrong}"`, `a comma-separated list of ${allowed.join(', ')} is allowed`);
  }
  return items as T[];
}

function modulePaths(env: Environment): readonly string[] {
  const items = text(env, 'PAVIS_EXTENSIONS')?.split(',') ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Without a trailing slash; its path is a prefix of routes. */
function httpUrl(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const extras = url && url.search + url.hash + url.username + url.password;
  if (!url || !isHttp || extras) {
    refuse(
      name,
      `is "${maskUrl(value)}"`,
      'an http or https URL without user, query and fragment is allowed, as https://example.com/path',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** A WordPress without pretty permalinks has its REST root at `/?rest_route=/`. */
function wordpressUrl(env: Environment, name: string): string | undefined {
  const plain = /^(.+)\?rest_route=\/?$/.exec(text(env, name) ?? '')?.[1];
  return plain === undefined
    ? httpUrl(env, name)
    : `${httpUrl({ [name]: plain }, name)}/?rest_route=`;
}

function timeZone(env: Environment, name: string): string {
  const value = text(env, name) ?? 'UTC';
  if (value === 'UTC') return value;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return refuse(
      name,
      `is "${value}"`,
      'a name of the IANA time zone database is allowed, as Europe/Berlin',
    );
  }
}

function origins(env: Environment, name: string): readonly string[] | undefined {
  const items = text(env, name)
    ?.split(',')
    .map((item) => item.trim().replace(/\/$/, ''));
  const wrong = items?.find((item) => !/^https?:/.test(item) || URL.parse(item)?.origin !== item);
  if (wrong !== undefined) {
    refuse(
      name,
      `names "${maskUrl(wrong)}"`,
      'comma-separated origins are allowed, as https://example.com',
    );
  }
  return items;
}

function databaseUrl(env: Environment, dataDir: string): string {
  const value = text(env, 'PAVIS_DATABASE_URL');
  if (value === undefined) return `sqlite:${join(dataDir, 'pavis.db')}`;
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(value)?.[1];
  if (file) return `sqlite:${resolve(file)}`;
  if (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)) return value;
  return refuse(
    'PAVIS_DATABASE_URL',
    'is of no known form',
    'sqlite:/path/to/file.db or postgres://user:password@host:port/name is allowed',
  );
}

function smtpUrl(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_SMTP_URL');
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const isSmtp = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  const isDecodable = isSmtp && [url.username, url.password].every(canDecode);
  if (!isDecodable || !['', '/'].includes(url.pathname) || url.search || url.hash) {
    refuse(
      'PAVIS_SMTP_URL',
      'is of no known form',
      'smtp://user:password@host:587 or smtps://user:password@host:465 is allowed, with %-escapes in user and password',
    );
  }
  return value;
}

function canDecode(part: string): boolean {
  try {
    return decodeURIComponent(part) !== undefined;
  } catch {
    return false;
  }
}

/** Undefined: an address at the site. */
function mailFrom(env: Environment): { name: string; address: string } | undefined {
  const value = text(env, 'PAVIS_MAIL_FROM');
  if (value === undefined) return undefined;
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^<>]+)>|([^<>]+))$/.exec(value);
  const address = readEmail(parts?.[2] ?? parts?.[3] ?? '');
  if (!address || /\p{Cc}/u.test(value)) {
    return refuse(
      'PAVIS_MAIL_FROM',
      'is not a sender',
      'privacy@example.com or Example Ltd <privacy@example.com> is allowed',
    );
  }
  return { name: parts?.[1]?.trim() ?? '', address };
}

function secretOf(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_SECRET');
  if (value !== undefined && Buffer.byteLength(value) < SECRET_MIN_BYTES) {
    refuse(
      'PAVIS_SECRET',
      `has ${Buffer.byteLength(value)} bytes`,
      `at least ${SECRET_MIN_BYTES} are needed`,
    );
  }
  return value;
}

/** Where licences are paid. Half a set-up is refused: it would take money and give nothing for it. */
function payments(env: Environment, production: boolean) {
  const secretKey = text(env, 'PAVIS_STRIPE_SECRET_KEY');
  if (secretKey !== undefined && !/^[sr]k_(?:test|live)_\w+$/.test(secretKey)) {
    refuse('PAVIS_STRIPE_SECRET_KEY', 'is no secret key', 'sk_live_… or sk_test_… is allowed');
  }
  const webhookSecrets = (text(env, 'PAVIS_STRIPE_WEBHOOK_SECRET')?.split(',') ?? []).map(
    (secret) => secret.trim(),
  );
  if (webhookSecrets.some((secret) => !/^\S{8,}$/.test(secret))) {
    refuse(
      'PAVIS_STRIPE_WEBHOOK_SECRET',
      'is no signing secret',
      'whsec_… is allowed, or two of them with a comma while one takes the place of the other',
    );
  }
  const list = text(env, 'PAVIS_STRIPE_PRICES');
  const read = list === undefined ? { prices: [] } : parsePrices(list);
  if ('wrong' in read) {
    refuse(
      'PAVIS_STRIPE_PRICES',
      `names "${read.wrong}"`,
      'comma-separated TIER/INTERVAL=PRICE is allowed, each once, as pro/year=price_123,pro/month=price_456',
    );
  }
  if (secretKey !== undefined && read.prices.length === 0) {
    refuse(
      'PAVIS_STRIPE_PRICES',
      'is not set',
      'with PAVIS_STRIPE_SECRET_KEY it says what is sold, as pro/year=price_123',
    );
  }
  if (production && secretKey !== undefined && webhookSecrets.length === 0) {
    refuse(
      'PAVIS_STRIPE_WEBHOOK_SECRET',
      'is not set',
      'without it nobody who has paid would get a licence',
    );
  }
  const apiUrl = httpUrl(env, 'PAVIS_STRIPE_API_URL');
  if (apiUrl !== undefined && new URL(apiUrl).pathname !== '/') {
    refuse('PAVIS_STRIPE_API_URL', `is "${apiUrl}"`, 'a URL without a path is allowed');
  }
  return Object.freeze({
    /** Undefined: the test checkout stands in, outside production. */
    stripe: secretKey === undefined ? undefined : { secretKey, apiUrl },
    webhookSecrets,
    prices: read.prices,
    hasTestCheckout: !production,
  });
}

function trustedProxies(env: Environment) {
  const value = text(env, 'PAVIS_TRUSTED_PROXIES');
  if (value === undefined) return [];
  const ranges = parseAddressRanges(value.split(',').map((item) => item.trim()));
  if ('wrong' in ranges) {
    refuse(
      'PAVIS_TRUSTED_PROXIES',
      `names "${ranges.wrong}"`,
      'comma-separated addresses or CIDR ranges are allowed, as 10.0.0.0/8',
    );
  }
  return ranges.ranges;
}

function chromium(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_CHROMIUM');
  if (value === undefined || value === 'off') return value;
  if (!/[/\\]/.test(value)) {
    refuse(
      'PAVIS_CHROMIUM',
      `is "${value}"`,
      'the path of a Chromium is allowed, as /usr/bin/chromium, or off',
    );
  }
  return resolve(value);
}

function connectTo(env: Environment) {
  const read = parseConnectTo(text(env, 'PAVIS_SCANNER_CONNECT_TO') ?? '');
  if ('wrong' in read) {
    refuse(
      'PAVIS_SCANNER_CONNECT_TO',
      `names "${read.wrong}"`,
      'comma-separated HOST:PORT=ADDRESS:PORT is allowed, with * for any host, as *:443=127.0.0.1:8443',
    );
  }
  return read.entries;
}
