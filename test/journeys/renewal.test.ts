import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licenceJob } from '../../src/licensing/checkout/index.ts';
import { issueCustomerToken } from '../../src/licensing/customers/index.ts';
import {
  revokeLicence,
  suspendLicence,
  UNLIMITED_SITES,
} from '../../src/licensing/licences/index.ts';
import { updatePlan } from '../../src/licensing/products/index.ts';
import { DAY_MS } from '../../src/platform/durations.ts';
import { ENGINES } from '../support/engines.ts';
import { makeLicence } from '../support/makers.ts';
import { readMailText } from '../support/outbox.ts';
import { attribute, plainBrowser } from '../support/plain-browser.ts';
import { type StripeStandIn, stripeStandIn } from '../support/stripe.ts';
import { type TestApp, useTestApp } from '../support/test-app.ts';

const SITE = 'https://shop.example.com';

const mailsTo = (app: TestApp, email: string) =>
  app.platform.datastore.db
    .selectFrom('outbox_mails')
    .selectAll()
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .execute();
const linkIn = (text: string | null | undefined): string => /http\S+/.exec(text ?? '')?.[0] ?? '';

/** Follows the link of an email about a licence, and signs in. */
async function openFromMail(app: TestApp, email: string, link: string) {
  const browser = plainBrowser(() => app.url);
  const asked = await browser.open(link);
  expect(asked.title).toContain('Sign in to renew');
  await browser.submit(asked, 'link', { email });
  const [mail] = await mailsTo(app, email);
  const welcome = await browser.open(linkIn(readMailText(app.platform, mail)));
  return { browser, page: await browser.submit(welcome, 'sign-in') };
}

