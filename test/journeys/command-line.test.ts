import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PAYMENT_EVENTS } from '../../src/licensing/checkout/events.ts';
import { linkBrowser } from '../support/browser.ts';
import { dataFolder, pavis, pavisJson, runShell } from '../support/process.ts';
import { stripeStandIn, WEBHOOK_SECRET } from '../support/stripe.ts';

const NOBODY = 'postgres://pavis:hush-hush@127.0.0.1:1/pavis';

let folder: ReturnType<typeof dataFolder>;
let env: Record<string, string>;
beforeEach(() => {
  folder = dataFolder();
  env = { PAVIS_DATA_DIR: folder.path };
});
afterEach(() => folder.remove());

/** A command that must exit with a code and print only the reason, in one line. */
async function refused(code: number, args: string[], more: Record<string, string> = {}) {
  const ended = await pavis(args, { ...env, ...more });
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toMatch(/^pavis: [^\n]+\n$/);
  return ended.stderr;
}

const issue = (...more: string[]) =>
  pavisJson(
    ['licence', 'issue', '--email', 'a@example.com', '--tier', 'pro', '--days', '30', ...more],
    env,
  );

const STRIPE_GUIDE = readFileSync(
  join(import.meta.dirname, '../../docs/guides/sell-with-stripe.md'),
  'utf8',
);

describe('an invalid setting ends the start with exit code 2 and names the variable, the error and the allowed values', () => {
  it.each([
    ['PAVIS_PORT', 'abc', /"abc"/, /0 to 65535/],
    ['PAVIS_PORT', '70000', /"70000"/, /0 to 65535/],
    ['PAVIS_DATABASE_URL', 'mysql://x', /form/, /sqlite:.*postgres:/],
    ['PAVIS_BASE_URL', 'ftp://x', /"ftp:\/\/x"/, /http or https/],
    ['PAVIS_TRUSTED_PROXIES', 'foo', /"foo"/, /addresses or CIDR/],
    ['PAVIS_SECRET', 'short', /5 bytes/, /32/],
    ['PAVIS_SERVICES', 'foo', /"foo"/, /licence.*plugin/],
    ['PAVIS_LOG_LEVEL', 'loud', /"loud"/, /info.*debug/],
    ['PAVIS_RATE_LIMIT_VALIDATE', '0', /"0"/, /whole number from 1.*\boff\b/],
    ['PAVIS_BASE_URL', 'https://user:hush-hush@example.com', / is /, /without user/],
  ])('%s=%s', async (name, value, wrong, allowed) => {
    const line = await refused(2, ['serve', '--json'], { PAVIS_PORT: '0', [name]: value });
    expect(line.startsWith(`pavis: ${name} `)).toBe(true);
    expect(line).toMatch(wrong);
    expect(line).toMatch(allowed);
    expect(line).not.toContain('short');
    expect(line).not.toContain('hush-hush');
  });

  it('rejects production with PostgreSQL without PAVIS_SECRET', async () => {
    const production = { NODE_ENV: 'production', PAVIS_DATABASE_URL: NOBODY };
    expect(await refused(2, ['config'], production)).toMatch(/PAVIS_SECRET is not set: .*32 bytes/);
  });
});

it('says of an issued licence with one site that it has 1 site', async () => {
  const args = 'licence issue --email a@example.com --tier pro --days 30 --sites 1';
  const { stdout } = await pavis(args.split(' '), env);
  expect(stdout).toContain('tier pro, 1 site, until');
});

const LONG = 'x'.repeat(70);
const SETTINGS_FILE = join(import.meta.dirname, '../fixtures/banner-imports/complianz-export.txt');
const TWO_LICENCES = '--count 2 --days 9 --email a@example.com --tier pro'.split(' ');
const LETTER = '--type access --channel letter --received 2026-11-01 --email a@example.com'.split(
  ' ',
);
const SHORT_POLICY = '--category consent_records --action delete --days 9'.split(' ');

const REVERSED = ['--from', '2026-11-20', '--to', '2026-11-01'];

