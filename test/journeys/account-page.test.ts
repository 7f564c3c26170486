import { beforeAll, describe, expect, it } from 'vitest';
import {
  editLicence,
  suspendLicence,
  UNLIMITED_SITES,
} from '../../src/licensing/licences/index.ts';
import { createPlan, createProduct, updatePlan } from '../../src/licensing/products/index.ts';
import { ENGINES } from '../support/engines.ts';
import { createBearerHeader, makeLicence, makeMoreLicences } from '../support/makers.ts';
import { readMailText } from '../support/outbox.ts';
import { attribute, getText, plainBrowser } from '../support/plain-browser.ts';
import { type TestApp, useTestApp } from '../support/test-app.ts';

const tokenIn = (text: string): string =>
  /\/account\/sign-in\?token=([\w-]+)/.exec(text)?.[1] ?? '';

/** What a customer does in a browser without scripts. */
function desk(app: TestApp) {
  const visitor = () => plainBrowser(() => app.url);
  const ask = async (email: string) => {
    const browser = visitor();
    const form = await browser.open('/account/');
    return { browser, page: await browser.submit(form, 'link', { email }) };
  };
  /** The token of the latest link sent to an email address. */
  const tokenFor = async (email: string) => {
    const mail = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['body_text', 'sealed'])
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    return tokenIn(readMailText(app.platform, mail));
  };
  return {
    visitor,
    ask,
    tokenFor,
    async signIn(email: string) {
      const { browser } = await ask(email);
      const page = await browser.open(`/account/sign-in?token=${await tokenFor(email)}`);
      return { browser, page: await browser.submit(page, 'sign-in') };
    },
  };
}

