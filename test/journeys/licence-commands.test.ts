import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLocalJWKSet, jwtVerify } from 'jose';
import PostalMime from 'postal-mime';
import { describe, expect, it, vi } from 'vitest';
import { dataFolder, pavis, pavisJson } from '../support/process.ts';
import { useServerProcess } from '../support/server-process.ts';
import { bought, createSignature, stripeEvent, WEBHOOK_SECRET } from '../support/stripe.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SITE = 'https://shop.example.org';

describe('pavis licence, beside a running server', () => {
  const server = useServerProcess();
  const { folder, env } = server;

  const licence = (...args: string[]) => pavisJson(['licence', ...args], env);
  const issue = (...more: string[]) =>
    licence('issue', '--email', 'Buyer@Example.org', '--tier', 'pro', ...more);
  const validate = (key: string) => server.http.site('validate', key, SITE);
  /** Waits until the server has received the change by the command line. Its cache alone would keep the old state for minutes. */
  const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

  /** The emails of the server, in order. */
  async function mails() {
    const mailed = join(folder, 'mail');
    const names = existsSync(mailed) ? readdirSync(mailed) : [];
    const sent = names.filter((name) => name.endsWith('.eml')).toSorted();
    return Promise.all(sent.map((name) => PostalMime.parse(readFileSync(join(mailed, name)))));
  }

  async function refused(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await pavis(['licence', ...args, '--json'], env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^pavis: [^\n]+\n$/);
    return stderr;
  }

  it('issues a licence whose key works at once, and shows the key once', async () => {
    const issued = await issue('--sites', '7', '--expires', '2030-01-31', '--test');
    expect(issued).toEqual({
      id: expect.stringMatching(/^lic_\w+$/),
      key: expect.stringMatching(/^pv_test_[A-Za-z0-9]{32}$/),
      mode: 'test',
      product: 'pavis',
      tier: 'pro',
      sites_allowed: 7,
      expires_at: '2030-01-31T00:00:00.000Z',
      email: 'buyer@example.org',
    });
    expect((await validate(issued.key)).json).toMatchObject({ valid: true, sites_allowed: 7 });

    const second = await issue('--days', '30');
    expect(second.sites_allowed).toBe(3);
    const inDays = (Date.parse(second.expires_at) - Date.now()) / 86_400_000;
    expect(inDays).toBeCloseTo(30, 2);

    const { licences } = await licence('list');
    expect(licences.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([
      second.id,
      issued.id,
    ]);
    expect(JSON.stringify(licences)).not.toContain(issued.key);
    expect(licences[1]).toMatchObject({
      key: `${issued.key.slice(0, 12)}…${issued.key.slice(-4)}`,
      status: 'active',
      email: 'buyer@example.org',
      sites_used: 0,
      issued_at: expect.stringMatching(MOMENT),
    });
    expect(await licence('list', '--email', 'nobody@example.org')).toEqual({ licences: [] });
  });

  it('edits a licence, and warns if fewer sites are allowed than are active', async () => {
    const { id, key } = await issue('--days', '30', '--notes', 'From the fair.');
    await server.http.site('activate', key, SITE);
    await server.http.site('activate', key, 'https://dev.example.test');
    const args = ['--tier', 'agency', '--sites', '1', '--grace-days', '7', '--notes', 'Reseller'];
    const edited = await licence('edit', id, ...args);
    expect(edited).toMatchObject({
      id,
      tier: 'agency',
      sites_allowed: 1,
      sites_used: 2,
      grace_days: 7,
      development_sites_free: false,
      notes: 'Reseller',
      notice: expect.stringContaining('2 sites are active, but 1 is allowed'),
    });
    await soon(async () =>
      expect((await validate(key)).json).toMatchObject({ tier: 'agency', sites_allowed: 1 }),
    );
    expect(await licence('edit', id, '--free-development-sites')).toMatchObject({
      sites_used: 1,
      development_sites_free: true,
      notice: null,
    });
    expect(await licence('edit', id, '--no-free-development-sites')).toMatchObject({
      development_sites_free: false,
      notes: 'Reseller',
    });
    const { events } = await licence('show', id);
    expect(events.at(-1)).toMatchObject({
      action: 'edited',
      actor: expect.stringContaining('command line'),
      details: { development_sites_free: false, before: { development_sites_free: true } },
    });
    expect(await refused('edit', 'lic_none', '--sites', '2')).toContain(
      'Licence lic_none was not found.',
    );
    const { code, stderr } = await pavis(['licence', 'edit', id], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no change given')]);
  });

  it('issues licences in bulk from a file and exports them as CSV and as JSON', async () => {
    const file = join(folder, 'licences.csv');
    writeFileSync(file, 'email,sites_allowed\nimport-a@example.org,2\nimport-b@example.org,\n');
    const args = ['issue-bulk', file, '--tier', 'pro', '--expires', '2030-01-01'];
    expect(await licence(...args, '--dry-run')).toMatchObject({
      dry_run: true,
      issued: 0,
      failed: 0,
    });
    const { issued, lines } = await licence(...args);
    expect(issued).toBe(2);
    expect((await validate(lines[0].licence_key)).json).toMatchObject({
      valid: true,
      sites_allowed: 2,
    });
    const { stdout } = await pavis(['licence', 'export', '--search', 'import-'], env);
    const rows = stdout.trim().split('\r\n');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain('import-a@example.org');
    const exported = await licence('export', '--search', 'import-b@example.org');
    const [{ id }] = exported;
    const listed = async (...more: string[]) => (await licence('list', ...more)).licences;
    expect(await listed('--search', 'import-b@example.org')).toMatchObject([{ id }]);
    expect(await listed('--search', id, '--email', 'import-a@example.org')).toEqual([]);
    expect(await listed('--search', id, '--product', 'pavis')).toHaveLength(1);
    expect(exported).toMatchObject([{ email: 'import-b@example.org', sites_allowed: 3 }]);

    writeFileSync(file, 'email,tier\nimport-c@example.org,pro\nnobody,pro\n');
    const wrong = await pavis(['licence', 'issue-bulk', file, '--expires', '2030-01-01'], env);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('1 line is invalid: nothing was issued');
    expect(wrong.stdout).toMatch(/3 +nobody/);
    const counted = [
      'issue-bulk',
      '--count',
      '2',
      '--email',
      'count@example.org',
      '--tier',
      'starter',
    ];
    expect((await licence(...counted, '--expires', '2030-01-01', '--test')).lines).toMatchObject([
      { licence_key: expect.stringMatching(/^pv_test_/) },
      { licence_key: expect.stringMatching(/^pv_test_/) },
    ]);
    expect(await licence('list', '--email', 'import-c@example.org')).toEqual({ licences: [] });
  });

  it('issues licences in bulk with a validity in days, from a file that Excel wrote', async () => {
    const file = join(folder, 'days.csv');
    writeFileSync(
      file,
      '\uFEFFsep=;\r\nemail;days\r\nin-days@example.org;30\r\nothers@example.org;\r\n',
    );
    const args = ['issue-bulk', file, '--tier', 'pro', '--days', '365'];
    const { lines } = await licence(...args);
    expect(lines.map(({ line }: { line: number }) => line)).toEqual([3, 4]);
    const days = lines.map(({ expires_at }: { expires_at: string }) =>
      Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000),
    );
    expect(days).toEqual([30, 365]);
    const both = await pavis(['licence', ...args, '--expires', '2030-01-01'], env);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--days')]);
  });

  it('transfers a licence to another customer, with its key and sites', async () => {
    const { id, key } = await issue('--days', '30');
    await server.http.site('activate', key, SITE);
    expect(await licence('transfer', id, '--email', 'New@Example.org')).toMatchObject({ id });
    const { licences } = await licence('list', '--email', 'new@example.org');
    expect(licences).toMatchObject([{ id, sites_used: 1 }]);
    expect((await validate(key)).json).toMatchObject({ valid: true, site_active: true });
    const { events } = await licence('show', id);
    expect(events.at(-1)).toMatchObject({
      action: 'transferred',
      details: { from_email: 'buyer@example.org', to_email: 'new@example.org' },
    });
    expect(await refused('transfer', id, '--email', 'new@example.org')).toContain('already');
  });

  it('sends the key by email on request, and does not store it', async () => {
    const { key } = await issue('--perpetual', '--mail');
    await expect.poll(async () => (await mails()).length).toBe(1);
    expect((await mails())[0]?.text).toContain(key);
    const database = readFileSync(join(folder, 'pavis.db'), 'latin1');
    expect(database.includes(key.slice('pv_live_'.length))).toBe(false);
  });

  it('signs a file that the public key verifies', async () => {
    const { id } = await issue('--days', '3');
    const { file, valid_until } = await licence('file', id);
    const keys = createLocalJWKSet((await server.http.get('/licence/public-key')).json);
    const { payload } = await jwtVerify(file, keys, { issuer: 'pavis', algorithms: ['EdDSA'] });
    expect(payload).toMatchObject({ sub: id, tier: 'pro', mode: 'live', sites_allowed: 3 });
    expect(Date.parse(valid_until) - Date.now()).toBeLessThanOrEqual(3 * 86_400_000);
    const revoked = await pavis(['licence', 'revoke', id], env);
    expect(revoked.stdout).toMatch(/^Licence \w+ revoked \([^\n]+\)\.\n$/);
    expect(await refused('file', id)).toContain('revoked');
  });

  it('changes a licence, effective on the server within a second, and logs each change', async () => {
    const { id, key } = await issue('--days', '30');
    await server.http.site('activate', key, SITE);
    const states: [string[], string, boolean][] = [
      [['suspend', id], 'suspended', false],
      [['reinstate', id], 'active', true],
      [['extend', id, '--expires', '2020-01-01T00:00:00Z'], 'expired', false],
      [['extend', id, '--expires', '2030-01-01T00:00:00Z'], 'active', true],
      [['revoke', id, '--reason', 'Chargeback of order 1001'], 'revoked', false],
    ];
    for (const [args, status, valid] of states) {
      await validate(key);
      expect(await licence(...args)).toMatchObject({ id, status });
      await soon(async () => expect((await validate(key)).json.valid).toBe(valid));
    }

    const shown = await licence('show', id);
    expect(shown).toMatchObject({ id, status: 'revoked', sites_used: 1 });
    expect(shown.activations).toMatchObject([{ site_url: SITE, deactivated_at: null }]);
    const commandLine = expect.stringMatching(/^command line/);
    expect(shown.events).toMatchObject([
      { action: 'issued', actor: commandLine, at: expect.stringMatching(MOMENT) },
      { action: 'activated', actor: 'licence key', details: { site_url: SITE } },
      { action: 'suspended', actor: commandLine },
      { action: 'reinstated', actor: commandLine },
      { action: 'extended', details: { to: '2020-01-01T00:00:00.000Z' } },
      { action: 'extended', details: { from: '2020-01-01T00:00:00.000Z' } },
      {
        action: 'revoked',
        actor: commandLine,
        details: { reason: 'Chargeback of order 1001' },
      },
    ]);
    expect(JSON.stringify(shown)).not.toContain(key);
  });

  it('rejects what the state of the licence does not allow, and changes nothing', async () => {
    const { id } = await issue('--days', '30');
    expect(await refused('reinstate', id)).toContain('not suspended');
    await licence('suspend', id);
    expect(await refused('suspend', id)).toContain('already suspended');
    const db = new DatabaseSync(join(folder, 'pavis.db'), { timeout: 5_000 });
    db.prepare(`insert into purchases (session_id, licence_id, tier, expires_at, grace_days, is_suspended, is_revoked, renews)
      select 'cs_paid', id, 'pro', expires_at, 0, 0, 0, 1 from licences where public_id = ?`).run(
      id,
    );
    db.close();
    const { stdout } = await pavis(['licence', 'revoke', id], env);
    expect(stdout).toContain('cancel it in Stripe, or the customer goes on paying');
    for (const verb of ['suspend', 'reinstate', 'revoke', 'reroll']) {
      expect(await refused(verb, id)).toContain('revoked');
    }
    const { events } = await licence('show', id);
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'issued',
      'suspended',
      'revoked',
    ]);
  });

  it('rejects every operation on an unknown licence', async () => {
    const verbs = ['show', 'extend --expires 2030-01-01', 'suspend', 'reroll'];
    for (const verb of verbs) {
      expect(await refused(...verb.split(' '), 'lic_unknown')).toContain('lic_unknown');
    }
  });

  it('rotates a key: the old one is rejected at once, or works until the overlap ends', async () => {
    const { id, key } = await issue('--days', '30');
    await server.http.site('activate', key, SITE);
    await validate(key);
    const { key: second, ...shown } = await licence('reroll', id);
    expect(shown).toMatchObject({ id, status: 'active' });
    await soon(async () => expect((await validate(key)).status).toBe(404));
    expect((await server.http.site('activate', key, SITE)).status).toBe(404);
    expect((await validate(second)).json).toMatchObject({ valid: true, site_active: true });

    const { key: third } = await licence('reroll', id, '--overlap-hours', '2');
    for (const works of [second, third]) {
      expect((await validate(works)).json).toMatchObject({ valid: true, site_active: true });
      expect((await server.http.site('activate', works, SITE)).status).toBe(200);
    }
    // Rotating without overlap revokes a leaked key, also during an overlap.
    const { key: fourth } = await licence('reroll', id);
    for (const gone of [second, third]) {
      await soon(async () => expect((await validate(gone)).status).toBe(404));
    }
    expect((await validate(fourth)).json.valid).toBe(true);
    const { events } = await licence('show', id);
    expect(events.slice(2)).toMatchObject([
      { action: 'rerolled', details: { overlap_hours: 0 } },
      { action: 'rerolled', details: { overlap_hours: 2 } },
      { action: 'rerolled', details: { new_key: `${fourth.slice(0, 12)}…${fourth.slice(-4)}` } },
    ]);
  });

  it('sends the new key and the end of the overlap to the customer, unless told not to', async () => {
    const { id, key, email } = await issue('--days', '30');
    const { key: second } = await licence('reroll', id);
    const { key: third } = await licence('reroll', id, '--overlap-hours', '2');
    const { key: fourth } = await licence('reroll', id, '--no-mail');
    // Mails about other licences can still be on their way.
    const arrived = async () =>
      (await mails()).filter(({ text }) =>
        [second, third, fourth].some((each) => text?.includes(each)),
      );
    await expect.poll(async () => (await arrived()).length).toBe(2);
    const [atOnce, overlapping] = await arrived();
    const mask = (text: string) => `${text.slice(0, 12)}…${text.slice(-4)}`;
    expect(atOnce).toMatchObject({
      subject: 'Your licence has a new key',
      to: [{ address: email }],
      text: expect.stringContaining(second),
    });
    expect(atOnce?.text).toContain(`The old key, ${mask(key)}, no longer works.`);
    expect(overlapping?.text).toContain(third);
    const { events } = await licence('show', id);
    const until = new Date(Date.parse(events[2].at) + 7_200_000).toISOString();
    const day = new Date(until).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const moment = `${day}, ${until.slice(11, 16)} UTC`;
    expect(overlapping?.text).toContain(`The old key, ${mask(second)}, works until ${moment}.`);
    for (const name of readdirSync(folder).filter((each) => each.startsWith('pavis.db'))) {
      const bytes = readFileSync(join(folder, name), 'latin1');
      for (const each of [key, second, third, fourth]) {
        expect(bytes.includes(each.slice('pv_live_'.length))).toBe(false);
      }
    }
  });

  it('lists more licences than a statement can name', async () => {
    await issue('--days', '30');
    const db = new DatabaseSync(join(folder, 'pavis.db'), { timeout: 5_000 });
    db.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 40000)
      insert into licences (public_id, customer_id, mode, tier, sites_allowed, grace_days, development_sites_free, issued_at, expires_at)
      select 'lic_many_' || i, (select id from customers limit 1), 'live', 'pro', 3, 0, 0, 1, 2 from n`);
    const { licences } = await licence('list', '--limit', '100000');
    db.exec(`delete from licences where public_id like 'lic_many_%'`);
    db.close();
    expect(licences.length).toBeGreaterThan(40_000);
  });

  it('deletes a customer without active licences, and lists before what remains', async () => {
    const email = 'leaving@example.org';
    const { id, key } = await licence('issue', '--email', email, '--tier', 'pro', '--days', '30');
    await server.http.site('activate', key, SITE);
    const remove = (address: string, ...more: string[]) =>
      pavis(['customer', 'delete', address, ...more], env);
    const early = await remove(email, '--json');
    expect([early.code, early.stdout]).toEqual([1, '']);
    expect(early.stderr).toMatch(/^pavis: [^\n]+\n$/);
    for (const part of [email, id, 'neither expired nor been revoked']) {
      expect(early.stderr).toContain(part);
    }
    await licence('revoke', id);
    const { records } = await pavisJson(['customer', 'delete', 'Leaving@Example.org'], env);
    expect(records).toContainEqual(
      expect.objectContaining({ category: 'customers', anonymised: 1, kept: [] }),
    );
    const shown = await licence('show', id);
    expect(shown.activations).toMatchObject([{ site_url: 'https://anonymised.invalid' }]);
    expect(shown.events.at(-1).action).toBe('customer_deleted');
    const again = await remove(email);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('No customer has')]);
  });

  it('creates a bearer token for a customer, and rejects an invalid email address', async () => {
    await issue('--days', '30');
    const askedAt = Date.now();
    const { token, expires_at, ...rest } = await pavisJson(
      ['customer', 'token', 'BUYER@example.org'],
      env,
    );
    expect(rest).toEqual({});
    const createdAt = Date.parse(expires_at) - 3_600_000;
    expect(createdAt).toBeGreaterThan(askedAt - 1_000);
    expect(createdAt).toBeLessThanOrEqual(Date.now());
    const headers = { authorization: `Bearer ${token}` };
    expect((await server.http.get('/customer/licences', { headers })).status).toBe(200);
    const unknown = await pavis(['customer', 'token', 'nobody@example.org', '--json'], env);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^pavis: [^\n]+\n$/);
  });
});

describe('the payments of a licence', () => {
  const server = useServerProcess({
    PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  });
  it('have their amounts in the unit of the currency, and in JSON as the payment service counts them', async () => {
    const now = Date.now();
    const { session, invoice } = bought(1);
    const { id: ordered } = (await server.http.post('/checkout/session', { body: {} })).json;
    const paid = { currency: 'eur', amount_paid: 4_900 };
    for (const payload of [
      stripeEvent('checkout.session.completed', now, session({ id: ordered })),
      stripeEvent('invoice.paid', now, invoice(1, now + 365 * 86_400_000, 4_900, paid)),
    ]) {
      const headers = { 'stripe-signature': createSignature(payload, now) };
      const { status } = await server.http.post('/webhooks/stripe', { headers, body: payload });
      expect(status).toBe(200);
    }
    const { licences } = await pavisJson(['licence', 'list'], server.env);
    const [{ id }] = licences;
    const { events } = await pavisJson(['licence', 'show', id], server.env);
    expect(events.at(-1)).toMatchObject({
      action: 'payment_received',
      details: { amount: 4_900, currency: 'EUR' },
    });
    const { stdout } = await pavis(['licence', 'show', id], server.env);
    expect(stdout).toMatch(/payment_received .*€49\.00/);
    expect(stdout).not.toContain('4900');
  });
});

describe('an address at which the server cannot listen', () => {
  it('ends the start with exit code 1 and one line that names the port in use', async () => {
    const folder = dataFolder();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const env = { PAVIS_DATA_DIR: folder.path, PAVIS_PORT: String(port) };
      const { code, stdout, stderr } = await pavis(['serve', '--json'], env);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(new RegExp(`^pavis: port ${port} [^\n]*PAVIS_PORT[^\n]*\n$`));
    } finally {
      other.close();
      folder.remove();
    }
  });

  it('has a message of its own for an address of another machine', async () => {
    const folder = dataFolder();
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_PORT: '0', PAVIS_HOST: '192.0.2.1' };
    const { code, stderr } = await pavis(['serve', '--json'], env);
    expect([code, stderr]).toEqual([
      1,
      'pavis: 192.0.2.1 is not an address of this machine. Set PAVIS_HOST to one, for example 127.0.0.1\n',
    ]);
    folder.remove();
  });
});