describe('wrong usage ends with exit code 2 and one line', () => {
  it.each([
    [['conjure'], /unknown command 'conjure'/],
    [['serv'], /unknown command 'serv'.*serve/],
    [['config', '--loud'], /unknown option '--loud'/],
    [['licence', 'issue', '--tier', 'pro', '--days', '1'], /--email/],
    [['licence', 'issue', '--email', 'a@example.com', '--tier', 'pro'], /--days.*--expires/],
    [['licence', 'issue', '--email', 'a', '--tier', 'pro', '--days', '1'], /email address/],
    [['licence', 'issue', '--email', 'a@example.com', '--tier', 'gold', '--days', '1'], /starter/],
    [
      ['licence', 'extend', 'lic_x', '--expires', '2027-02-30'],
      /a date, or a time with its offset/,
    ],
    [['licence', 'reroll', 'lic_x', '--overlap-hours', '169'], /0 to 168/],
    [['user', 'create', 'ada', '--email', 'a@example.com'], /--role/],
    [['user', 'create', 'ada', '--email', 'a@example.com', '--role', 'king'], /administrator/],
    [['user', 'create', 'ada', '--email', 'a', '--role', 'editor'], /email address/],
    [['user', 'create', 'a b', '--email', 'a@example.com', '--role', 'editor'], /login/],
    [['user', 'app-password', 'ada'], /--name/],
    [['product', 'create', 'A B', '--name', 'x'], /slug/],
    [['product', 'create', 'forms', '--name', 'F', '--site-url', 'nope'], /http or https URL/],
    [['plan', 'update', 'pro', '--features', 'a b,,'], /features/],
    [['webhook', 'create', 'nope', '--events', 'licence.issued'], /URL/],
    [['release', 'key', 'add', 'nope'], /key/],
    [['api-token', 'create', '', '--scopes', 'licences:read'], /name/],
    [['scan', 'evidence', '1', 'a.zip', '--out', 'b.zip'], /either as an argument or with --out/],
    [['security-log', 'list', '--from', '2026-11-31'], /It must be a day/],
    [['retention', 'add', ...SHORT_POLICY, '--name', ' '], /name must not be blank/],
    [
      ['dsar', 'create', '--type', 'access', '--channel', 'letter', '--received', '2026-11-31'],
      /--received.*It must be a day/,
    ],
    [['dsar', 'create', ...LETTER, '--language', 'fr'], /--language.*Allowed choices are en, de/],
    [['log', 'bundle', ...REVERSED], /before it begins/],
    [['consent', 'export', ...REVERSED], /before it begins/],
    [['consent', 'stats', ...REVERSED], /before it begins/],
    [['consent', 'stats', '--from', '2999-01-01'], /before it begins/],
    [['security-log', 'list', ...REVERSED], /before it begins/],
    [['security-log', 'export', ...REVERSED], /before it begins/],
    [['consent', 'stats', '--from', '1900-01-01'], /Give a later first day or an earlier last day/],
    [['licence', 'list', '--product', 'nope'], /product must be one of/],
    [['licence', 'export', '--tier', 'nope'], /tier must be one of/],
    [['licence', 'issue-bulk', ...TWO_LICENCES, '--tier', 'nope'], /^pavis: tier must be one of/],
    [
      ['licence', 'issue-bulk', ...TWO_LICENCES, '--product', 'no'],
      /^pavis: product must be one of/,
    ],
    [['licence', 'issue-bulk', ...TWO_LICENCES, '--email', 'nobody'], /^pavis: .*email address/],
    [['settings', 'import', SETTINGS_FILE, '--language', 'x'], /must be a tag/],
    [['release', 'key', 'add', LONG], /^pavis: <public-key> /],
    [['licence', 'edit', 'lic_x', '--add-features', LONG], /^pavis: --add-features.* must/],
    [['release', 'yank', '1.0.0', '--reason', 'x'.repeat(501)], /^pavis: --reason must/],
    [
      ['product', 'create', 'f', '--name', 'F', '--current-version', LONG],
      /^pavis: --current-version must/,
    ],
  ])('%j', async (args, says) => {
    expect(await refused(2, args)).toMatch(says);
  });
});

it('says of a consent log without entries that a running server writes it', async () => {
  await pavisJson(['seed', '--consents', '1'], env);
  const period = ['--from', '2020-01-01', '--to', '2100-01-01'];
  expect(await refused(1, ['log', 'bundle', ...period])).toBe(
    'pavis: The consent log has no entries yet. A running server writes it within seconds.\n',
  );
});