describe.each(ENGINES)('the account pages on %s', (engine) => {
  const app = useTestApp(engine);
  const { visitor, ask, tokenFor, signIn } = desk(app);

  it('signs a customer in by email and lists their licences, without scripts', async () => {
    const { key, id, email } = await makeLicence(app.platform, {
      expiresAt: Date.parse('2027-11-21T00:00:00.000Z'),
    });
    await app.http.site('activate', key, 'https://one.example.com');
    const { page } = await signIn(email);
    expect(page.status).toBe(200);
    expect(page.url).toBe(`${app.url}/account/`);
    const masked = `${key.slice(0, 12)}…${key.slice(-4)}`;
    for (const part of [id, masked, 'Pro', 'Active', '21 November 2027', '1 of 3']) {
      expect(page.text).toContain(part);
    }
    expect(page.text).toContain('https://one.example.com');
    expect(page.html).not.toContain(key);
    expect(page.html).not.toContain('theirs');
  });

  it('responds the same to an unknown email address', async () => {
    const { email } = await makeLicence(app.platform);
    const [known, unknown] = [await ask(email), await ask('nobody@example.com')];
    expect(known.page.html).toBe(unknown.page.html);
    expect(known.page.text).toContain('Check your inbox');
    const wrong = await ask('no address');
    expect(wrong.page.status).toBe(400);
    expect(wrong.page.fields('link')).toEqual({ email: 'no address' });
    const [field] = wrong.page.all((each) => attribute(each, 'id') === 'email');
    expect(field && attribute(field, 'aria-describedby')).toBe('email-hint email-wrong');
  });

  it('signs in by the button and not by opening the link, once, with an HttpOnly cookie', async () => {
    const { email } = await makeLicence(app.platform);
    const { browser } = await ask(email);
    const token = await tokenFor(email);
    const url = `/account/sign-in?token=${token}`;
    await browser.open(url);
    const page = await browser.open(url);
    expect(browser.cookies.size).toBe(0);
    const answer = await fetch(`${app.url}/account/sign-in`, {
      method: 'POST',
      body: new URLSearchParams(page.fields('sign-in')),
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, './']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^pavis_account=[\w.-]+; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    );
    const again = await browser.submit(page, 'sign-in');
    expect([again.status, again.title]).toEqual([404, expect.stringContaining('no longer works')]);
    expect(app.logged()).not.toContain(token);
  });

  it('deactivates a site, which frees its slot and stays in the history', async () => {
    const { key, email } = await makeLicence(app.platform);
    for (const site of ['https://a.example.com', 'https://b.example.com/<b>']) {
      await app.http.site('activate', key, site);
    }
    const { browser, page } = await signIn(email);
    expect(page.text).toContain('2 of 3');
    expect(page.html).not.toContain('<b>');
    const [, first] = page.all((each) => attribute(each, 'name') === 'activation');
    expect(page.fields('deactivate')).toHaveProperty('activation');
    const after = await browser.submit(page, 'deactivate', {
      activation: (first && attribute(first, 'value')) ?? '',
    });
    expect(after.text).toContain('Site deactivated');
    expect(after.text).toContain('1 of 3');
    const ends = after.all((each) => attribute(each, 'data-title') === 'Deactivated');
    expect(ends.map((each) => getText(each))).toEqual(expect.arrayContaining(['no']));
    const { json } = await app.http.site('validate', key, 'https://b.example.com/<b>');
    expect(json).toMatchObject({ sites_used: 1 });
    expect(after.text).toContain('b.example.com');
  });

  it('does not suggest to activate a site where none can be activated', async () => {
    const { key, id, email } = await makeLicence(app.platform);
    for (const site of ['a', 'b'])
      await app.http.site('activate', key, `https://${site}.example.com`);
    await editLicence(app.platform, id, { edits: { sites_allowed: 1 } }, 'test');
    const { browser, page } = await signIn(email);
    const full = await browser.submit(page, 'deactivate');
    expect(full.text).toContain('1 of 1');
    expect(full.text).not.toContain('another one');
    const empty = await browser.submit(full, 'deactivate');
    expect(empty.text).toContain('No activated sites. Enter the key');
    await suspendLicence(app.platform, id, 'test');
    const suspended = await browser.open('/account/');
    expect(suspended.text).toContain('No activated sites.');
    expect(suspended.text).not.toContain('Enter the key');
  });

  describe('the help link of a full licence', () => {
    const NEW = 'https://new.example.com/shop';

    /** A licence whose only slot is in use, and the help link of the refused site. */
    async function makeFull() {
      const licence = await makeLicence(app.platform, { sitesAllowed: 1 });
      await app.http.site('activate', licence.key, 'https://old.example.com');
      const { json } = await app.http.site('activate', licence.key, NEW);
      return { ...licence, help: json.help_url as string };
    }

    it('leads through the sign-in to the page that deactivates one site and uses the other', async () => {
      const { key, email, help } = await makeFull();
      const browser = visitor();
      const form = await browser.open(help);
      expect(form.text).toContain(`Sign in to use your licence on ${NEW}`);
      await browser.submit(form, 'link', { email });
      const mail = await app.platform.datastore.db
        .selectFrom('outbox_mails')
        .select(['body_text', 'sealed'])
        .where('recipient', '=', email)
        .executeTakeFirstOrThrow();
      // Another device than the one that opened the help link.
      const phone = visitor();
      const link = /http\S+sign-in\S+/.exec(readMailText(app.platform, mail))?.[0] ?? '';
      const page = await phone.submit(await phone.open(link), 'sign-in');
      expect(page.url).toBe(help);
      for (const part of [NEW, 'https://old.example.com', 'only activation'])
        expect(page.text).toContain(part);
      const done = await phone.submit(page, 'switch-site');
      expect(done.text).toContain('The site is active');
      expect((await app.http.site('validate', key, NEW)).json.site_active).toBe(true);
      expect((await phone.open(help)).text).toContain('This site is already active');
    });

    it('says nothing to strangers about a licence, its sites and its customer', async () => {
      const { id, email, help } = await makeFull();
      const known = await visitor().open(help);
      const unknown = await visitor().open(help.replace(id, 'lic_0000000000000000'));
      expect([known.status, unknown.status]).toEqual([200, 200]);
      expect(known.html.replaceAll(id, 'lic_0000000000000000')).toBe(unknown.html);
      for (const secret of [email, 'old.example.com']) expect(known.html).not.toContain(secret);
      const stranger = await makeLicence(app.platform);
      const { browser } = await signIn(stranger.email);
      const [theirs, none] = [
        await browser.open(help),
        await browser.open(help.replace(id, 'lic_0000000000000000')),
      ];
      expect([theirs.status, theirs.html]).toEqual([404, none.html]);
    });

    it('changes nothing and says so if the slot was taken in the meantime', async () => {
      const { key, email, help } = await makeFull();
      const { browser } = await signIn(email);
      const page = await browser.open(help);
      await browser.submit(page, 'switch-site', { site: 'https://faster.example.com' });
      const late = await browser.submit(page, 'switch-site');
      expect(late.status).toBe(403);
      expect(late.text).toContain('Nothing has changed');
      expect(late.text).toContain('https://faster.example.com');
      expect((await app.http.site('validate', key, NEW)).json.site_active).toBe(false);
    });

    it('asks for a choice, and rejects forms from other sites', async () => {
      const { email, help } = await makeFull();
      const { browser } = await signIn(email);
      const page = await browser.open(help);
      const unchosen = await browser.submit(page, 'switch-site', { activation: '' });
      expect(unchosen.text).toContain('Choose a site to deactivate.');
      const fields = page.fields('switch-site');
      const forged = await browser.post('/account/switch-site', { ...fields, form: 'x' });
      expect(forged.status).toBe(403);
      const away = await visitor().post('/account/switch-site', fields);
      expect(away.text).toContain('Sign in to use your licence');
    });

    it('shows a free slot, more sites than allowed, and a licence that cannot be used', async () => {
      const { key, id, email, help } = await makeFull();
      const { browser } = await signIn(email);
      await editLicence(app.platform, id, { edits: { sites_allowed: 3 } }, 'test');
      const free = await browser.open(help);
      expect(free.text).toContain('1 of 3 activations of this licence are in use, so no site');
      for (const site of ['https://b.example.com', 'https://c.example.com'])
        await app.http.site('activate', key, site);
      await editLicence(app.platform, id, { edits: { sites_allowed: 2 } }, 'test');
      expect((await browser.open(help)).text).toContain('3 sites are active, but the licence');
      await suspendLicence(app.platform, id, 'test');
      expect((await browser.open(help)).text).toContain('Suspended');
    });

    it.each([
      [
        'en',
        '1 (unlimited)',
        'This licence allows unlimited sites, so no site has to be deactivated.',
      ],
      ['de', '1 (unbegrenzt)', 'Diese Lizenz gilt für unbegrenzt viele Websites.'],
    ])('shows a licence with unlimited sites, in %s', async (language, used, free) => {
      const { id, email, help } = await makeFull();
      const { browser } = await signIn(email);
      const edits = { sites_allowed: UNLIMITED_SITES };
      await editLicence(app.platform, id, { edits }, 'test');
      const reader = plainBrowser(() => app.url, { 'accept-language': language });
      for (const [name, value] of browser.cookies) reader.cookies.set(name, value);
      const account = await reader.open('/account/');
      expect(account.text).toContain(used);
      const page = await reader.open(help);
      expect(page.text).toContain(free);
      expect(account.text + page.text).not.toMatch(/\b1000000\b/);
    });

    it.each(['', '?licence=lic_x', '?licence=lic_x&site=shop', '?site=https://shop.example'])(
      'is not found without a licence and a site: %s',
      async (query) => {
        expect((await visitor().open(`/account/switch-site${query}`)).status).toBe(404);
      },
    );

    it('speaks German', async () => {
      const { email, help } = await makeFull();
      const browser = plainBrowser(() => app.url, { 'accept-language': 'de' });
      const form = await browser.open(help);
      expect(form.text).toContain(`Melden Sie sich an, um Ihre Lizenz auf ${NEW} zu verwenden`);
      const signedIn = await signIn(email);
      for (const [name, value] of signedIn.browser.cookies) browser.cookies.set(name, value);
      const page = await browser.open(help);
      expect(page.text).toContain(`Gewählte Website deaktivieren und ${NEW} verwenden`);
    });
  });

  it('emails a new key to a customer who lost theirs, once an hour', async () => {
    const { email } = await makeLicence(app.platform);
    app.clock.advance(3_600_000);
    const { browser, page } = await signIn(email);
    const after = await browser.submit(page, 'new-key');
    expect(after.text).toContain('A new key is on its way');
    expect((await browser.submit(after, 'new-key')).text).toContain('less than an hour old');
  });

  it('lets a customer download a licence file', async () => {
    const { id, email } = await makeLicence(app.platform);
    const { browser, page } = await signIn(email);
    expect(page.text).toContain('Licence file for a site without internet access');
    const { headers, html } = await browser.submit(page, 'licence-file');
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'application/jwt',
      `attachment; filename="${id}.jwt"`,
    ]);
    expect(html).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('rejects forms from other sites and licences of other customers', async () => {
    const mine = await makeLicence(app.platform);
    const theirs = await makeLicence(app.platform);
    await app.http.site('activate', theirs.key, 'https://theirs.example.com');
    await app.http.site('activate', mine.key, 'https://mine.example.com');
    const { browser, page } = await signIn(mine.email);
    const fields = page.fields('deactivate');

    for (const form of ['', 'x'.repeat(22)]) {
      expect((await browser.post('/account/deactivate', { ...fields, form })).status).toBe(403);
      expect((await browser.post('/account/sign-out', { form })).status).toBe(403);
    }
    const stranger = visitor();
    await stranger.post('/account/deactivate', fields);
    const crossSite = await fetch(`${app.url}/account/deactivate`, {
      method: 'POST',
      headers: {
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join(),
        'sec-fetch-site': 'cross-site',
      },
      body: new URLSearchParams(fields),
    });
    expect(crossSite.status).toBe(403);
    expect((await browser.open('/account/')).text).toContain('1 of 3');

    const theirInfo = await signIn(theirs.email);
    const { licence, activation } = theirInfo.page.fields('deactivate');
    const answer = await browser.post('/account/deactivate', {
      form: fields.form ?? '',
      licence: licence ?? '',
      activation: activation ?? '',
    });
    expect(answer.status).toBe(404);
    expect((await theirInfo.browser.open('/account/')).text).toContain('1 of 3');
  });

  it.each([
    { licence: '', activation: '' },
    { licence: '../..', activation: '1' },
    { licence: 'x'.repeat(5_000), activation: '1e99' },
    { licence: '%00', activation: '-1' },
    { licence: 'lic_\u0000', activation: '1' },
  ])('responds to an invalid form with a page: %o', async (typed) => {
    const { key, email } = await makeLicence(app.platform);
    await app.http.site('activate', key, 'https://example.com');
    const { browser, page } = await signIn(email);
    const answer = await browser.submit(page, 'deactivate', typed);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  it('responds to an invalid page of licences with a page', async () => {
    const { email } = await makeLicence(app.platform);
    const { browser } = await signIn(email);
    const { status, headers } = await browser.open('/account/?before=%00');
    expect([status, headers.get('content-type')]).toEqual([
      400,
      expect.stringContaining('text/html'),
    ]);
  });

  it('signs out of this browser, which also ends a copied cookie, and everywhere', async () => {
    const { email } = await makeLicence(app.platform);
    const first = await signIn(email);
    const second = await signIn(email);
    const copy = visitor();
    for (const [name, value] of first.browser.cookies) copy.cookies.set(name, value);
    expect((await copy.open('/account/')).title).toContain('Your licences');
    const out = await first.browser.submit(first.page, 'sign-out');
    expect(out.text).toContain('You are signed out.');
    expect(first.browser.cookies.size).toBe(0);
    expect((await copy.open('/account/')).title).toContain('Sign in');
    expect((await second.browser.open('/account/')).title).toContain('Your licences');
    const third = await signIn(email);
    const everywhere = await third.browser.submit(third.page, 'sign-out', { where: 'everywhere' });
    expect(everywhere.text).toContain('on all devices');
    expect((await second.browser.open('/account/')).title).toContain('Sign in');
    expect(second.browser.cookies.size).toBe(0);
  });

  it('asks to sign in again after an hour', async () => {
    const { email } = await makeLicence(app.platform);
    const { browser } = await signIn(email);
    app.clock.advance(2 * 3_600_000);
    const page = await browser.open('/account/');
    expect(page.text).toContain('Your session has ended.');
    expect(page.fields('link')).toEqual({ email: '' });
  });

  it('says only what is true of a session that was ended on another device or in another tab', async () => {
    const { email } = await makeLicence(app.platform);
    const phone = await signIn(email);
    const laptop = await signIn(email);
    const out = await phone.browser.submit(phone.page, 'sign-out', { where: 'everywhere' });
    // Back, after signing in again.
    await ask(email);
    const signedIn = await phone.browser.open(`/account/sign-in?token=${await tokenFor(email)}`);
    await phone.browser.submit(signedIn, 'sign-in');
    const back = await phone.browser.open(out.url.slice(app.url.length));
    expect(back.title).toContain('Your licences');
    expect(back.text).not.toContain('You are signed out');

    // A page that was open before, on this device and on the other one.
    const stale = await phone.browser.submit(phone.page, 'sign-out');
    expect([stale.status, stale.text]).toEqual([
      403,
      expect.stringContaining('from an earlier session'),
    ]);
    const everywhere = await laptop.browser.submit(laptop.page, 'sign-out', {
      where: 'everywhere',
    });
    expect(everywhere.text).toContain('Your session has ended.');
    expect(everywhere.text).not.toContain('You are signed out');
    expect((await phone.browser.open('/account/')).title).toContain('Your licences');
  });

  it('shows licence problems, and a licence without an end', async () => {
    const { id, email } = await makeLicence(app.platform, { mode: 'test' });
    await suspendLicence(app.platform, id, 'test');
    await makeLicence(app.platform, { email, expiresAt: app.clock.now() - 1_000 });
    const { browser, page } = await signIn(email);
    for (const part of ['Suspended', '(test)', 'Expired', 'Expired on']) {
      expect(page.text).toContain(part);
    }
    expect(page.text).toMatch(/Valid until\s*No end \(lifetime\)/);
    expect(page.text).not.toContain('Expires on');
    const german = plainBrowser(() => app.url, { 'accept-language': 'de' });
    for (const [name, value] of browser.cookies) german.cookies.set(name, value);
    for (const path of ['/account/', `/account/renew?licence=${id}`])
      expect((await german.open(path)).text).toMatch(/Gültig bis\s*Kein Ende \(unbegrenzt\)/);
  });

  it('shows until when a licence in its grace period works and was paid', async () => {
    const day = 86_400_000;
    const paid = app.clock.now() - day;
    const { email } = await makeLicence(app.platform, { expiresAt: paid, graceDays: 14 });
    const { page } = await signIn(email);
    const dateOf = (at: number) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
    expect(page.text).toContain(`The licence keeps working until ${dateOf(paid + 14 * day)}`);
    expect(page.text).toMatch(new RegExp(`Paid until\\s*${dateOf(paid)}`));
    expect(page.text).toMatch(new RegExp(`Expires on\\s*${dateOf(paid + 14 * day)}`));
  });

  it('paginates the licences of a customer, 100 per page', async () => {
    const { email, id: oldest } = await makeLicence(app.platform);
    await makeMoreLicences(app.platform, email, 1_150);
    const { browser, page: first } = await signIn(email);
    const seen = new Set<string>();
    let page = first;
    for (let pages = 1; ; pages++) {
      const ids = [...page.html.matchAll(/<h2 id="(lic_\w+)"/g)].map(([, id = '']) => id);
      for (const id of ids) seen.add(id);
      const older = /href="\.\/(\?before=\w+)"/.exec(page.html)?.[1];
      if (!older) {
        expect(pages).toBe(12);
        break;
      }
      expect(ids).toHaveLength(100);
      page = await browser.open(`/account/${older}`);
    }
    expect(seen.size).toBe(1_151);
    expect(seen.has(oldest)).toBe(true);
  });

  it('searches the licences of a customer by active site and end of the key', async () => {
    const { email, id: first } = await makeLicence(app.platform);
    const other = await makeLicence(app.platform, { email });
    expect((await signIn(email)).page.html).not.toContain('type="search"');
    await makeMoreLicences(app.platform, email, 120);
    await app.http.site('activate', other.key, 'https://shop.example.com/Bücher');
    const { browser, page } = await signIn(email);
    expect(page.html).toContain('type="search"');
    const find = async (text: string) => {
      const found = await browser.open(`/account/?search=${encodeURIComponent(text)}`);
      return [...found.html.matchAll(/<h2 id="(lic_\w+)"/g)].map(([, id = '']) => id);
    };
    expect(await find(' shop.EXAMPLE.com/bücher ')).toEqual([other.id]);
    expect(await find(other.key.slice(-4))).toEqual([other.id]);
    expect(await find(other.key)).toEqual([other.id]);
    expect(await find(first)).toEqual([first]);
    // The address of the customer is on all of them.
    expect(await find(email)).toEqual([]);
    const all = await browser.open('/account/?search=lic_many');
    const older = all.link('Older licences');
    expect(new URL(older).searchParams.get('search')).toBe('lic_many');
    expect((await browser.open(older)).html).not.toContain(first);
    await app.http.site('deactivate', other.key, 'https://shop.example.com/Bücher');
    const none = await browser.open('/account/?search=%22%3E%3Cb%3Eshop.example');
    expect(none.text).toContain('None of your licences matches this search.');
    expect(none.html).not.toContain('<b>');
    expect(await find('shop.example.com')).toEqual([]);
  });

  it('links to the checkout', async () => {
    const browser = visitor();
    const first = await browser.open('/account/');
    const page = await browser.open('/account/buy');
    expect(first.link('Buy')).toBe(page.url);
    expect(page.fields('buy')).toEqual({ tier: 'pro', interval: 'year' });
    const onwards = await browser.submit(page, 'buy', { tier: 'starter', interval: 'month' });
    expect(onwards.status).toBe(200);
    const checkout = await browser.open(onwards.link('Continue'));
    expect([checkout.status, checkout.text]).toEqual([200, expect.stringContaining('Starter')]);
    const [refresh] = onwards.all((each) => attribute(each, 'http-equiv') === 'refresh');
    expect(refresh && attribute(refresh, 'content')).toBe(`0; url=${onwards.link('Continue')}`);
    const odd = await browser.post('/account/buy', { tier: 'gold', interval: 'never' });
    expect(odd.text).toContain('Continue to checkout');
  });

  it('sends no-store, loads nothing, runs no script, and has a page for every error', async () => {
    const browser = visitor();
    const page = await browser.open('/account');
    expect(page.url).toBe(`${app.url}/account/`);
    expect(page.headers.get('cache-control')).toBe('no-store, private');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 's/,
    );
    expect(page.all(({ tagName }) => ['script', 'img'].includes(tagName))).toEqual([]);
    const links = page.all(({ tagName }) => tagName === 'link');
    expect(links.map((each) => attribute(each, 'href'))).toEqual([
      expect.stringMatching(/^data:image\/svg\+xml,/),
    ]);
    for (const path of ['/account/nothing', '/account/sign-in']) {
      const wrong = await browser.open(path);
      expect([wrong.status, wrong.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
    }
  });
});

describe('the account pages of a vendor with two offers', () => {
  const app = useTestApp('sqlite', {
    PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
    PAVIS_STRIPE_PRICES: 'pro/once=price_1,agency/year=price_2',
  });
  const { visitor } = desk(app);

  it('lists the offers, and explains that other combinations are not sold', async () => {
    const browser = visitor();
    const page = await browser.open('/account/buy');
    expect(page.fields('buy')).toEqual({ tier: 'pro', interval: 'once' });
    const choices = page.all((each) => attribute(each, 'type') === 'radio');
    expect(choices.map((each) => attribute(each, 'value'))).toEqual([
      'year',
      'once',
      'pro',
      'agency',
    ]);
    const other = await browser.submit(page, 'buy', { interval: 'year' });
    expect([other.status, other.text]).toEqual([
      400,
      expect.stringContaining('Available: pro/once, agency/year.'),
    ]);
  });
});

describe('the account pages of a vendor who does not sell the default product', () => {
  const app = useTestApp('sqlite', { PAVIS_STRIPE_SECRET_KEY: 'sk_test_x' });
  const { visitor, signIn } = desk(app);
  const sell = async (slug: string, name: string) => {
    await createProduct(app.platform, { slug, name }, 'test');
    const prices = { year: `price_${slug}` };
    await createPlan(app.platform, slug, { tier: 'solo', sites_allowed: 1, prices }, 'test');
  };

  it('lead to the product that is on sale, or let visitors choose one of several', async () => {
    const browser = visitor();
    expect((await browser.open('/account/buy')).status).toBe(404);
    await sell('forms', 'Forms Pro');
    const only = await browser.open('/account/buy');
    expect([new URL(only.url).search, only.fields('buy').product]).toEqual([
      '?product=forms',
      'forms',
    ]);
    expect(only.text).toContain('Buy a licence for Forms Pro');
    await sell('tables', 'Tables');
    const choice = await browser.open('/account/buy');
    expect(choice.text).toMatch(/Choose a product\..*Forms Pro.*Tables/s);
    const links = choice.all((each) => attribute(each, 'class') === 'what');
    expect(links.map((each) => attribute(each, 'href'))).toEqual([
      'buy?product=forms',
      'buy?product=tables',
    ]);
  });

  it('offer a renewal only of licences of products on sale, in the mode of the payments', async () => {
    await sell('charts', 'Charts');
    const expiresAt = app.clock.now() - 1_000;
    const { email, id } = await makeLicence(app.platform, { mode: 'test', expiresAt });
    const sold = { email, product: 'charts', tier: 'solo', expiresAt };
    const { id: soldId } = await makeLicence(app.platform, { ...sold, mode: 'test' });
    await makeLicence(app.platform, { ...sold, mode: 'live' });
    const { browser, page } = await signIn(email);
    const links = page.all((each) => /^renew/.test(attribute(each, 'href') ?? ''));
    expect(links.map((each) => attribute(each, 'href'))).toEqual([`renew?licence=${soldId}`]);
    expect(page.text.match(/Contact the vendor to renew it\./g)).toHaveLength(2);
    expect(page.text.match(/You can renew it\./g)).toHaveLength(1);
    const renewal = await browser.open(`/account/renew?licence=${id}`);
    expect(renewal.text).toContain('This licence cannot be renewed here. Contact the vendor.');
    const openSwitch = (licence: string) =>
      browser.open(`/account/switch-site?licence=${licence}&site=https://new.example.com`);
    const unsold = await openSwitch(id);
    expect(unsold.text).toContain('Expired. Contact the vendor to renew it.');
    expect(unsold.html).not.toContain('href="renew');
    const sale = await openSwitch(soldId);
    expect(sale.text).toContain('Expired. You can renew it.');
    expect(sale.link('Renew')).toContain(`renew?licence=${soldId}`);
    await app.platform.datastore.transaction((trx) =>
      trx.updateTable('licences').set({ is_trial: 1 }).where('public_id', '=', soldId).execute(),
    );
    const trial = await openSwitch(soldId);
    expect(trial.text).toContain('Expired. The free trial has ended. If you buy the licence,');
    expect(trial.link('Buy this licence')).toContain(`renew?licence=${soldId}`);
  });
});

describe('the account pages where no licences are on sale', () => {
  const app = useTestApp('sqlite', { NODE_ENV: 'production' });
  const { signIn } = desk(app);

  it('lead to the vendor instead of a renewal', async () => {
    const now = app.clock.now();
    const { email } = await makeLicence(app.platform, { expiresAt: now - 1_000 });
    await makeLicence(app.platform, { email, expiresAt: now - 1_000, graceDays: 7 });
    const { id } = await makeLicence(app.platform, { email, expiresAt: now - 1_000 });
    await app.platform.datastore.transaction((trx) =>
      trx.updateTable('licences').set({ is_trial: 1 }).where('public_id', '=', id).execute(),
    );
    const { page } = await signIn(email);
    expect(page.text.match(/Contact the vendor to renew it\./g)).toHaveLength(2);
    expect(page.text).toContain('The free trial has ended.');
    expect(page.text).not.toMatch(/You can renew|Renew it|buy/);
  });
});

describe('the account pages of a vendor who takes real payments', () => {
  const app = useTestApp('sqlite', {
    PAVIS_STRIPE_SECRET_KEY: 'sk_live_x',
    PAVIS_STRIPE_PRICES: 'pro/year=price_1',
  });
  const { signIn } = desk(app);

  it('ask to buy a live licence instead of renewing a test licence, also in German', async () => {
    const { id, email } = await makeLicence(app.platform, { mode: 'test' });
    const { browser } = await signIn(email);
    const german = plainBrowser(() => app.url, { 'accept-language': 'de' });
    for (const [name, value] of browser.cookies) german.cookies.set(name, value);
    const path = `/account/renew?licence=${id}`;
    expect((await browser.open(path)).text).toContain('Buy a live licence.');
    expect((await german.open(path)).text).toContain('Kaufen Sie eine echte Lizenz.');
  });
});

describe('the account pages while all plans are archived', () => {
  const app = useTestApp('sqlite');
  const { visitor, signIn } = desk(app);

  it('offer no licences to buy', async () => {
    const { email } = await makeLicence(app.platform);
    expect((await visitor().open('/account/')).html).toContain('href="buy"');
    for (const { slug, plans } of await app.platform.catalogue.read())
      for (const { tier } of plans) {
        const change = { edits: { archived: true } };
        await updatePlan(app.platform, { product: slug, tier }, change, 'test');
      }
    expect((await visitor().open('/account/')).html).not.toContain('href="buy"');
    const { browser, page } = await signIn(email);
    expect(page.title).toContain('Your licences');
    expect(page.html).not.toContain('href="buy"');
    expect((await browser.open('/account/buy')).status).toBe(404);
  });
});

describe('the account pages behind a proxy', () => {
  const app = useTestApp('sqlite', {
    PAVIS_BASE_URL: 'https://licences.example.com/api',
    PAVIS_RATE_LIMIT_MAGIC_LINK: '1',
  });
  const { visitor, ask, signIn } = desk(app);

  it('finds the Licence API under its prefix, limits the cookie to HTTPS and the prefix, and passes rate limits on', async () => {
    const { email } = await makeLicence(app.platform);
    const { browser, page } = await signIn(email);
    expect(page.title).toContain('Your licences');
    expect(browser.cookies.size).toBe(1);
    const planted = visitor();
    for (const [name, value] of browser.cookies) {
      expect(name).toBe('__Host-pavis_account');
      planted.cookies.set('pavis_account', value);
    }
    expect((await planted.open('/account/')).title).toContain('Sign in');
    const again = await ask(email);
    expect([again.page.status, again.page.fields('link')]).toEqual([429, { email }]);
    expect(again.page.text).toContain('Too many sign-in links');
    expect(Number(again.page.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a process without the Licence API', () => {
  const app = useTestApp('sqlite', { PAVIS_SERVICES: 'plugin' });

  it('has no account pages', async () => {
    expect((await app.http.get('/account/')).status).toBe(404);
  });
});

describe.each(ENGINES)('the trial pages on %s', (engine) => {
  const app = useTestApp(engine);
  beforeAll(async () => {
    const edits = { trial_days: 14, trial_without_card: true, description: 'For small teams.' };
    await updatePlan(app.platform, { product: 'pavis', tier: 'pro' }, { edits }, 'test');
  });
  const visitor = () => plainBrowser(() => app.url);
  const mailTo = async (email: string) => {
    const mail = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['body_text', 'sealed'])
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    return readMailText(app.platform, mail);
  };
  const ask = async (email: string, site: string) => {
    const browser = visitor();
    const form = await browser.open('/account/trial');
    return { browser, page: await browser.submit(form, 'trial', { email, site }) };
  };
  const linkIn = (text: string) => /http\S+start-trial\S+/.exec(text)?.[0] ?? '';

  it('are offered where licences are sold, and start a trial after a confirmation by email', async () => {
    const browser = visitor();
    const shop = await browser.open('/account/buy');
    const form = await browser.open(shop.link('Start a free trial of 14 days'));
    for (const part of ['No card is needed', '3 sites, 14 days. For small teams.'])
      expect(form.text).toContain(part);
    const email = 'ada@example.com';
    const site = 'https://ada.example.com';
    const mailed = await browser.submit(form, 'trial', { email, site });
    expect(mailed.text).toContain('within 24 hours');
    const link = linkIn(await mailTo(email));
    // An email scanner opens the link.
    await visitor().open(link);
    const page = await browser.open(link);
    expect(page.text).toContain('The trial ends by itself, and nothing is charged.');
    const started = await browser.submit(page, 'start-trial');
    expect(started.status).toBe(200);
    const key = /pv_test_\w{32}/.exec(started.text)?.[0] ?? '';
    expect((await app.http.site('activate', key, site)).status).toBe(200);
    const again = await browser.submit(page, 'start-trial');
    expect([again.status, again.html.includes(key)]).toEqual([409, false]);
    expect(again.text).toContain('already started');
    // The same key after the payment.
    const { id } = (
      await app.http.get('/customer/licences', {
        headers: await createBearerHeader(app.platform, email),
      })
    ).json.licences[0];
    for (const [name, value] of (await desk(app).signIn(email)).browser.cookies)
      browser.cookies.set(name, value);
    const account = await browser.open('/account/');
    for (const part of ['Trial', 'If you buy the licence, the key stays the same'])
      expect(account.text).toContain(part);
    const renewal = await browser.open(`/account/renew?licence=${id}`);
    const onwards = await browser.submit(renewal, 'renew');
    const checkout = await browser.open(onwards.link('Continue'));
    await browser.post(new URL(checkout.url).pathname, {});
    const bought = await browser.open('/account/');
    expect(bought.text).not.toContain('Trial');
    const valid = await app.http.site('validate', key, site);
    expect(valid.json).toMatchObject({ valid: true, site_active: true });
    expect(Date.parse(valid.json.expires_at)).toBeGreaterThan(app.clock.now() + 300 * 86_400_000);
  });

  it('show the same to an address that has had its trial, and the email says so', async () => {
    const first = await ask('eve@example.com', 'https://eve.example.com');
    await first.browser.submit(
      await first.browser.open(linkIn(await mailTo('eve@example.com'))),
      'start-trial',
    );
    const second = await ask('eve+two@example.com', 'https://two.example.com');
    expect(second.page.html).toBe(first.page.html);
    expect(await mailTo('eve+two@example.com')).toContain('already had it');
  });

  it.each([
    ['nobody', 'https://a.example.com', 'email'],
    ['bob@example.com', 'my site', 'site'],
    ['bob@example.com', 'http://localhost', 'site'],
  ])('say what is wrong with %s and %s, and keep what was typed', async (email, site, field) => {
    const { page } = await ask(email, site);
    expect(page.status).toBe(400);
    expect(page.fields('trial')).toMatchObject({ email, site, tier: 'pro' });
    const [wrong] = page.all((each) => attribute(each, 'aria-invalid') === 'true');
    expect(wrong && attribute(wrong, 'id')).toBe(field);
  });

  it('name the product whose trial they start', async () => {
    await createProduct(app.platform, { slug: 'forms', name: 'Forms Pro' }, 'test');
    const trial = { trial_days: 7, trial_without_card: true };
    await createPlan(app.platform, 'forms', { tier: 'solo', sites_allowed: 1, ...trial }, 'test');
    const page = await visitor().open('/account/trial?product=forms');
    expect(page.text).toContain('Start a free trial of Forms Pro');
    expect(page.title).toContain('Start a free trial of Forms Pro');
  });

  it('are not found for a product without trials, and explain a broken link', async () => {
    expect((await visitor().open('/account/trial?product=none')).status).toBe(404);
    const browser = visitor();
    const page = await browser.open('/account/start-trial?token=none');
    const failed = await browser.submit(page, 'start-trial');
    expect([failed.status, failed.text.includes('expired after 24 hours')]).toEqual([403, true]);
    expect((await browser.open('/account/start-trial')).status).toBe(404);
  });

  it('speak German', async () => {
    const browser = plainBrowser(() => app.url, { 'accept-language': 'de' });
    const shop = await browser.open('/account/buy');
    const form = await browser.open(shop.link('Kostenlose Testphase starten (14 Tage)'));
    expect(form.text).toContain('Sie brauchen keine Karte.');
    const page = await browser.submit(form, 'trial', { email: 'x', site: '' });
    expect(page.text).toContain('Geben Sie eine E-Mail-Adresse ein');
  });
});