describe.each(ENGINES)('a customer with an expired licence on %s', (engine) => {
  const app = useTestApp(engine);

  it('renews it from the expiry email, with the same key and sites', async () => {
    const { key, id, email } = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: app.clock.now() + 20 * DAY_MS,
    });
    await app.platform.datastore.db
      .updateTable('licences')
      .set({ issued_at: app.clock.now() - 365 * DAY_MS })
      .where('public_id', '=', id)
      .execute();
    await app.http.site('activate', key, SITE);
    const job = licenceJob(app.platform, {
      publicUrl: () => app.url,
      canRenew: () => true,
      prices: [],
      stripe: undefined,
      wasErased: async () => false,
      expiringDays: [],
    });
    await job.runIfDue();
    app.clock.advance(DAY_MS);
    await job.runIfDue();
    const [warning] = await mailsTo(app, email);
    const link = linkIn(warning?.body_text);
    expect(link).toBe(`${app.url}/account/renew?licence=${id}`);
    expect(warning?.body_text).not.toContain(key);

    app.clock.advance(30 * DAY_MS);
    const validation = await app.http.site('validate', key, SITE);
    expect(validation.json).toMatchObject({
      valid: false,
      message: expect.stringContaining(`Renew it at ${link}`),
    });
    const refused = await app.http.site('activate', key, 'https://other.example.com');
    expect([refused.status, refused.json]).toEqual([
      403,
      { error: 'licence_expired', message: expect.stringContaining(link) },
    ]);

    const { browser, page } = await openFromMail(app, email, link);
    expect(page.url).toBe(link);
    for (const part of ['Renew your licence', id, 'Expired on', '1 of 3', 'no payment is taken']) {
      expect(page.text).toContain(part);
    }
    expect(page.fields('renew')).toMatchObject({ tier: 'pro', interval: 'year', quantity: '1' });
    const onwards = await browser.submit(page, 'renew');
    const checkout = await browser.open(onwards.link('Continue to checkout'));
    expect(checkout.text).toContain(id);
    const paid = await browser.post(checkout.url, {});
    expect(paid.text).toContain('Your licence is renewed');
    const back = await browser.open(paid.link('Continue'));
    expect(back.text).toContain('Your licence is renewed, with the same key');
    expect(back.text).toContain('Active');
    expect(back.text).toMatch(/Renews on\s*\d/);

    expect((await app.http.site('validate', key, SITE)).json).toMatchObject({
      valid: true,
      site_active: true,
      sites_used: 1,
    });
    const [mail] = await mailsTo(app, email);
    expect([mail?.kind, mail?.body_text]).toEqual([
      'licence_renewed',
      expect.stringContaining('the same key'),
    ]);

    const again = await browser.open(`/account/renew?licence=${id}`);
    expect(again.title).toContain('Change your licence');
    expect(again.text).toContain('This licence renews automatically');
    expect(again.text).toMatch(/Renews on\s*\d/);
  });

  it('is sent to the subscription, cancels it, and renews again later', async () => {
    const { key, id, email } = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: app.clock.now() - DAY_MS,
    });
    const { browser, page } = await openFromMail(
      app,
      email,
      `${app.url}/account/renew?licence=${id}`,
    );
    expect(page.text).not.toContain('billing portal');
    const onwards = await browser.submit(page, 'renew', { interval: 'month' });
    const checkout = await browser.open(onwards.link('Continue to checkout'));
    await browser.post(checkout.url, {});
    const change = await browser.open(`/account/renew?licence=${id}`);
    expect(change.fields('renew')).toMatchObject({ tier: 'pro', interval: 'month' });
    const same = await browser.submit(change, 'renew');
    expect([same.status, same.text]).toEqual([
      409,
      expect.stringContaining('renews automatically'),
    ]);
    const toPortal = await browser.submit(change, 'portal');
    const portal = await browser.open(toPortal.link('Continue to billing portal'));
    expect(portal.text).toContain('automatic');
    const cancelled = await browser.post(portal.url, {});
    expect(cancelled.text).toContain('Renewalcancelled');
    expect((await browser.open('/account/')).text).toMatch(/Expires on\s*\d/);
    app.clock.advance(60 * DAY_MS);
    expect((await app.http.site('validate', key, SITE)).json.valid).toBe(false);
    const later = await openFromMail(app, email, `${app.url}/account/renew?licence=${id}`);
    const next = await later.browser.submit(later.page, 'renew');
    const second = await later.browser.open(next.link('Continue to checkout'));
    await later.browser.post(second.url, {});
    expect((await app.http.site('validate', key, SITE)).json.valid).toBe(true);
  });

  it('is not asked to renew a licence whose automatic renewal is being paid', async () => {
    const { id, email } = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: app.clock.now() - DAY_MS,
    });
    const link = `${app.url}/account/renew?licence=${id}`;
    const { browser, page } = await openFromMail(app, email, link);
    expect((await browser.open('/account/')).text).toContain('You can renew it.');
    const onwards = await browser.submit(page, 'renew');
    const checkout = await browser.open(onwards.link('Continue to checkout'));
    await browser.post(checkout.url, {});
    for (const grace_days of [7, 0]) {
      await app.platform.datastore.db
        .updateTable('licences')
        .set({ expires_at: app.clock.now() - 1, grace_days })
        .where('public_id', '=', id)
        .execute();
      const { text } = await browser.open('/account/');
      expect(text).toContain('The licence renews automatically as soon as the payment is');
      expect(text.includes('it keeps working until')).toBe(grace_days > 0);
      expect(text).not.toMatch(/Renew it before|You can renew it|Renews on/);
    }
  });

  it('is not told that a licence is renewed that was revoked before the payment', async () => {
    const { id, email } = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: app.clock.now() - DAY_MS,
    });
    const link = `${app.url}/account/renew?licence=${id}`;
    const { browser, page } = await openFromMail(app, email, link);
    const onwards = await browser.submit(page, 'renew');
    const checkout = await browser.open(onwards.link('Continue to checkout'));
    await revokeLicence(app.platform, id, 'test');
    for (const paid of [await browser.post(checkout.url, {}), await browser.open(checkout.url)]) {
      expect(paid.title).toContain('Your licence has been revoked');
      expect(paid.text).not.toContain('renewed with');
    }
  });

  it.each([
    ['en', 'Buy this licence', 'You have bought the licence', 'The licence is yours', /renew/i],
    [
      'de',
      'Diese Lizenz kaufen',
      'Sie haben die Lizenz gekauft',
      'Die Lizenz gehört Ihnen',
      /verlänger/i,
    ],
  ])('buys a licence after a trial, and renews nothing, in %s', async (...texts) => {
    const [language, title, done, back, renewed] = texts;
    const { id, email } = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: app.clock.now() + DAY_MS,
    });
    const licences = app.platform.datastore.db.updateTable('licences').set({ is_trial: 1 });
    await licences.where('public_id', '=', id).execute();
    const { token } = await issueCustomerToken(app.platform, email);
    const browser = plainBrowser(() => app.url, { 'accept-language': language });
    browser.cookies.set('pavis_account', token);
    const page = await browser.open(`/account/renew?licence=${id}`);
    const onwards = await browser.submit(page, 'renew');
    const checkout = await browser.open(onwards.link(language === 'en' ? 'Continue' : 'Weiter'));
    const paid = await browser.post(checkout.url, {});
    const again = await browser.open(checkout.url);
    const account = await browser.open(paid.link(language === 'en' ? 'Continue' : 'Weiter'));
    expect([page.title, checkout.title, paid.title, again.text, account.text]).toEqual(
      [title, title, done, done, back].map((text) => expect.stringContaining(text)),
    );
    for (const { text } of [page, checkout, paid, again]) expect(text).not.toMatch(renewed);
  });

  it('reads the sites and the renewal of an unlimited lifetime licence as they are', async () => {
    const { id, email } = await makeLicence(app.platform, {
      mode: 'test',
      sitesAllowed: UNLIMITED_SITES,
      expiresAt: app.clock.now() - DAY_MS,
    });
    const link = `${app.url}/account/renew?licence=${id}`;
    const { browser, page } = await openFromMail(app, email, link);
    const onwards = await browser.submit(page, 'renew', { interval: 'once' });
    const checkout = await browser.open(onwards.link('Continue to checkout'));
    expect(checkout.html).toContain('<dt>Sites</dt><dd>unlimited</dd>');
    const paid = await browser.post(checkout.url, {});
    const [mail] = await mailsTo(app, email);
    expect(mail?.body_text).toContain('Sites: unlimited\n');
    expect(paid.text).toContain('It does not expire.');
    expect(paid.text).not.toContain('expiry date');
    const portal = await browser.open(checkout.url.replace('/test/', '/test/portal/'));
    expect(portal.text).toContain('Valid untilNo end (lifetime)');
    expect(portal.text).not.toMatch(/Paid until|Renewal/);
  });

  it('reads of a plan with unlimited sites that they are unlimited, however many packages are bought', async () => {
    const plan = { product: 'pavis', tier: 'agency' };
    const edits = { sites_allowed: UNLIMITED_SITES, trial_days: 14, trial_without_card: true };
    await updatePlan(app.platform, plan, { edits }, 'test');
    for (const [language, sites, phrase, word] of [
      ['en', 'Sites', 'Unlimited sites', 'unlimited'],
      ['de', 'Websites', 'Unbegrenzt viele Websites', 'unbegrenzt'],
    ] as const) {
      const browser = plainBrowser(() => app.url, { 'accept-language': language });
      const email = `unlimited-${language}-${engine}@example.com`;
      const shop = await browser.open('/account/buy');
      const trial = await browser.open('/account/trial');
      const visitor = {
        email: `trial-${email}`,
        site: `https://${language}-${engine}.example.com`,
      };
      await browser.submit(trial, 'trial', visitor);
      const [mail] = await mailsTo(app, visitor.email);
      const toStart = await browser.open(linkIn(readMailText(app.platform, mail)));
      const started = await browser.submit(toStart, 'start-trial');
      const { json } = await app.http.post('/checkout/session', {
        body: { tier: 'agency', quantity: 2, email },
      });
      const checkout = await browser.open(json.url);
      const paid = await browser.post(json.url, {});
      const { token } = await issueCustomerToken(app.platform, email);
      browser.cookies.set('pavis_account', token);
      const { licences } = (
        await app.http.get('/customer/licences', { headers: { authorization: `Bearer ${token}` } })
      ).json;
      expect(licences).toMatchObject([{ sites_allowed: UNLIMITED_SITES }]);
      const renewal = await browser.open(`/account/renew?licence=${licences[0].id}`);
      for (const page of [shop, trial]) expect(page.text).toContain(phrase);
      for (const page of [checkout, paid, started])
        expect(page.html).toContain(`<dt>${sites}</dt><dd>${word}</dd>`);
      expect(renewal.text).toContain(`Agency ${word}`);
      for (const page of [shop, trial, started, checkout, paid, renewal])
        expect(page.text).not.toContain('000000');
    }
    await updatePlan(
      app.platform,
      plan,
      { edits: { sites_allowed: 25, trial_days: 0, trial_without_card: false } },
      'test',
    );
  });

  it('reads the test checkout in the language of the other pages', async () => {
    const browser = plainBrowser(() => app.url, { 'accept-language': 'de' });
    const page = await browser.open('/account/buy');
    const onwards = await browser.submit(page, 'buy', { interval: 'year' });
    const checkout = await browser.open(onwards.link('Weiter zur Kasse'));
    expect(checkout.html).toContain('<html lang="de"');
    expect(checkout.headers.get('content-language')).toBe('de');
    expect(checkout.text).toContain('99,00');
    const wrong = await browser.post(checkout.url, { email: 'nobody' });
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('Geben Sie eine E-Mail-Adresse ein'),
    ]);
    const paid = await browser.post(checkout.url, { email: 'kaeufer@example.com' });
    expect(paid.text).toContain('Dies ist Ihr Lizenzschlüssel');
    expect((await browser.open(checkout.url)).title).toContain('schon bezahlt');
  });

  it('cannot renew the licence of another customer, and gets told how to sign in', async () => {
    const mine = await makeLicence(app.platform);
    const theirs = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: app.clock.now() - 1,
    });
    const link = `${app.url}/account/renew?licence=${theirs.id}`;
    const { browser, page } = await openFromMail(app, mine.email, link);
    expect([page.status, page.text]).toEqual([
      404,
      expect.stringContaining('This licence is not in your account'),
    ]);
    expect(page.text).not.toContain('Ended on');
    const unknown = await browser.open('/account/renew?licence=lic_unknown');
    expect(unknown.html.replaceAll('lic_unknown', '')).toBe(page.html.replaceAll(theirs.id, ''));
    const fields = { form: page.fields('sign-out').form ?? '', licence: theirs.id };
    for (const action of ['renew', 'portal']) {
      expect((await browser.post(`/account/${action}`, { ...fields, tier: 'pro' })).status).toBe(
        404,
      );
      expect((await browser.post(`/account/${action}`, { ...fields, form: 'x' })).status).toBe(403);
    }
  });

  it('gets the reason why a suspended or revoked licence cannot be renewed', async () => {
    const { id, email } = await makeLicence(app.platform, { mode: 'test' });
    await suspendLicence(app.platform, id, 'test');
    const { browser, page } = await openFromMail(
      app,
      email,
      `${app.url}/account/renew?licence=${id}`,
    );
    expect(page.text).toContain('suspended and cannot be renewed. Ask the vendor');
    expect(page.all((each) => attribute(each, 'action') === 'renew')).toEqual([]);
    const other = await makeLicence(app.platform, { email, mode: 'test' });
    await revokeLicence(app.platform, other.id, 'test');
    const revoked = await browser.open(`/account/renew?licence=${other.id}`);
    expect(revoked.text).toContain('revoked and cannot be renewed');
    expect((await browser.open('/account/')).html).not.toContain(`renew?licence=${other.id}`);
  });

  it.each(['', 'lic_', 'lic_x"><b>', '../customer', 'http://evil.example'])(
    'gets no page for an invalid licence: %j',
    async (text) => {
      const browser = plainBrowser(() => app.url);
      const page = await browser.open(`/account/renew?licence=${encodeURIComponent(text)}`);
      expect(page.status).toBe(404);
      expect(page.html).not.toContain('<b>');
    },
  );
});