describe('the settings', () => {
  it('are read from .env in the working directory, and overridden by the environment', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'pavis-cwd-'));
    writeFileSync(join(cwd, '.env'), 'PAVIS_PORT=1234\nPAVIS_HOST="0.0.0.0"\nPAVIS_SECRET=\n');
    try {
      expect(await pavisJson(['config'], { ...env, PAVIS_PORT: '4321' }, { cwd })).toMatchObject({
        PAVIS_HOST: '0.0.0.0',
        PAVIS_PORT: 4321,
        PAVIS_DATA_DIR: folder.path,
      });
      writeFileSync(join(cwd, '.env'), 'PAVIS_PORT=abc\n');
      expect((await pavis(['config'], env, { cwd })).code).toBe(2);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  it.each([
    NOBODY,
    'postgres://pavis:hush@hush-hush@127.0.0.1:1/pavis',
    'postgres://127.0.0.1:1/pavis?user=pavis&password=hush-hush',
  ])('are printed without the secrets of %s', async (url) => {
    const secret = 'hush-hush-'.repeat(4);
    const more = { PAVIS_DATABASE_URL: url, PAVIS_SECRET: secret, PAVIS_METRICS_TOKEN: secret };
    const { code, stdout, stderr } = await pavis(['config'], { ...env, ...more });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('127.0.0.1:1/pavis');
    expect(stdout).not.toContain('hush');
  });
});

describe('the database', () => {
  it('is migrated to the current schema by migrate, and only reported by --status', async () => {
    const before = await pavisJson(['migrate', '--status'], env);
    // It only reports.
    expect(existsSync(join(folder.path, 'pavis.db'))).toBe(false);
    expect(before).toEqual({ applied: [], pending: expect.arrayContaining(['001-installation']) });
    expect(await pavisJson(['migrate', '--status'], env)).toEqual(before);
    const after = { applied: before.pending, pending: [] };
    expect(await pavisJson(['migrate'], env)).toEqual({ ...after, backup: null });
    expect(await pavisJson(['migrate', '--status'], env)).toEqual(after);
    expect(await pavisJson(['migrate'], env)).toEqual({ ...after, backup: null });
  });

  it('of a newer version is rejected by every command that uses it', async () => {
    await pavisJson(['migrate'], env);
    const db = new DatabaseSync(join(folder.path, 'pavis.db'));
    db.exec(`insert into pavis_migrations values ('999-from-the-future', '2099-01-01')`);
    db.close();
    for (const args of [['serve'], ['migrate'], ['licence', 'list']]) {
      expect(await refused(1, [...args, '--json'])).toMatch(/newer version.*999-from-the-future/);
    }
  });

  it('of another secret is rejected', async () => {
    await issue();
    const other = { PAVIS_SECRET: 'another secret of at least thirty-two bytes' };
    for (const args of [['serve'], ['licence', 'list']]) {
      const line = await refused(1, args, other);
      expect(line).toContain('PAVIS_SECRET');
      expect(line).not.toContain(other.PAVIS_SECRET);
    }
  });

  it('is named without its password while it is unreachable', async () => {
    for (const args of [['serve'], ['licence', 'list']]) {
      const ended = await pavis(args, { ...env, PAVIS_DATABASE_URL: NOBODY });
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toMatch(
        /^pavis: [^\n]*127\.0\.0\.1:1\/pavis: [^\n]*ECONNREFUSED 127\.0\.0\.1:1\. Check PAVIS_DATABASE_URL, and whether this machine may connect to the server\n$/,
      );
      expect(ended.stderr).not.toContain('hush-hush');
    }
  });

  it('is waited for while it is locked, by commands that read and by commands that write', async () => {
    await issue();
    const db = new DatabaseSync(join(folder.path, 'pavis.db'));
    for (const args of [
      ['licence', 'list'],
      ['customer', 'token', 'a@example.com'],
    ]) {
      db.exec('begin immediate');
      const unlock = setTimeout(() => db.exec('commit'), 2_000);
      const { code, stderr } = await pavis([...args, '--json'], env);
      clearTimeout(unlock);
      if (db.isTransaction) db.exec('commit');
      expect([args, code, stderr]).toEqual([args, 0, '']);
    }
    db.close();
  });
});

