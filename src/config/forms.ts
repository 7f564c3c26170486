import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { readEmail } from '../platform/email-address.ts';
import { parseAddressRanges } from '../platform/http/client-address.ts';
import { parseConnectTo } from '../privacy/scanner/index.ts';
import { type Environment, httpUrl, integer, items, refuse, text } from './values.ts';

/** Or an IPv4 address. */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;
const METRICS_TOKEN = /^[A-Za-z0-9\-._~+/=]{16,256}$/;

/** Whether a server could listen on it: an IP address or a host name. */
export function isListenHost(value: string): boolean {
  const inUrl = isIPv6(value) ? `[${value}]` : HOST_NAME.exec(value)?.[0];
  return inUrl !== undefined && URL.canParse(`http://${inUrl}`);
}

/** An IPv6 address is without brackets, as the socket API takes it. */
export function listenHost(env: Environment): string {
  const value = text(env, 'PAVIS_HOST') ?? '127.0.0.1';
  if (!isListenHost(value)) {
    refuse(
      'PAVIS_HOST',
      `is "${value}"`,
      'an IP address or a host name is allowed, for example 127.0.0.1, 0.0.0.0 or ::1',
    );
  }
  return value;
}

export function databaseUrl(env: Environment, dataDir: string): string {
  const value = text(env, 'PAVIS_DATABASE_URL');
  if (value === undefined) {
    const usual = join(dataDir, 'pavis.db');
    if (isFolder(usual))
      refuse(
        'PAVIS_DATA_DIR',
        `has a folder ${usual}`,
        'a file is needed there: move the folder away',
      );
    return `sqlite:${usual}`;
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(value)?.[1];
  if (file) return `sqlite:${assertNoFolder(resolve(file))}`;
  if (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)) return value;
  return refuse(
    'PAVIS_DATABASE_URL',
    'is of no known form',
    'sqlite:/path/to/file.db or postgres://user:password@host:port/name is allowed',
  );
}

/** Only a folder exists with a slash at its end. */
const isFolder = (path: string): boolean => existsSync(join(path, '/'));

function assertNoFolder(file: string): string {
  if (!isFolder(file)) return file;
  return refuse(
    'PAVIS_DATABASE_URL',
    `names the folder ${file}`,
    `a file is needed, for example sqlite:${join(file, 'pavis.db')}`,
  );
}

/** For what a pooler in front of `database` does not pass on. */
export function databaseDirectUrl(env: Environment, database: string): string | undefined {
  const name = 'PAVIS_DATABASE_DIRECT_URL';
  const value = text(env, name);
  if (value === undefined) return undefined;
  if (!/^postgres(?:ql)?:\/\//.test(value) || !URL.canParse(value)) {
    refuse(name, 'is of no known form', 'postgres://user:password@host:port/name is allowed');
  }
  if (!database.startsWith('postgres')) {
    refuse(name, 'needs a pooler', 'set PAVIS_DATABASE_URL to the postgres:// URL of the pooler');
  }
  return value;
}

export const modulePaths = (env: Environment): readonly string[] =>
  (items(env, 'PAVIS_EXTENSIONS') ?? []).filter((item) => item !== '');

/** A WordPress without pretty permalinks has its REST root at `/?rest_route=/`. */
export function wordpressUrl(env: Environment, name: string): string | undefined {
  const plain = /^(.+)\?rest_route=\/?$/.exec(text(env, name) ?? '')?.[1];
  return plain === undefined
    ? httpUrl(env, name)
    : `${httpUrl({ [name]: plain }, name)}/?rest_route=`;
}

export function smtpUrl(env: Environment): string | undefined {
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

/** Undefined: an address of the site's host. */
export function mailFrom(env: Environment): { name: string; address: string } | undefined {
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

export function trustedProxies(env: Environment) {
  const ranges = parseAddressRanges(items(env, 'PAVIS_TRUSTED_PROXIES') ?? []);
  if ('wrong' in ranges) {
    refuse(
      'PAVIS_TRUSTED_PROXIES',
      `names "${ranges.wrong}"`,
      `${ranges.why}. Comma-separated addresses or CIDR ranges of at most an IPv4 /8 or an IPv6 /7 are allowed, for example 10.0.0.0/8`,
    );
  }
  return ranges.ranges;
}

/** A header name (RFC 9110 §5.1), in lower case as Node has it. It is believed from trusted proxies only. */
export function countryHeader(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_COUNTRY_HEADER');
  if (value === undefined) return undefined;
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(value)) {
    refuse(
      'PAVIS_COUNTRY_HEADER',
      `is "${value}"`,
      'the name of a header is allowed, for example CF-IPCountry',
    );
  }
  if (text(env, 'PAVIS_TRUSTED_PROXIES') === undefined) {
    refuse(
      'PAVIS_COUNTRY_HEADER',
      'is set without PAVIS_TRUSTED_PROXIES',
      'set the addresses of the proxies that send the header, because everybody can send it',
    );
  }
  return value.toLowerCase();
}

export function countryDatabase(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_COUNTRY_DATABASE');
  return value === undefined ? undefined : resolve(value);
}

/** A bearer token (RFC 6750 §2.1). */
export function metricsToken(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_METRICS_TOKEN');
  if (value !== undefined && !METRICS_TOKEN.test(value)) {
    refuse(
      'PAVIS_METRICS_TOKEN',
      'is no usable token',
      '16 to 256 letters, digits and characters of -._~+/= are allowed',
    );
  }
  return value;
}

/** Seconds (RFC 6797 §6.1.1); undefined: off, because HSTS applies to everything under the host name. */
export function hstsSeconds(env: Environment): number | undefined {
  const seconds =
    (text(env, 'PAVIS_HSTS_MAX_AGE') ?? 'off') === 'off'
      ? undefined
      : integer(env, 'PAVIS_HSTS_MAX_AGE', 0, 0, 63_072_000, ', or off,');
  const isHttps = ['PAVIS_BASE_URL', 'PAVIS_REST_ROOT'].some(
    (name) => httpUrl(env, name)?.startsWith('https:') ?? false,
  );
  if (seconds !== undefined && !isHttps) {
    refuse(
      'PAVIS_HSTS_MAX_AGE',
      'is set without an https address',
      'set PAVIS_BASE_URL or PAVIS_REST_ROOT to an https URL, or leave it off',
    );
  }
  return seconds;
}

export function chromium(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_CHROMIUM');
  if (value === undefined || value === 'off') return value;
  if (!/[/\\]/.test(value)) {
    refuse(
      'PAVIS_CHROMIUM',
      `is "${value}"`,
      'the path of a Chromium is allowed, for example /usr/bin/chromium, or off',
    );
  }
  return resolve(value);
}

export function connectTo(env: Environment) {
  const read = parseConnectTo(text(env, 'PAVIS_SCANNER_CONNECT_TO') ?? '');
  if ('wrong' in read) {
    refuse(
      'PAVIS_SCANNER_CONNECT_TO',
      `names "${read.wrong}"`,
      'comma-separated HOST:PORT=ADDRESS:PORT is allowed, with * for any host, for example *:443=127.0.0.1:8443',
    );
  }
  return read.entries;
}