describe.each(['on', 'off'])('the price of a licence with PAVIS_STRIPE_TAX %s', (tax) => {
  const env: Record<string, string> = {
    PAVIS_STRIPE_TAX: tax,
    PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
    PAVIS_STRIPE_PRICES: 'pro/year=price_year,pro/month=price_month,agency/year=price_agency',
  };
  let stripe: StripeStandIn;
  beforeAll(async () => {
    stripe = await stripeStandIn();
    env.PAVIS_STRIPE_API_URL = stripe.url;
    const price = { object: 'price', currency: 'eur' };
    stripe.prices.set('price_year', { ...price, unit_amount: 4_900, tax_behavior: 'exclusive' });
    stripe.prices.set('price_month', { ...price, unit_amount: 490, tax_behavior: 'inclusive' });
  });
  const app = useTestApp('sqlite', env);
  afterAll(() => stripe.stop());
  const buy = async () => (await plainBrowser(() => app.url).open('/account/buy')).text;

  it('is shown before the purchase with currency, period and tax, as far as Stripe provides it', async () => {
    const text = await buy();
    expect(text).toContain('€49.00 a year');
    expect(text.includes('plus tax where applicable')).toBe(tax === 'on');
    expect(text).toContain('€4.90 a month, tax included');
    expect(text).toContain(
      'Some prices are not available right now. The checkout shows the total before you pay.',
    );
    stripe.prices.set('price_agency', { currency: 'usd', unit_amount: 19_900, tax_behavior: null });
    app.clock.advance(10 * 60_000);
    expect(await buy()).toContain('US$199.00 a year');
    expect(await buy()).not.toContain('Some prices are not available');
    const { json } = await app.http.get('/checkout/prices');
    const features = ['dsar', 'retention', 'reporting', 'advanced_integrations'];
    const description = 'Data subject requests, retention, reporting and advanced integrations.';
    expect(json).toEqual({
      provider: 'stripe',
      product: 'pavis',
      prices: [
        {
          tier: 'pro',
          plan: 'Pro',
          features,
          description,
          interval: 'year',
          sites: 3,
          amount: 4_900,
          currency: 'EUR',
          tax: tax === 'on' ? 'exclusive' : 'unspecified',
        },
        {
          tier: 'pro',
          plan: 'Pro',
          features,
          description,
          interval: 'month',
          sites: 3,
          amount: 490,
          currency: 'EUR',
          tax: 'inclusive',
        },
        {
          tier: 'agency',
          plan: 'Agency',
          features: [...features, 'white_label'],
          description,
          interval: 'year',
          sites: 25,
          amount: 19_900,
          currency: 'USD',
          tax: 'unspecified',
        },
      ],
    });
  });

  it('is requested from Stripe once in ten minutes', async () => {
    app.clock.advance(10 * 60_000);
    stripe.asked.length = 0;
    await Promise.all(Array.from({ length: 5 }, buy));
    expect(stripe.asked).toHaveLength(3);
  });

  it('is left to the checkout while Stripe is unreachable, and shown again soon after', async () => {
    app.clock.advance(10 * 60_000);
    stripe.mood = 'drops';
    const text = await buy();
    expect(text).toContain('Some prices are not available right now');
    expect(text).not.toContain('€');
    stripe.mood = 'answers';
    app.clock.advance(30_000);
    expect(await buy()).toContain('€49.00');
  });
});