describe('doctor', () => {
  it('reports ok for a valid installation, one line per check', async () => {
    linkBrowser(folder.path);
    await pavisJson(['migrate'], env);
    // An unused port: the site is this server.
    const { ok, checks } = await pavisJson(['doctor'], { ...env, PAVIS_PORT: '9' });
    expect(ok).toBe(true);
    const names = checks.map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      'settings',
      'data folder',
      'browser',
      'site',
      'secret',
      'database',
      'schema',
      'storage',
      'proxy',
      'banner pictures',
      'consent log',
      'second factor',
      'mail queue',
      'mail',
    ]);
    expect(checks[2].message).toMatch(/^chromium \d+ |^not found: /);
    expect(checks[3].message).toMatch(/ is this server, which is not running$/);
    const { stdout } = await pavis(['doctor'], env);
    expect(stdout.match(/^ok {4}[\w ]+: .+$/gm)).toHaveLength(names.length);
  });

  it('knows before the first start that a second factor is required', async () => {
    const { stdout } = await pavis(['doctor'], {
      ...env,
      PAVIS_CHROMIUM: 'off',
      PAVIS_REQUIRE_SECOND_FACTOR: 'all',
    });
    expect(stdout).toContain('ok    second factor: required for all users\n');
  });

  it('names listed extensions that do not exist', async () => {
    const other = join(folder.path, 'other.js');
    writeFileSync(other, 'export default () => {};');
    const extensionsLine = async (...paths: string[]) => {
      const { stdout } = await pavis(['doctor'], { ...env, PAVIS_EXTENSIONS: paths.join(',') });
      return stdout.split('\n').find((line) => line.includes('extensions: '));
    };
    expect(await extensionsLine(other)).toBe(`ok    extensions: ${other}`);
    const missing = [
      './no-such.js',
      join(folder.path, 'gone.mjs'),
      '@no-such/package',
      folder.path,
    ];
    expect(await extensionsLine(other, ...missing)).toBe(
      `FAIL  extensions: cannot find ${missing.join(', ')}: check PAVIS_EXTENSIONS. Relative paths and packages are searched from ${tmpdir()}`,
    );
  });

  it('warns about addresses without HTTPS in production only', async () => {
    const addressesLine = async (more: Record<string, string>) => {
      const set = { ...env, PAVIS_CHROMIUM: 'off', NODE_ENV: 'production', ...more };
      const { stdout } = await pavis(['doctor'], set);
      return stdout.split('\n').find((line) => line.includes('addresses: '));
    };
    const https = {
      PAVIS_BASE_URL: 'https://api.example.com',
      PAVIS_REST_ROOT: 'https://example.com/wp-json',
    };
    expect(await addressesLine(https)).toBe(
      'ok    addresses: https://api.example.com, https://example.com/wp-json',
    );
    expect(
      await addressesLine({ ...https, PAVIS_REST_ROOT: 'http://example.com/wp-json' }),
    ).toMatch(/^FAIL {2}addresses: PAVIS_REST_ROOT is http:\/\/example\.com\/wp-json: .*HTTPS/);
    expect(await addressesLine({ PAVIS_SERVICES: 'licence' })).toMatch(
      /^FAIL {2}addresses: PAVIS_BASE_URL is http:\/\/127\.0\.0\.1:\d+: /,
    );
    expect(await addressesLine({ NODE_ENV: 'development' })).toBeUndefined();
  });

  it('checks the Stripe settings that a purchase requires, and says what to do', async () => {
    const stripe = await stripeStandIn();
    const price = (id: string, more: object = {}): void =>
      void stripe.prices.set(id, {
        id,
        object: 'price',
        active: true,
        product: { id: 'prod_1', object: 'product', active: true },
        recurring: { interval: 'year', interval_count: 1 },
        ...more,
      });
    price('price_pro_year');
    price('price_agency_year');
    price('price_pro_once', { recurring: null });
    price('price_archived', { active: false });
    price('price_gone', { product: { id: 'prod_2', object: 'product', active: false } });
    price('price_quarter', { recurring: { interval: 'month', interval_count: 3 } });
    const url = 'https://licences.example.com/webhooks/stripe';
    const endpoint = { id: 'we_1', url, status: 'enabled', enabled_events: PAYMENT_EVENTS };
    stripe.endpoints = [{ ...endpoint, id: 'we_0', url: 'https://other.example/' }, endpoint];
    const set = {
      ...env,
      PAVIS_BASE_URL: 'https://licences.example.com',
      PAVIS_CHROMIUM: 'off',
      PAVIS_STRIPE_API_URL: stripe.url,
      PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
      PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PAVIS_STRIPE_PRICES: /^PAVIS_STRIPE_PRICES=(.+)$/m.exec(STRIPE_GUIDE)?.[1] ?? '',
    };
    const stripeLines = async (more: Record<string, string>) => {
      const { stdout } = await pavis(['doctor'], { ...set, ...more });
      return stdout.split('\n').filter((line) => line.includes('Stripe'));
    };
    const shown = STRIPE_GUIDE.match(/^ok {4}Stripe .+$/gm);
    expect(shown).toHaveLength(7);
    expect(await stripeLines({})).toEqual(shown);
    expect((await pavis(['doctor'], set)).code).toBe(0);
    const bad =
      'pro/year=price_archived,agency/year=price_gone,pro/month=price_quarter,starter/year=price_of_nobody,pro/once=price_pro_year';
    expect(
      await stripeLines({ PAVIS_STRIPE_PRICES: bad, PAVIS_STRIPE_WEBHOOK_SECRET: '' }),
    ).toEqual([
      expect.stringMatching(/^ok {4}Stripe key: /),
      expect.stringMatching(/^FAIL {2}Stripe price pro\/year: .* is archived: activate it/),
      expect.stringMatching(
        /^FAIL {2}Stripe price agency\/year: the product of price_gone is archived/,
      ),
      expect.stringMatching(
        /^FAIL {2}Stripe price pro\/month: .* every 3 months, .* says every month/,
      ),
      expect.stringMatching(/^FAIL {2}Stripe price starter\/year: Stripe does not know it/),
      expect.stringMatching(/^FAIL {2}Stripe price pro\/once: .* every year, .* says once/),
      expect.stringMatching(/^ok {4}Stripe events: /),
      expect.stringMatching(/^FAIL {2}Stripe webhook: .*PAVIS_STRIPE_WEBHOOK_SECRET/),
      expect.stringMatching(/^ok {4}Stripe webhook endpoint: /),
    ]);
    const endpointLine = async () => (await stripeLines({})).at(-1);
    const disabled = { ...endpoint, status: 'disabled' };
    const [first, second, ...most] = PAYMENT_EVENTS;
    stripe.endpoints = [disabled, { ...endpoint, enabled_events: most }];
    expect(await endpointLine()).toMatch(
      new RegExp(`^FAIL {2}Stripe webhook endpoint: .*${url} .*${first}, ${second}: add these`),
    );
    stripe.endpoints = [disabled];
    expect(await endpointLine()).toMatch(/^FAIL {2}Stripe webhook endpoint: .* is disabled/);
    stripe.endpoints = [{ ...endpoint, url: 'https://old.example.com/webhooks/stripe' }];
    const missing = await endpointLine();
    expect(missing).toMatch(/^FAIL {2}Stripe webhook endpoint: there is no endpoint /);
    expect(missing).toContain('PAVIS_BASE_URL');
    expect(missing).toContain('https://old.example.com/webhooks/stripe');
    for (const name of PAYMENT_EVENTS) expect(missing).toContain(name);
    stripe.endpoints = [{ ...endpoint, enabled_events: ['*'] }];
    expect(await endpointLine()).toMatch(/^ok {4}Stripe webhook endpoint: /);
    price('price_usd', { currency: 'eur', currency_options: { eur: {}, usd: {} } });
    const several =
      'pro/year=price_pro_year,pro/year=price_archived,pro/year/usd=price_usd,agency/year/gbp=price_agency_year';
    expect(await stripeLines({ PAVIS_STRIPE_PRICES: several })).toEqual([
      expect.stringMatching(/^ok {4}Stripe key: /),
      expect.stringMatching(/^ok {4}Stripe price pro\/year: price_pro_year is active/),
      expect.stringMatching(/^ok {4}Stripe price pro\/year: price_archived is a former price/),
      expect.stringMatching(/^ok {4}Stripe price pro\/year\/usd: price_usd is active/),
      expect.stringMatching(/^FAIL {2}Stripe price agency\/year\/gbp: .* says gbp/),
      expect.stringMatching(/^ok {4}Stripe events: /),
      expect.stringMatching(/^ok {4}Stripe webhook: /),
      expect.stringMatching(/^ok {4}Stripe webhook endpoint: /),
    ]);
    expect(await stripeLines({ PAVIS_STRIPE_PRICES: '' })).toContainEqual(
      expect.stringMatching(/^FAIL {2}Stripe prices: nothing is on sale: give a plan a price/),
    );
    const plan = ['--product', 'forms', '--price', 'year=price_pro_once'];
    await pavisJson(['product', 'create', 'forms', '--name', 'Forms'], set);
    await pavisJson(['plan', 'create', 'solo', ...plan], set);
    expect(await stripeLines({})).toContainEqual(
      expect.stringMatching(
        /^FAIL {2}Stripe price forms solo\/year: price_pro_once is paid once, and the plan says every year/,
      ),
    );
    await pavisJson(['plan', 'update', 'solo', ...plan.slice(0, 3), 'once=price_pro_once'], set);
    expect(await stripeLines({})).toContainEqual(
      expect.stringMatching(/^ok {4}Stripe price forms solo\/once: price_pro_once is active/),
    );
    const wrong = await pavis(['doctor'], { ...set, PAVIS_STRIPE_SECRET_KEY: 'sk_test_wrong' });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('FAIL  Stripe key: Stripe rejects the key');
    expect(wrong.stdout).not.toContain('sk_test_wrong');
    stripe.mood = 'forbids';
    expect(await stripeLines({})).toEqual([
      'FAIL  Stripe key: the key is restricted: allow it to write Checkout Sessions and Customer portal sessions, and to read Customers, Events, Invoices, Prices, Products, Subscriptions and Webhook Endpoints',
    ]);
    await stripe.stop();
    expect(await stripeLines({})).toEqual([
      expect.stringMatching(/^FAIL {2}Stripe key: Stripe cannot be reached/),
    ]);
  });

  it('exits with 1 for an unreachable database, a read-only folder and an invalid setting', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    const faults: [string, Record<string, string>][] = [
      ['database', { PAVIS_DATABASE_URL: NOBODY }],
      ['data folder', { PAVIS_DATA_DIR: join(folder.path, 'file', 'data') }],
      ['settings', { PAVIS_PORT: 'abc' }],
      ['browser', { PAVIS_CHROMIUM: join(folder.path, 'file') }],
      ['site', { PAVIS_SITE_URL: 'http://127.0.0.1:9', PAVIS_CHROMIUM: 'off' }],
    ];
    for (const [failing, more] of faults) {
      const { code, stdout, stderr } = await pavis(['doctor', '--json'], { ...env, ...more });
      expect([failing, code]).toEqual([failing, 1]);
      expect(stderr).toMatch(/^pavis: \d of \d+ checks failed\n$/);
      const { ok, checks } = JSON.parse(stdout);
      expect(ok).toBe(false);
      expect(checks).toContainEqual({ name: failing, ok: false, message: expect.any(String) });
      expect(stdout).not.toContain('hush-hush');
    }
  });
});

describe('a command whose output cannot be written', () => {
  const run = (line: string) => {
    const pavis = `${process.execPath} ${join(import.meta.dirname, '../../bin/pavis.js')}`;
    return runShell(line.replace('pavis', pavis), { ...env, PAVIS_DEMO: 'off' });
  };

  it('ends quietly if the reader has enough, and the security log has the number of records', async () => {
    await pavisJson(['seed', '--consents', '5000'], env);
    const period = '--from 2000-01-01 --to 2100-01-01';
    const cut = await run(`{ pavis consent export ${period}; echo $? >&2; } | head -1`);
    expect(cut).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^id,[^\n]+\n$/),
      stderr: '141\n',
    });
    const { events } = await pavisJson(['security-log', 'list'], env);
    expect(events[0]).toMatchObject({
      event: 'data_exported',
      details: { what: 'consent_records' },
    });
    expect(events[0].details.records).toBeLessThan(5_000);
  });

  it.runIf(existsSync('/dev/full'))('fails with the reason if the disk is full', async () => {
    const { code, stderr } = await run('pavis user list > /dev/full');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^pavis: cannot write the output: ENOSPC[^\n]*\n$/),
    ]);
  });
});
