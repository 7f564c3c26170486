import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CliError } from '../platform/errors.ts';
import { mailSettings, resolveAddresses, toConfig } from './index.ts';

function refusalOf(env: Record<string, string>): CliError {
  try {
    toConfig(env);
  } catch (error) {
    if (error instanceof CliError) return error;
  }
  throw new Error('it was not refused');
}

const [BASE, ROOT] = ['https://licences.example.com', 'https://privacy.example.com'];

const OIDC = {
  PAVIS_OIDC_ISSUER: 'https://login.example.com/o/pavis/',
  PAVIS_OIDC_CLIENT_ID: 'pavis',
};

describe('The settings', () => {
  it('have a default each: a server for trying out on this machine', () => {
    const config = toConfig({});
    expect(config).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 8787,
      services: ['licence', 'plugin'],
      dataDir: resolve('data'),
      databaseUrl: `sqlite:${resolve('data/pavis.db')}`,
      extensions: [],
      rateLimits: {
        validatePerMinute: 60,
        activatePerMinute: 300,
        dsarPerMinute: 120,
        checkoutPerMinute: 20,
        adminPerMinute: 600,
        magicLinks: 5,
      },
      connections: { total: 4096, perAddress: 256 },
      payments: { stripe: undefined, webhookSecrets: [], prices: [], hasTestCheckout: true },
      mail: { smtpUrl: undefined, from: undefined, folder: resolve('data/mail') },
      scanner: {
        chromium: undefined,
        connectTo: [],
        insecure: false,
        pageMemory: 1_536 * 1_048_576,
      },
      privateWitnesses: true,
      secondFactorFor: 'off',
      demo: true,
      logLevel: 'info',
    });
    expect(resolveAddresses(config)).toEqual({
      baseUrl: 'http://127.0.0.1:8787',
      restRoot: 'http://127.0.0.1:8787/wp-json',
      siteUrl: 'http://127.0.0.1:8787/demo',
      consoleUrl: 'http://127.0.0.1:8787/admin',
    });
  });

  it('say who needs a second factor, and refuse anything else', () => {
    const name = 'PAVIS_REQUIRE_SECOND_FACTOR';
    expect(toConfig({ [name]: 'administrators' }).secondFactorFor).toBe('administrators');
    const { message, exitCode } = refusalOf({ [name]: 'on' });
    expect([message, exitCode]).toEqual([
      `${name} is "on": allowed are off, administrators, all`,
      2,
    ]);
  });

  it('take IP addresses and host names to listen on', () => {
    for (const host of ['0.0.0.0', '::', 'localhost', 'app_1.internal']) {
      expect(toConfig({ PAVIS_HOST: host }).host).toBe(host);
    }
  });

  it('count as not set when they are empty', () => {
    expect(toConfig({ PAVIS_PORT: '', PAVIS_BASE_URL: ' ' })).toEqual(toConfig({}));
  });

  it('switch the demo off in production, unless it is asked for', () => {
    expect(toConfig({ NODE_ENV: 'production' }).demo).toBe(false);
    // As "set NODE_ENV=production && pavis" of Windows sets it.
    expect(toConfig({ NODE_ENV: 'production ' }).demo).toBe(false);
    expect(toConfig({ NODE_ENV: 'production', PAVIS_DEMO: 'on' }).demo).toBe(true);
  });

  it('keep the path of a public address and drop its trailing slash', () => {
    const config = toConfig({ PAVIS_BASE_URL: 'https://api.example.com/v1/', PAVIS_HOST: '::1' });
    expect(resolveAddresses(config)).toEqual({
      baseUrl: 'https://api.example.com/v1',
      restRoot: 'http://[::1]:8787/wp-json',
      siteUrl: 'http://[::1]:8787/demo',
      consoleUrl: 'https://api.example.com/admin',
    });
  });

  it.each([
    [{ PAVIS_BASE_URL: BASE }, BASE],
    [{ PAVIS_REST_ROOT: `${ROOT}/wp-json` }, ROOT],
    [{ PAVIS_BASE_URL: BASE, PAVIS_REST_ROOT: `${ROOT}/wp-json` }, ROOT],
    [{ PAVIS_BASE_URL: BASE, PAVIS_SERVICES: 'plugin' }, 'http://127.0.0.1:8787'],
  ])(
    'have the console at the REST root, or at the base URL where only that is set: %o',
    (env, origin) => {
      expect(resolveAddresses(toConfig(env)).consoleUrl).toBe(`${origin}/admin`);
    },
  );

  it('turn contacts for reports of vulnerabilities into URIs', () => {
    const contacts = (value: string) =>
      toConfig({ PAVIS_SECURITY_CONTACT: value }).securityContacts;
    expect(toConfig({}).securityContacts).toEqual([]);
    expect(contacts('Security@Example.com, mailto:a+b@example.com')).toEqual([
      'mailto:security@example.com',
      'mailto:a+b@example.com',
    ]);
    expect(contacts('https://example.com/report, j%?&ö@example.com')).toEqual([
      'https://example.com/report',
      'mailto:j%25%3F%26%C3%B6@example.com',
    ]);
    for (const wrong of [
      'http://example.com',
      'https://a:b@example.com',
      'nobody',
      'mailto:',
      'mailto:a@example.com?subject=x',
      'tel:+1',
      'a@example.com,',
      'a@example.com\nPolicy: https://evil.example',
    ]) {
      expect(refusalOf({ PAVIS_SECURITY_CONTACT: wrong }).message).toMatch(
        /^PAVIS_SECURITY_CONTACT names ".*": comma-separated email addresses and https URLs/s,
      );
    }
  });

  it('keeps the issuer of an OpenID Connect provider as it is spelled, and maps roles', () => {
    expect(toConfig({}).singleSignOn).toBeUndefined();
    expect(toConfig({ ...OIDC, PAVIS_OIDC_ROLES: 'a:b:editor, c:viewer' }).singleSignOn).toEqual({
      issuer: 'https://login.example.com/o/pavis/',
      clientId: 'pavis',
      clientSecret: undefined,
      name: 'single sign-on',
      roleClaim: 'groups',
      roles: [
        ['a:b', 'editor'],
        ['c', 'viewer'],
      ],
    });
  });

  it('take the REST root of a WordPress with pretty permalinks and with plain ones', () => {
    const read = (url: string) => toConfig({ PAVIS_WORDPRESS_URL: url }).wordpressUrl;
    expect(toConfig({}).wordpressUrl).toBeUndefined();
    expect(read('https://example.com/wp-json/')).toBe('https://example.com/wp-json');
    expect(read('http://[::1]:8080/blog/?rest_route=/')).toBe(
      'http://[::1]:8080/blog/?rest_route=',
    );
  });

  it('take relative and absolute paths of SQLite, in each of its spellings', () => {
    expect(toConfig({ PAVIS_DATABASE_URL: 'sqlite:/var/a.db' }).databaseUrl).toBe(
      'sqlite:/var/a.db',
    );
    expect(toConfig({ PAVIS_DATABASE_URL: 'sqlite:///var/a.db' }).databaseUrl).toBe(
      'sqlite:/var/a.db',
    );
    expect(toConfig({ PAVIS_DATABASE_URL: 'sqlite:a.db' }).databaseUrl).toBe(
      `sqlite:${resolve('a.db')}`,
    );
  });

  it('take the direct URL of a database only beside that of its pooler', () => {
    const pooler = { PAVIS_DATABASE_URL: 'postgres://a@pooler/pavis' };
    const direct = 'postgres://a@leader/pavis';
    const read = (env: Record<string, string>) => toConfig(env).databaseDirectUrl;
    expect(read(pooler)).toBeUndefined();
    expect(read({ ...pooler, PAVIS_DATABASE_DIRECT_URL: direct })).toBe(direct);
    const refused = [
      refusalOf({ PAVIS_DATABASE_DIRECT_URL: direct }),
      refusalOf({ ...pooler, PAVIS_DATABASE_DIRECT_URL: 'leader/pavis' }),
    ];
    for (const { message, exitCode } of refused) {
      expect([message, exitCode]).toEqual([expect.stringContaining('postgres://'), 2]);
      expect(message).toContain('PAVIS_DATABASE_DIRECT_URL');
    }
  });

  it('take extensions as a list, in its order', () => {
    const config = toConfig({ PAVIS_EXTENSIONS: './b.js, /opt/a.mjs ,@acme/pavis-crm,' });
    expect(config.extensions).toEqual(['./b.js', '/opt/a.mjs', '@acme/pavis-crm']);
  });

  it('take how the scanner gets to the site, and with what', () => {
    const { scanner } = toConfig({
      PAVIS_CHROMIUM: '/usr/bin/chromium',
      PAVIS_SCANNER_CONNECT_TO: '*:443=127.0.0.1:8443, shop.example:80=[::1]:8080',
      PAVIS_SCANNER_INSECURE: 'on',
      PAVIS_SCANNER_PAGE_MEMORY: '600',
    });
    expect(scanner).toEqual({
      chromium: '/usr/bin/chromium',
      connectTo: [
        { host: '*', port: 443, toHost: '127.0.0.1', toPort: 8443 },
        { host: 'shop.example', port: 80, toHost: '::1', toPort: 8080 },
      ],
      insecure: true,
      pageMemory: 629_145_600,
    });
    expect(toConfig({ PAVIS_CHROMIUM: 'off' }).scanner.chromium).toBe('off');
  });

  it('take where licences are paid, and two signing secrets while one replaces the other', () => {
    const { payments } = toConfig({
      NODE_ENV: 'production',
      PAVIS_STRIPE_SECRET_KEY: 'rk_live_x',
      PAVIS_STRIPE_WEBHOOK_SECRET: 'whsec_one, whsec_two',
      PAVIS_STRIPE_PRICES: 'pro/year=price_1,pro/month=price_2',
      PAVIS_STRIPE_API_URL: 'http://127.0.0.1:12111/',
      PAVIS_STRIPE_TAX: 'on',
    });
    expect(payments).toEqual({
      stripe: { secretKey: 'rk_live_x', apiUrl: 'http://127.0.0.1:12111', hasTax: true },
      webhookSecrets: ['whsec_one', 'whsec_two'],
      prices: [
        { tier: 'pro', interval: 'year', price: 'price_1' },
        { tier: 'pro', interval: 'month', price: 'price_2' },
      ],
      hasTestCheckout: false,
    });
  });

  it.each([
    [{ PAVIS_STRIPE_SECRET_KEY: 'pk_live_x' }, /^PAVIS_STRIPE_SECRET_KEY is no secret key: /],
    [{ PAVIS_STRIPE_PRICES: 'pro=price_1' }, /^PAVIS_STRIPE_PRICES names "pro=price_1": /],
    [{ PAVIS_STRIPE_WEBHOOK_SECRET: 'whsec_one,' }, /^PAVIS_STRIPE_WEBHOOK_SECRET is no signing/],
    [{ PAVIS_STRIPE_TAX: 'yes' }, /^PAVIS_STRIPE_TAX is "yes": allowed are on, off/],
    [{ PAVIS_STRIPE_API_URL: 'http://x/v1' }, /^PAVIS_STRIPE_API_URL is "http:\/\/x\/v1": /],
    [
      {
        NODE_ENV: 'production',
        PAVIS_STRIPE_SECRET_KEY: 'sk_live_x',
        PAVIS_STRIPE_PRICES: 'pro/year=price_1',
      },
      /^PAVIS_STRIPE_WEBHOOK_SECRET is not set: /,
    ],
    [{ PAVIS_RATE_LIMIT_CHECKOUT: '0' }, /^PAVIS_RATE_LIMIT_CHECKOUT is "0": /],
  ])('refuse half a shop: %o', (env: Record<string, string>, message) => {
    expect(() => toConfig(env)).toThrow(message);
  });

  it.each([
    [
      { PAVIS_HOST: 'a b' },
      'PAVIS_HOST is "a b": an IP address or a host name is allowed, for example 127.0.0.1, 0.0.0.0 or ::1',
    ],
    [{ PAVIS_HOST: '127.0.0.1:80' }, /^PAVIS_HOST is "127.0.0.1:80": an IP address/],
    [{ PAVIS_HOST: '256.0.0.1' }, /^PAVIS_HOST is "256.0.0.1": an IP address/],
    [{ PAVIS_HOST: '[::1]' }, /^PAVIS_HOST is "\[::1\]": an IP address/],
    [{ PAVIS_HOST: 'http://localhost' }, /^PAVIS_HOST is "http:\/\/localhost": an IP address/],
    [{ PAVIS_PORT: 'abc' }, 'PAVIS_PORT is "abc": a whole number from 0 to 65535 is allowed'],
    [{ PAVIS_PORT: '65536' }, 'PAVIS_PORT is "65536": a whole number from 0 to 65535 is allowed'],
    [{ PAVIS_PORT: '-1' }, 'PAVIS_PORT is "-1": a whole number from 0 to 65535 is allowed'],
    [{ PAVIS_PORT: '80.5' }, 'PAVIS_PORT is "80.5": a whole number from 0 to 65535 is allowed'],
    [
      { PAVIS_SERVICES: 'licence,shop' },
      'PAVIS_SERVICES names "shop": a comma-separated list of licence, plugin is allowed',
    ],
    [
      { PAVIS_BASE_URL: 'ftp://example.com' },
      /^PAVIS_BASE_URL is "ftp:\/\/example.com": an http or https URL/,
    ],
    [{ PAVIS_REST_ROOT: 'https://u:p@example.com' }, /^PAVIS_REST_ROOT is /],
    [{ PAVIS_BASE_URL: 'https://example.com?x' }, /^PAVIS_BASE_URL is /],
    [{ PAVIS_BASE_URL: 'https://example.com/a:b/*x' }, /^PAVIS_BASE_URL is "[^"]+": between the /],
    [{ PAVIS_BASE_URL: 'https://example.com/a//b' }, /^PAVIS_BASE_URL is "[^"]+": between the /],
    [{ PAVIS_REST_ROOT: 'https://example.com/wp json/ü' }, /^PAVIS_REST_ROOT is "[^"]+": between/],
    [
      { PAVIS_REST_ROOT: 'https://example.com/' },
      'PAVIS_REST_ROOT is "https://example.com": a URL with a path is needed, for example https://example.com/wp-json',
    ],
    [
      { PAVIS_BASE_URL: 'https://example.com/index.php/wp-json' },
      'PAVIS_BASE_URL is "https://example.com/index.php/wp-json": leave out /index.php: https://example.com/wp-json',
    ],
    [
      { PAVIS_BASE_URL: 'https://example.com/admin' },
      'PAVIS_BASE_URL is "https://example.com/admin": Pavis serves something else at /admin: set another path, for example https://example.com/path',
    ],
    [{ PAVIS_REST_ROOT: 'https://example.com/docs/' }, /serves something else at \/docs: set/],
    [
      { PAVIS_SERVICES: 'licence', PAVIS_BASE_URL: 'https://example.com/wp-admin' },
      /serves something else at \/wp-admin: set/,
    ],
    [
      { PAVIS_SERVICES: 'licence', PAVIS_BASE_URL: 'https://example.com/account' },
      /serves something else at \/account: set/,
    ],
    [
      { PAVIS_DATABASE_URL: `sqlite:${tmpdir()}` },
      `PAVIS_DATABASE_URL names the folder ${tmpdir()}: a file is needed, for example sqlite:${tmpdir()}/pavis.db`,
    ],
    [
      { PAVIS_DATABASE_URL: 'mysql://root:secret@db/x' },
      /^PAVIS_DATABASE_URL is of no known form: sqlite:/,
    ],
    [{ PAVIS_SECRET: 'short' }, 'PAVIS_SECRET has 5 bytes: at least 32 are needed'],
    [{ PAVIS_TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /^PAVIS_TRUSTED_PROXIES names "proxy": /],
    [{ PAVIS_COUNTRY_HEADER: 'cf country' }, /^PAVIS_COUNTRY_HEADER is "cf country": the name of /],
    [
      { PAVIS_COUNTRY_HEADER: 'CF-IPCountry' },
      /^PAVIS_COUNTRY_HEADER is set without PAVIS_TRUSTED_PROXIES: /,
    ],
    [{ PAVIS_RATE_LIMIT_VALIDATE: '0' }, /^PAVIS_RATE_LIMIT_VALIDATE is "0": /],
    [
      { PAVIS_ALLOWED_ORIGINS: 'https://a.example.com, b.example.com' },
      /^PAVIS_ALLOWED_ORIGINS names "b.example.com": /,
    ],
    [{ PAVIS_ALLOWED_ORIGINS: 'https://a.example.com/path' }, /^PAVIS_ALLOWED_ORIGINS names /],
    [
      { PAVIS_ALLOWED_ORIGINS: 'https://*.example.com' },
      /^PAVIS_ALLOWED_ORIGINS names .*without path, user and wildcards/,
    ],
    [{ PAVIS_ALLOWED_ORIGINS: 'https://a@b.example.com' }, /^PAVIS_ALLOWED_ORIGINS names /],
    [{ PAVIS_ALLOWED_ORIGINS: 'https://a..example.com' }, /^PAVIS_ALLOWED_ORIGINS names /],
    [{ PAVIS_ALLOWED_ORIGINS: 'https://a.example.com,' }, /^PAVIS_ALLOWED_ORIGINS names "": /],
    [{ PAVIS_ALLOWED_ORIGINS: 'null' }, /^PAVIS_ALLOWED_ORIGINS names "null": /],
    ...[
      ['0.0.0.0/0', 'it would trust what strangers claim'],
      ['::/0', 'it would trust what strangers claim'],
      ['64.0.0.0/7', 'it would trust what strangers claim'],
      ['10.0.0.1/8', 'it is not the first address of its range: write 10.0.0.0/8'],
      ['fd00::1/8', 'it is not the first address of its range: write fd00::/8'],
      ['10.0.0.0/33', 'its range is longer than 32 bits'],
      ['::ffff:10.0.0.0/104', 'its range is longer than 32 bits'],
      ['10.0.0', 'it is neither an address nor a CIDR range'],
      ['0x7f.1', 'it is neither an address nor a CIDR range'],
      ['10.0.0.0/8/8', 'it is neither an address nor a CIDR range'],
      ['10.0.0.0/', 'it is neither an address nor a CIDR range'],
      ['*', 'it is neither an address nor a CIDR range'],
      ['', 'it is neither an address nor a CIDR range'],
    ].map(([entry, why]): [Record<string, string>, string] => [
      { PAVIS_TRUSTED_PROXIES: `192.0.2.1,${entry}` },
      `PAVIS_TRUSTED_PROXIES names "${entry}": ${why}. Comma-separated addresses or CIDR ranges of at most an IPv4 /8 or an IPv6 /7 are allowed, for example 10.0.0.0/8`,
    ]),
    [
      { PAVIS_METRICS_TOKEN: 'secret@short' },
      /^PAVIS_METRICS_TOKEN is no usable token: 16 to 256 /,
    ],
    [{ PAVIS_METRICS_TOKEN: 'secret@ with blanks in it' }, /^PAVIS_METRICS_TOKEN is no usable /],
    [{ PAVIS_METRICS_TOKEN: `secret@${'\u0001'.repeat(16)}` }, /^PAVIS_METRICS_TOKEN is no /],
    [
      { PAVIS_HSTS_MAX_AGE: '31536000' },
      'PAVIS_HSTS_MAX_AGE is set without an https address: set PAVIS_BASE_URL or PAVIS_REST_ROOT to an https URL, or leave it off',
    ],
    [
      { PAVIS_HSTS_MAX_AGE: 'on' },
      /^PAVIS_HSTS_MAX_AGE is "on": a whole number from 0 to 63072000, or off, is/,
    ],
    [{ PAVIS_SITE_TIMEZONE: '+02:00' }, /^PAVIS_SITE_TIMEZONE is "\+02:00": a name of the IANA/],
    [
      { PAVIS_SITE_TIMEZONE: 'Mars/Olympus' },
      /^PAVIS_SITE_TIMEZONE is "Mars\/Olympus": a name of the IANA/,
    ],
    [{ PAVIS_CHROMIUM: 'yes' }, /^PAVIS_CHROMIUM is "yes": the path of a Chromium/],
    [
      { PAVIS_SCANNER_CONNECT_TO: '*:443=127.0.0.1:8443,shop' },
      /^PAVIS_SCANNER_CONNECT_TO names "shop": comma-separated HOST:PORT=ADDRESS:PORT/,
    ],
    [
      { PAVIS_SCANNER_INSECURE: 'maybe' },
      /^PAVIS_SCANNER_INSECURE is "maybe": allowed are on, off/,
    ],
    [{ PAVIS_SCANNER_PAGE_MEMORY: '1.5 GB' }, /^PAVIS_SCANNER_PAGE_MEMORY is "1.5 GB": a whole/],
    [{ PAVIS_OIDC_NAME: 'Example' }, /^PAVIS_OIDC_NAME is set without PAVIS_OIDC_ISSUER/],
    [{ PAVIS_OIDC_ISSUER: 'http://login.example.com' }, /^PAVIS_OIDC_ISSUER is no issuer/],
    [{ PAVIS_OIDC_ISSUER: 'https://login.example.com' }, /^PAVIS_OIDC_CLIENT_ID is not set/],
    [{ ...OIDC, PAVIS_OIDC_ROLES: 'staff:owner' }, /^PAVIS_OIDC_ROLES names "staff:owner"/],
    [{ ...OIDC, PAVIS_OIDC_ROLES: 'staff' }, /^PAVIS_OIDC_ROLES names "staff"/],
    [{ PAVIS_WORDPRESS_URL: 'example.com' }, /^PAVIS_WORDPRESS_URL is "example.com": an http/],
    [{ PAVIS_WORDPRESS_URL: 'https://u:p@example.com/?rest_route=/' }, /^PAVIS_WORDPRESS_URL is /],
    [{ PAVIS_WORDPRESS_URL: 'https://example.com/?page_id=1' }, /^PAVIS_WORDPRESS_URL is /],
    [
      { PAVIS_MAX_CONNECTIONS: '0' },
      'PAVIS_MAX_CONNECTIONS is "0": a whole number from 10 to 1000000 is allowed',
    ],
    [
      { PAVIS_MAX_CONNECTIONS_PER_ADDRESS: 'many' },
      'PAVIS_MAX_CONNECTIONS_PER_ADDRESS is "many": a whole number from 1 to 100000, or off, is allowed',
    ],
    [
      { NODE_ENV: 'Production' },
      'NODE_ENV is "Production": allowed are production, development, test',
    ],
    [{ PAVIS_DEMO: 'yes' }, 'PAVIS_DEMO is "yes": allowed are on, off'],
    [{ PAVIS_LOG_LEVEL: 'loud' }, /^PAVIS_LOG_LEVEL is "loud": allowed are fatal, error, /],
    [
      { NODE_ENV: 'production', PAVIS_DATABASE_URL: 'postgres://u:p@db/pavis' },
      /^PAVIS_SECRET is not set: in production with PostgreSQL/,
    ],
  ])(
    'refuse %j in one line that names the variable, what was wrong and what is allowed',
    (env, message) => {
      const refusal = refusalOf(env as Record<string, string>);
      expect(refusal.message).toMatch(message);
      expect(refusal.message).not.toContain('\n');
      expect(refusal.message).not.toContain('secret@');
      expect(refusal.exitCode).toBe(2);
    },
  );

  it('take trusted proxies as addresses and ranges of both families', () => {
    const { trustedProxies } = toConfig({
      PAVIS_TRUSTED_PROXIES: '192.0.2.1, 10.0.0.0/8,fc00::/7,2001:db8::1, ::ffff:192.0.2.2',
    });
    expect(trustedProxies.map(([address, bits]) => `${address}/${bits}`)).toEqual([
      '192.0.2.1/32',
      '10.0.0.0/8',
      'fc00::/7',
      '2001:db8::1/128',
      '192.0.2.2/32',
    ]);
  });

  it('say how long browsers use HTTPS only, where an address is https', () => {
    const read = (env: Record<string, string>) => toConfig(env).hstsSeconds;
    expect(read({})).toBeUndefined();
    expect(read({ PAVIS_HSTS_MAX_AGE: 'off' })).toBeUndefined();
    const https = { PAVIS_BASE_URL: 'https://api.example.com' };
    expect(read({ ...https, PAVIS_HSTS_MAX_AGE: '31536000' })).toBe(31_536_000);
    expect(read({ ...https, PAVIS_HSTS_MAX_AGE: '0' })).toBe(0);
  });

  it('take "off" for no rate limit', () => {
    expect(
      toConfig({ PAVIS_RATE_LIMIT_VALIDATE: 'off' }).rateLimits.validatePerMinute,
    ).toBeUndefined();
  });

  it('take a mail server and a sender, with a name or without', () => {
    const mail = (env: Record<string, string>) => mailSettings(toConfig(env));
    expect(mail({ PAVIS_SMTP_URL: 'smtp://u:p%40ss@mail.example.com:2525' })).toMatchObject({
      smtpUrl: 'smtp://u:p%40ss@mail.example.com:2525',
      from: { name: '', address: 'no-reply@localhost' },
    });
    expect(mail({ PAVIS_SITE_URL: 'https://www.example.com/shop' }).from.address).toBe(
      'no-reply@example.com',
    );
    for (const [given, name] of [
      ['Privacy@example.com', ''],
      ['Example Ltd <privacy@example.com>', 'Example Ltd'],
      ['"Example, Ltd" <privacy@example.com>', 'Example, Ltd'],
    ] as const) {
      expect(mail({ PAVIS_MAIL_FROM: given }).from).toEqual({
        name,
        address: 'privacy@example.com',
      });
    }
  });

  it.each([
    ['PAVIS_SMTP_URL', 'mail.example.com'],
    ['PAVIS_SMTP_URL', 'http://mail.example.com'],
    ['PAVIS_SMTP_URL', 'smtp://'],
    ['PAVIS_SMTP_URL', 'smtp://u:secret%@mail.example.com'],
    ['PAVIS_SMTP_URL', 'smtp://u:secret@mail.example.com?pool=1'],
    ['PAVIS_MAIL_FROM', 'nobody'],
    ['PAVIS_MAIL_FROM', 'a@example.com, b@example.com'],
  ])('refuse %s=%s without repeating what may be secret', (name, value) => {
    const { message, exitCode } = refusalOf({ [name]: value });
    expect([exitCode, message]).toEqual([2, expect.stringContaining(name)]);
    expect(message).not.toContain('secret');
  });
});
