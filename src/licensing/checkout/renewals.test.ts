import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth, createBearerHeader, makeLicence } from '../../../test/support/makers.ts';
import { plainBrowser } from '../../../test/support/plain-browser.ts';
import {
  bought,
  createSignature,
  placeOrder,
  type StripeStandIn,
  stripeEvent,
  stripeStandIn,
  WEBHOOK_SECRET,
} from '../../../test/support/stripe.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { createEndpoint } from '../../webhooks/index.ts';
import { issueCustomerToken } from '../customers/index.ts';
import {
  editLicence,
  extendLicence,
  findLicenceWithCustomer,
  getLicenceStatus,
  listEvents,
  revokeLicence,
  suspendLicence,
  transferLicence,
  UNLIMITED_SITES,
} from '../licences/index.ts';
import { NEVER, updatePlan } from '../products/index.ts';
import { licenceJob } from './job.ts';
import { findLatestPurchase, findPurchase } from './purchases/store.ts';

const YEAR = 365 * DAY_MS;
const SITE = 'https://example.com';
const REST = '/wp-json/svc/v1';

describe.each(ENGINES)('Renewals with Stripe on %s', (engine) => {
  const env: Record<string, string> = {
    PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
    PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PAVIS_STRIPE_PRICES:
      'pro/year=price_pro_year,pro/month=price_pro_month,agency/year=price_agency_year,pro/once=price_pro_once,agency/once/usd=price_agency_once_usd,' +
      'agency/once=price_agency_once,pro/year=price_pro_former,pro/year/usd=price_pro_usd,agency/year/usd=price_agency_usd',
    PAVIS_ALLOWED_ORIGINS: 'https://shop.example',
  };
  let stripe: StripeStandIn;
  beforeAll(async () => {
    stripe = await stripeStandIn();
    env.PAVIS_STRIPE_API_URL = stripe.url;
  });
  const app = useTestApp(engine, env);
  beforeEach(() => {
    stripe.mood = 'answers';
    stripe.hasPortal = true;
    stripe.sessionsEndAt = 4_000_000_000;
    stripe.asked.length = 0;
  });
  afterAll(() => stripe.stop());

  async function tell(type: string, object: object, at = app.clock.now()): Promise<void> {
    if (type.startsWith('checkout.session.')) await placeOrder(app.platform.datastore.db, object);
    const body = stripeEvent(type, at, object);
    const { status } = await app.http.post('/webhooks/stripe', {
      headers: {
        'content-type': 'application/json',
        'stripe-signature': createSignature(body, app.clock.now()),
      },
      body,
    });
    expect(status).toBe(200);
  }
  const mailsTo = (email: string) =>
    app.platform.datastore.db
      .selectFrom('outbox_mails')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('id')
      .execute();
  let count = 0;
  /** Somebody who has bought a year of pro; the licence and what Stripe knows of it. */
  async function buy({
    currency,
    ...options
  }: Parameters<typeof bought>[1] & { currency?: string } = {}) {
    const number = `${engine}_renew_${++count}`;
    const email = `renewer-${number}@example.com`;
    const purchase = bought(number, { ...options, email });
    const session = purchase.session({ customer: `cus_${number}`, currency });
    await tell('checkout.session.completed', session);
    await tell('invoice.paid', purchase.invoice(1, app.clock.now() + YEAR));
    const { db } = app.platform.datastore;
    const { public_id: id } = await db
      .selectFrom('licences')
      .innerJoin('customers', 'customers.id', 'customer_id')
      .select('public_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const set = (subscription: object | null) =>
      stripe.contracts.set(purchase.ids.session, {
        status: 'complete',
        customer: { id: `cus_${number}`, object: 'customer' },
        subscription: subscription && {
          id: purchase.ids.subscription,
          object: 'subscription',
          status: 'active',
          cancel_at_period_end: false,
          cancel_at: null,
          currency: 'eur',
          items: { data: [{ id: `si_${number}`, price: { id: 'price_pro_year' }, quantity: 1 }] },
          ...subscription,
        },
      });
    set({});
    return {
      id,
      email,
      ...purchase,
      customer: `cus_${number}`,
      set,
      async cancel() {
        await tell('customer.subscription.deleted', purchase.subscription({ status: 'canceled' }));
        set({ status: 'canceled' });
      },
    };
  }
  async function licenceOf(id: string) {
    const licence = await findLicenceWithCustomer(app.platform.datastore.db, id);
    if (!licence) throw new Error('no such licence');
    return { ...licence, status: getLicenceStatus(licence, app.clock.now()) };
  }
  /** A browser in which a customer is signed in. */
  async function browse(email: string, language = 'en') {
    const { token } = await issueCustomerToken(app.platform, email);
    const browser = plainBrowser(() => app.url, { 'accept-language': language });
    browser.cookies.set('pavis_account', token);
    return browser;
  }
  const renewalOptions = async ({ id, email }: { id: string; email: string }) => {
    const headers = await createBearerHeader(app.platform, email);
    return (await app.http.get(`/customer/licences/${id}/renewal`, { headers })).json;
  };
  /** Whether the latest purchase renews a licence automatically. */
  const renews = async (id: string) =>
    (await findLatestPurchase(app.platform.datastore.db, id))?.renews;
  const renew = async (
    { id, email }: { id: string; email: string },
    body: object | '' = {},
    headers: Record<string, string> = {},
  ) =>
    app.http.post(`/customer/licences/${id}/renew`, {
      headers: { ...(await createBearerHeader(app.platform, email)), ...headers },
      body,
    });
  const created = () =>
    stripe.asked.filter(
      ({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions',
    );
  /** What Stripe tells when the session of a renewal is paid. */
  async function pay(session: string, id: string, more: Parameters<typeof bought>[1] = {}) {
    const renewal = bought(`${session}_paid`, { email: 'whoever@example.com', ...more });
    const metadata = { tier: more?.tier ?? 'pro', interval: more?.interval ?? 'year', licence: id };
    stripe.contracts.set(session, { status: 'complete' });
    await tell('checkout.session.completed', renewal.session({ id: session, metadata }));
    await tell('invoice.paid', renewal.invoice(1, app.clock.now() + YEAR));
    return renewal;
  }

  it('renews a licence with a cancelled subscription on the same key, with its sites', async () => {
    const purchase = await buy();
    const mails = await mailsTo(purchase.email);
    expect(mails).toHaveLength(1);
    // The key itself lies sealed in the mail: another licence of the same kind shows that the key stays.
    const { key } = await makeLicence(app.platform, {
      email: purchase.email,
      mode: 'test',
      expiresAt: app.clock.now() + DAY_MS,
    });
    expect((await app.http.site('activate', key, SITE)).status).toBe(200);
    await purchase.cancel();
    app.clock.advance(YEAR + DAY_MS);
    const { json: mine } = await app.http.get('/customer/licences', {
      headers: await createBearerHeader(app.platform, purchase.email),
    });
    const { id } = mine.licences.find((each: { sites_used: number }) => each.sites_used === 1);
    expect((await app.http.site('validate', key, SITE)).json).toMatchObject({ valid: false });

    // No body, and the type that `curl -d ''` states.
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const begun = await renew({ id, email: purchase.email }, '', type);
    expect([begun.status, begun.json]).toEqual([
      200,
      {
        kind: 'checkout',
        id: expect.stringMatching(/^cs_test_/),
        url: expect.stringContaining('https://checkout.stripe.com/'),
        expires_at: expect.any(String),
      },
    ]);
    expect(created().at(-1)?.params).toMatchObject({
      mode: 'subscription',
      'line_items[0][price]': 'price_pro_year',
      'metadata[licence]': id,
      'subscription_data[metadata][licence]': id,
      customer_email: purchase.email,
      success_url: `${app.url}/account/?done=renewed`,
      cancel_url: `${app.url}/account/renew?licence=${id}`,
    });
    await pay(begun.json.id, id);
    expect((await app.http.site('validate', key, SITE)).json).toMatchObject({
      valid: true,
      site_active: true,
      sites_used: 1,
      expires_at: new Date(app.clock.now() + YEAR).toISOString(),
    });
    const last = (await mailsTo(purchase.email)).at(-1);
    expect(last?.kind).toBe('licence_renewed');
    expect(last?.body_text).toContain(id);
    expect(last?.body_text).toMatch(/\nRenews: \d/);
    expect(last?.body_text).not.toContain(key);
    const { length } = (
      await app.http.get('/customer/licences', {
        headers: await createBearerHeader(app.platform, purchase.email),
      })
    ).json.licences;
    expect(length).toBe(2);
  });

  it('reuses the customer at Stripe, and follows only the new subscription', async () => {
    const purchase = await buy();
    await purchase.cancel();
    app.clock.advance(YEAR + DAY_MS);
    const { json } = await renew(purchase, { tier: 'agency' });
    expect(created().at(-1)?.params).toMatchObject({
      customer: purchase.customer,
      'line_items[0][price]': 'price_agency_year',
    });
    const renewal = await pay(json.id, purchase.id, { tier: 'agency' });
    const end = app.clock.now() + YEAR;
    const renewed = { tier: 'agency', sitesAllowed: 25, status: 'active', expiresAt: end };
    expect(await licenceOf(purchase.id)).toMatchObject(renewed);

    // What is told of the former subscription changes nothing any more, whatever it is.
    await tell('customer.subscription.updated', purchase.subscription({ status: 'unpaid' }));
    await tell('invoice.payment_failed', purchase.invoice(2, end + YEAR));
    await tell('charge.refunded', purchase.charge(1));
    expect(await licenceOf(purchase.id)).toMatchObject({ ...renewed, revokedAt: null });

    app.clock.advance(YEAR - DAY_MS);
    await tell('invoice.paid', renewal.invoice(2, end + YEAR));
    expect(await licenceOf(purchase.id)).toMatchObject({ expiresAt: end + YEAR });
    await tell('customer.subscription.deleted', renewal.subscription({ status: 'canceled' }));
    expect(await licenceOf(purchase.id)).toMatchObject({ expiresAt: end + YEAR, graceDays: 0 });
  });

  it('gives the same result for repeated events in any order', async () => {
    const purchase = await buy();
    await purchase.cancel();
    app.clock.advance(YEAR + DAY_MS);
    const { json } = await renew(purchase);
    const renewal = bought(`${json.id}_paid`, { email: purchase.email });
    const metadata = { tier: 'pro', interval: 'year', licence: purchase.id };
    const session = renewal.session({ id: json.id, metadata });
    const end = app.clock.now() + YEAR;
    await tell('invoice.paid', renewal.invoice(1, end));
    for (let n = 0; n < 3; n++) await tell('checkout.session.completed', session);
    await tell('invoice.paid', renewal.invoice(1, end));
    expect(await licenceOf(purchase.id)).toMatchObject({ status: 'active', expiresAt: end });
    const renewals = (await mailsTo(purchase.email)).filter(
      ({ kind }) => kind === 'licence_renewed',
    );
    expect(renewals).toHaveLength(1);
  });

  it('adds the remaining days if the tier stays the same', async () => {
    const left = app.clock.now() + 20 * DAY_MS;
    const same = await makeLicence(app.platform, { mode: 'test', expiresAt: left });
    await pay((await renew(same)).json.id, same.id);
    const end = app.clock.now() + YEAR;
    expect(await licenceOf(same.id)).toMatchObject({ expiresAt: end + 20 * DAY_MS, tier: 'pro' });
    const other = await makeLicence(app.platform, { mode: 'test', expiresAt: left });
    await pay((await renew(other, { tier: 'agency' })).json.id, other.id, { tier: 'agency' });
    expect(await licenceOf(other.id)).toMatchObject({ expiresAt: end, tier: 'agency' });
  });

  it.each([
    { sites: 2, quantity: 1, left: 20 },
    { sites: 7, quantity: 3, left: 20 },
    { sites: 7, quantity: 4, left: 0 },
  ])(
    'adds $left remaining days to $quantity packages for $sites sites, at 3 sites per package',
    async ({ sites, quantity, left }) => {
      const expiresAt = app.clock.now() + 20 * DAY_MS;
      const licence = await makeLicence(app.platform, {
        mode: 'test',
        sitesAllowed: sites,
        expiresAt,
      });
      await pay((await renew(licence, { quantity })).json.id, licence.id);
      const end = app.clock.now() + YEAR;
      expect(await licenceOf(licence.id)).toMatchObject({
        sitesAllowed: quantity * 3,
        expiresAt: end + left * DAY_MS,
      });
    },
  );

  it('counts the remaining days from the payment if its event arrives late', async () => {
    const paidAt = app.clock.now();
    const licence = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: paidAt + 3 * DAY_MS,
    });
    const { id } = (await renew(licence)).json;
    const renewal = bought(`${id}_paid`, { email: licence.email });
    const metadata = { tier: 'pro', interval: 'year', licence: licence.id };
    app.clock.advance(5 * DAY_MS);
    await tell('checkout.session.completed', renewal.session({ id, metadata }), paidAt);
    await tell('invoice.paid', renewal.invoice(1, paidAt + YEAR), paidAt);
    expect(await licenceOf(licence.id)).toMatchObject({ expiresAt: paidAt + YEAR + 3 * DAY_MS });
  });

  it.each(['before', 'after'])(
    'restores the previous licence when a renewal is refunded %s its subscription changes',
    async (when) => {
      const before = {
        tier: 'pro' as const,
        sitesAllowed: 7,
        expiresAt: app.clock.now() + 20 * DAY_MS,
      };
      const licence = await makeLicence(app.platform, { mode: 'test', ...before });
      const { json } = await renew(licence, { tier: 'agency' });
      const renewal = await pay(json.id, licence.id, { tier: 'agency' });
      expect(await licenceOf(licence.id)).toMatchObject({ tier: 'agency', sitesAllowed: 25 });
      await tell('invoice_payment.paid', renewal.invoicePayment(1));
      const items = { data: [{ price: { id: 'price_pro_year' }, quantity: 2 }] };
      const change = () => tell('customer.subscription.updated', renewal.subscription({ items }));
      if (when === 'after') await change();
      await tell('charge.refunded', renewal.charge(1));
      if (when === 'before') {
        expect(await licenceOf(licence.id)).toMatchObject({ ...before, status: 'active' });
        expect(await renews(licence.id)).toBe(false);
        await change();
      }
      expect(await licenceOf(licence.id)).toMatchObject({ ...before, status: 'active' });
      expect(await renews(licence.id)).toBe(false);

      const job = licenceJob(app.platform, {
        publicUrl: () => app.url,
        canRenew: () => true,
        stripe: undefined,
        wasErased: async () => false,
        prices: [],
        expiringDays: [],
      });
      await job.runIfDue();
      app.clock.advance(13 * DAY_MS);
      await job.runIfDue();
      const kinds = (await mailsTo(licence.email)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'licence_expiry')).toHaveLength(1);
    },
  );

  it('does not renew a licence automatically whose renewal was refunded before its session arrived', async () => {
    const expiresAt = app.clock.now() + 20 * DAY_MS;
    const licence = await makeLicence(app.platform, { mode: 'test', expiresAt });
    const { id } = (await renew(licence)).json;
    const renewal = bought(`${id}_paid`, { email: licence.email, shape: 'old' });
    const metadata = { tier: 'pro', interval: 'year', licence: licence.id };
    await tell('charge.refunded', renewal.charge(1));
    await tell('invoice.paid', renewal.invoice(1, app.clock.now() + YEAR));
    await tell('checkout.session.completed', renewal.session({ id, metadata }));
    expect(await licenceOf(licence.id)).toMatchObject({ status: 'active', expiresAt });
    expect(await renews(licence.id)).toBe(false);
  });

  it.each(['first', 'last'])(
    'suspends a licence whose renewal is disputed, with the dispute reported %s',
    async (when) => {
      const url = `https://crm.example.com/${when}`;
      const options = { allowsPrivate: false, actor: 'test' };
      await createEndpoint(app.platform, { url, event_types: ['licence.suspended'] }, options);
      const expiresAt = app.clock.now() + DAY_MS;
      const licence = await makeLicence(app.platform, { mode: 'test', expiresAt });
      const { id } = (await renew(licence, { interval: 'once' })).json;
      const renewal = bought(`${id}_paid`, { email: licence.email });
      const dispute = renewal.dispute(1, 'needs_response');
      const session = renewal.session({
        id,
        mode: 'payment',
        subscription: null,
        invoice: null,
        payment_intent: dispute.payment_intent,
        metadata: { tier: 'pro', interval: 'once', licence: licence.id },
      });
      const told: [string, object][] = [
        ['charge.dispute.created', dispute],
        ['checkout.session.completed', session],
      ];
      for (const [type, object] of when === 'first' ? told : told.toReversed())
        await tell(type, object);
      const renewed = { tier: 'pro', expiresAt: NEVER };
      expect(await licenceOf(licence.id)).toMatchObject({ ...renewed, status: 'suspended' });
      const texts = (await mailsTo(licence.email)).flatMap(({ kind, body_text }) =>
        kind === 'licence_renewed' ? [body_text ?? ''] : [],
      );
      expect(texts.map((text) => text.includes('The licence is suspended'))).toEqual([
        when === 'first',
      ]);
      expect(texts[0]).toContain('Expires: never');
      const queued = await app.platform.datastore.db
        .selectFrom('webhook_events')
        .select('type')
        .where('email', '=', licence.email)
        .execute();
      expect(queued).toEqual([{ type: 'licence.suspended' }]);
      app.clock.advance(1_000);
      await tell('charge.dispute.closed', renewal.dispute(1, 'won'));
      expect(await licenceOf(licence.id)).toMatchObject({ ...renewed, status: 'active' });
    },
  );

  it('keeps an expiry that was changed by hand when a renewal is refunded, and when the refund fails', async () => {
    const expiresAt = app.clock.now() + 20 * DAY_MS;
    const licence = await makeLicence(app.platform, { mode: 'test', expiresAt });
    const { json } = await renew(licence, { tier: 'agency' });
    const renewal = await pay(json.id, licence.id, { tier: 'agency' });
    const byHand = app.clock.now() + 2 * YEAR;
    await extendLicence(app.platform, licence.id, byHand, 'test');
    await tell('invoice_payment.paid', renewal.invoicePayment(1));
    await tell('charge.refunded', renewal.charge(1));
    expect(await licenceOf(licence.id)).toMatchObject({ tier: 'pro', expiresAt: byHand });
    await tell('refund.failed', renewal.refund(1, { status: 'failed' }));
    expect(await licenceOf(licence.id)).toMatchObject({ tier: 'agency', expiresAt: byHand });
  });

  it.each([
    ['first', [1, 0]],
    ['last', [0, 1]],
  ])(
    'is revoked when its purchase and its renewal are refunded, the renewal %s',
    async (_when, order) => {
      const purchase = await buy();
      await purchase.cancel();
      const renewal = await pay((await renew(purchase)).json.id, purchase.id);
      const { expiresAt } = await licenceOf(purchase.id);
      const both = [purchase, renewal] as const;
      for (const each of both) await tell('invoice_payment.paid', each.invoicePayment(1));
      const [one, other] = order.map((index) => both[index]);
      await tell('charge.refunded', one?.charge(1) ?? {});
      expect(await licenceOf(purchase.id)).toMatchObject({ status: 'active' });
      await tell('charge.refunded', other?.charge(1) ?? {});
      expect(await licenceOf(purchase.id)).toMatchObject({ status: 'revoked' });
      await tell('refund.failed', renewal.refund(1, { status: 'failed' }));
      expect(await licenceOf(purchase.id)).toMatchObject({ status: 'active', expiresAt });
      await tell('refund.failed', purchase.refund(1, { status: 'failed' }));
      expect(await licenceOf(purchase.id)).toMatchObject({ status: 'active', expiresAt });
    },
  );

  it('keeps the remaining days when the plan gets more sites later', async () => {
    const expiresAt = app.clock.now() + 20 * DAY_MS;
    const licence = await makeLicence(app.platform, { mode: 'test', expiresAt });
    const renewal = await pay((await renew(licence)).json.id, licence.id);
    const plan = { product: 'pavis', tier: 'pro' };
    await updatePlan(app.platform, plan, { edits: { sites_allowed: 5 } }, 'test');
    const end = app.clock.now() + YEAR;
    await tell('customer.subscription.updated', renewal.subscription());
    expect(await licenceOf(licence.id)).toMatchObject({ expiresAt: end + 20 * DAY_MS });
    await tell('customer.subscription.updated', {
      ...renewal.subscription(),
      items: { data: [{ price: { id: 'price_agency_year' } }] },
    });
    expect(await licenceOf(licence.id)).toMatchObject({ expiresAt: end, tier: 'agency' });
    await updatePlan(app.platform, plan, { edits: { sites_allowed: 3 } }, 'test');
  });

  it('adds the remaining days of an unlimited plan to any number of packages', async () => {
    const plan = { product: 'pavis', tier: 'pro' };
    const setSites = (sites_allowed: number) =>
      updatePlan(app.platform, plan, { edits: { sites_allowed } }, 'test');
    await setSites(UNLIMITED_SITES);
    const licence = await makeLicence(app.platform, {
      mode: 'test',
      sitesAllowed: UNLIMITED_SITES,
      expiresAt: app.clock.now() + 20 * DAY_MS,
    });
    await pay((await renew(licence, { quantity: 2 })).json.id, licence.id);
    expect(await licenceOf(licence.id)).toMatchObject({
      sitesAllowed: UNLIMITED_SITES,
      expiresAt: app.clock.now() + YEAR + 20 * DAY_MS,
    });
    await setSites(3);
  });

  it('keeps the billing interval of a subscription that has ended, if the tier is sold in it', async () => {
    const purchase = await buy();
    await purchase.cancel();
    const monthly = { interval: 'month' };
    const { json } = await renew(purchase, monthly);
    const renewal = await pay(json.id, purchase.id, monthly);
    await tell('customer.subscription.deleted', renewal.subscription({ status: 'canceled' }));
    const sold = () => created().at(-1)?.params['line_items[0][price]'];
    await renew(purchase);
    expect(sold()).toBe('price_pro_month');
    await renew(purchase, { interval: 'year' });
    expect(sold()).toBe('price_pro_year');
    await renew(purchase, { tier: 'agency' });
    expect(sold()).toBe('price_agency_year');
  });

  it('sells enough packages for the sites of a licence', async () => {
    const seven = { mode: 'test' as const, sitesAllowed: 7, expiresAt: app.clock.now() - DAY_MS };
    const licence = await makeLicence(app.platform, seven);
    await renew(licence);
    expect(created().at(-1)?.params['line_items[0][quantity]']).toBe('3');
  });

  it('keeps the sites of an unlimited licence for one package, also with the later events', async () => {
    const request = { mode: 'test' as const, expiresAt: app.clock.now() + DAY_MS };
    const licence = await makeLicence(app.platform, { ...request, sitesAllowed: UNLIMITED_SITES });
    for (const n of [1, 2, 3, 4])
      await app.http.site('activate', licence.key, `https://site-${n}.example.com`);
    const headers = await createBearerHeader(app.platform, licence.email);
    const { json: options } = await app.http.get(`/customer/licences/${licence.id}/renewal`, {
      headers,
    });
    expect(options).toMatchObject({ quantity: 1, sites_allowed: UNLIMITED_SITES });
    const { token } = await issueCustomerToken(app.platform, licence.email);
    const browser = plainBrowser(() => app.url, {});
    browser.cookies.set('pavis_account', token);
    const page = await browser.open(`/account/renew?licence=${licence.id}`);
    expect(page.text).toContain('this licence keeps its unlimited sites');
    expect(page.text).toMatch(/Sites in use\s*4 \(unlimited\)/);
    const { id } = (await renew(licence)).json;
    expect(created().at(-1)?.params['line_items[0][quantity]']).toBe('1');
    const renewal = await pay(id, licence.id);
    const sites = async () => (await licenceOf(licence.id)).sitesAllowed;
    expect(await sites()).toBe(UNLIMITED_SITES);
    await tell('invoice_payment.paid', renewal.invoicePayment(1));
    await tell('charge.refunded', renewal.charge(1));
    await tell('refund.failed', renewal.refund(1, { status: 'failed' }));
    const on = (price: string, quantity: number) =>
      renewal.subscription({ items: { data: [{ price: { id: price }, quantity }] } });
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', on('price_pro_year', 2));
    expect(await sites()).toBe(UNLIMITED_SITES);
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', on('price_agency_year', 1));
    expect(await sites()).toBe(25);
  });

  it('asks for a quantity to renew more sites than one checkout sells', async () => {
    const many = { mode: 'test' as const, sitesAllowed: 301, expiresAt: app.clock.now() + DAY_MS };
    const licence = await makeLicence(app.platform, many);
    const { status, json } = await renew(licence);
    expect([status, json.message]).toEqual([
      400,
      'This licence has 301 sites, more than one checkout sells. Give the quantity that you want, from 1 to 100.',
    ]);
    const headers = await createBearerHeader(app.platform, licence.email);
    const path = `/customer/licences/${licence.id}/renewal`;
    expect((await app.http.get(path, { headers })).json.quantity).toBe(null);
    expect((await renew(licence, { quantity: 100 })).status).toBe(200);
  });

  it('follows the setting for development sites of another plan, and restores it with a refund', async () => {
    const agency = { product: 'pavis', tier: 'agency' };
    const setFree = (development_sites_free: boolean) =>
      updatePlan(app.platform, agency, { edits: { development_sites_free } }, 'test');
    await setFree(true);
    const request = { mode: 'test' as const, expiresAt: app.clock.now() + DAY_MS };
    const licence = await makeLicence(app.platform, request);
    await app.http.site('activate', licence.key, 'https://shop.test');
    const used = async () => {
      const { sites_used } = (await app.http.site('validate', licence.key, 'https://shop.test'))
        .json;
      return [(await licenceOf(licence.id)).developmentSitesFree, sites_used];
    };
    expect(await used()).toEqual([false, 1]);
    const { id } = (await renew(licence, { tier: 'agency' })).json;
    const renewal = await pay(id, licence.id, { tier: 'agency' });
    expect(await used()).toEqual([true, 0]);
    await tell('invoice_payment.paid', renewal.invoicePayment(1));
    await tell('charge.refunded', renewal.charge(1));
    expect(await used()).toEqual([false, 1]);
    await tell('refund.failed', renewal.refund(1, { status: 'failed' }));
    expect(await used()).toEqual([true, 0]);
    const on = (price: string) =>
      renewal.subscription({ items: { data: [{ price: { id: price }, quantity: 1 }] } });
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', on('price_pro_year'));
    expect(await used()).toEqual([false, 1]);
    // A setting that was changed for this licence stays.
    await editLicence(
      app.platform,
      licence.id,
      { edits: { development_sites_free: true } },
      'test',
    );
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', on('price_agency_year'));
    expect((await used())[0]).toBe(true);
    await setFree(false);
  });

  it('changes an active subscription in the portal instead of creating a second one', async () => {
    const purchase = await buy();
    const { status, json } = await renew(purchase, { tier: 'agency', quantity: 2 });
    expect([status, json]).toEqual([
      200,
      { kind: 'portal', id: null, url: 'https://billing.stripe.com/p/session/1', expires_at: null },
    ]);
    expect(created()).toEqual([]);
    const number = purchase.customer.slice('cus_'.length);
    expect(stripe.asked.at(-1)).toMatchObject({
      path: '/v1/billing_portal/sessions',
      params: {
        customer: purchase.customer,
        'flow_data[type]': 'subscription_update_confirm',
        'flow_data[subscription_update_confirm][subscription]': purchase.ids.subscription,
        'flow_data[subscription_update_confirm][items][0][id]': `si_${number}`,
        'flow_data[subscription_update_confirm][items][0][price]': 'price_agency_year',
        'flow_data[subscription_update_confirm][items][0][quantity]': '2',
      },
    });
    const same = await renew(purchase);
    expect([same.status, same.json.error]).toEqual([409, 'renewal_not_needed']);
    expect(created()).toEqual([]);
  });

  it('keeps a former price until another tier or interval is chosen', async () => {
    const purchase = await buy();
    const items = { data: [{ id: 'si_1', price: { id: 'price_pro_former' }, quantity: 1 }] };
    purchase.set({ items });
    for (const body of [{}, { tier: 'pro', interval: 'year', quantity: 1 }]) {
      const { status, json } = await renew(purchase, body);
      expect([status, json.error]).toEqual([409, 'renewal_not_needed']);
    }
    const changed = async (body: object) => {
      expect((await renew(purchase, body)).json.kind).toBe('portal');
      const name = 'flow_data[subscription_update_confirm][items][0]';
      const { params } = stripe.asked.at(-1) ?? {};
      return [params?.[`${name}[price]`], params?.[`${name}[quantity]`]];
    };
    expect(await changed({ quantity: 2 })).toEqual(['price_pro_former', '2']);
    expect(await changed({ tier: 'agency' })).toEqual(['price_agency_year', '1']);
    expect(await changed({ interval: 'month' })).toEqual(['price_pro_month', '1']);

    const headers = await createBearerHeader(app.platform, purchase.email);
    items.data[0] = { id: 'si_1', price: { id: 'price_pro_former' }, quantity: 3 };
    const { json } = await app.http.get(`/customer/licences/${purchase.id}/renewal`, { headers });
    expect(json).toMatchObject({ interval: 'year', quantity: 3 });
  });

  it.each([
    ['renews', {}, true],
    ['was cancelled', { cancel_at_period_end: true }, false],
  ])('shows the former price of a subscription that %s', async (_what, subscription, isRenewed) => {
    const amounts = { pro_year: 9_900, pro_former: 4_900 };
    for (const [name, unit_amount] of Object.entries(amounts))
      stripe.prices.set(`price_${name}`, { id: `price_${name}`, unit_amount, currency: 'eur' });
    app.clock.advance(600_000);
    const purchase = await buy();
    if (!isRenewed)
      await tell('customer.subscription.updated', purchase.subscription(subscription));
    purchase.set({
      ...subscription,
      items: { data: [{ id: 'si_1', price: { id: 'price_pro_former' }, quantity: 1 }] },
    });
    const { token } = await issueCustomerToken(app.platform, purchase.email);
    const headers = { authorization: `Bearer ${token}` };
    const read = async () => {
      const { json } = await app.http.get(`/customer/licences/${purchase.id}/renewal`, { headers });
      return json.prices
        .filter(
          ({ tier, interval }: { tier: string; interval: string }) =>
            tier === 'pro' && interval === 'year',
        )
        .map(({ amount, currency }: { amount: number; currency: string }) => [amount, currency]);
    };
    expect(await read()).toEqual([[4_900, 'EUR']]);
    const page = await (await browse(purchase.email)).open(`/account/renew?licence=${purchase.id}`);
    expect(page.text.includes('€49.00 a year')).toBe(isRenewed);
    expect(page.text).not.toContain('€99.00');

    await purchase.cancel();
    expect(await read()).toContainEqual([9_900, 'EUR']);
    expect(await read()).not.toContainEqual([4_900, 'EUR']);
  });

  it('shows the price of a subscription that is no longer on sale, in its currency', async () => {
    const options = { usd: { unit_amount: 1_290 } };
    const former = { unit_amount: 990, currency: 'eur', currency_options: options };
    stripe.prices.set('price_agency_month', { id: 'price_agency_month', ...former });
    const purchase = await buy({ tier: 'agency' });
    const item = { id: 'si_1', price: { id: 'price_agency_month' }, quantity: 1 };
    purchase.set({ currency: 'usd', items: { data: [item] } });
    const plan = { product: 'pavis', tier: 'agency' };
    for (const month of ['price_agency_month', null])
      await updatePlan(app.platform, plan, { edits: { prices: { month } } }, 'test');
    const headers = await createBearerHeader(app.platform, purchase.email);
    const { json } = await app.http.get(`/customer/licences/${purchase.id}/renewal`, { headers });
    expect(json.prices).toContainEqual(
      expect.objectContaining({
        tier: 'agency',
        interval: 'month',
        amount: 1_290,
        currency: 'USD',
      }),
    );
  });

  it('shows who cannot change the subscription of a former owner the prices on sale', async () => {
    stripe.prices.set('price_pro_year', {
      id: 'price_pro_year',
      unit_amount: 9_900,
      currency: 'eur',
    });
    app.clock.advance(600_000);
    const purchase = await buy();
    const items = { data: [{ id: 'si_1', price: { id: 'price_pro_former' }, quantity: 1 }] };
    purchase.set({ items });
    const to = `next-${engine}@example.com`;
    await transferLicence(app.platform, purchase.id, to, 'test');
    const headers = await createBearerHeader(app.platform, to);
    const { json } = await app.http.get(`/customer/licences/${purchase.id}/renewal`, { headers });
    expect(json.prices).toContainEqual(
      expect.objectContaining({ tier: 'pro', interval: 'year', amount: 9_900 }),
    );
  });

  it('does not make a lifetime licence of a subscription that renews', async () => {
    const purchase = await buy();
    const { status, json } = await renew(purchase, { interval: 'once' });
    expect([status, json.error]).toEqual([409, 'not_possible']);
    expect(stripe.asked.filter(({ path }) => path.startsWith('/v1/billing_portal/'))).toEqual([]);

    for (const [language, said] of [
      ['en', 'Cancel it in the Billing Portal'],
      ['de', 'Kündigen Sie es in der Abrechnung'],
    ] as const) {
      const browser = await browse(purchase.email, language);
      const page = await browser.open(`/account/renew?licence=${purchase.id}`);
      const refused = await browser.submit(page, 'renew', { interval: 'once' });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(said)]);
    }
  });

  it('does not ask to cancel a subscription again that ends with the paid period', async () => {
    const purchase = await buy();
    purchase.set({ cancel_at_period_end: true });
    const { status, json } = await renew(purchase, { interval: 'once' });
    expect([status, json]).toEqual([
      409,
      {
        error: 'not_possible',
        message:
          'A subscription cannot become a lifetime licence. Once your subscription has ended, you can buy the lifetime licence here.',
      },
    ]);
    expect(stripe.asked.filter(({ path }) => path.startsWith('/v1/billing_portal/'))).toEqual([]);
  });

  it.each([
    ['ends with the paid period', { cancel_at_period_end: true }, 'cancelled', 'ist gekündigt'],
    ['ends on a date', { cancel_at: 4_000_000_000 }, 'cancelled', 'ist gekündigt'],
    ['is past due', { status: 'past_due' }, 'unpaid', 'ist nicht bezahlt'],
    ['is unpaid', { status: 'unpaid' }, 'unpaid', 'ist nicht bezahlt'],
    ['is paused', { status: 'paused' }, 'paused', 'ist pausiert'],
  ])(
    'opens the portal without a change when the subscription %s, and shows no choice',
    async (_name, subscription, state, inGerman) => {
      const purchase = await buy();
      expect(await renewalOptions(purchase)).toMatchObject({ subscription: 'active' });
      purchase.set(subscription);
      const { status, json } = await renew(purchase);
      expect([status, json.kind]).toEqual([200, 'portal']);
      expect(stripe.asked.at(-1)?.params['flow_data[type]']).toBeUndefined();
      expect(created()).toEqual([]);

      expect(await renewalOptions(purchase)).toMatchObject({ subscription: state, obstacle: null });
      for (const [language, said] of [
        ['en', `Your subscription is ${state}.`],
        ['de', `Ihr Abonnement ${inGerman}.`],
      ] as const) {
        const browser = await browse(purchase.email, language);
        const page = await browser.open(`/account/renew?licence=${purchase.id}`);
        expect(page.text).toContain(said);
        expect(page.text).not.toMatch(/checkout|Kasse|Remaining days|Verbleibende Tage/i);
        expect(page.html).not.toContain('action="renew"');
        expect(page.fields('portal')).toMatchObject({ licence: purchase.id });
      }
    },
  );

  it.each([
    ['en', 'Remaining days are added'],
    ['de', 'Verbleibende Tage werden angerechnet'],
  ])(
    'promises remaining days only for a choice that leads to a checkout, in %s',
    async (language, said) => {
      const purchase = await buy();
      const open = async () =>
        (await browse(purchase.email, language)).open(`/account/renew?licence=${purchase.id}`);
      expect((await open()).text).not.toContain(said);
      const cancelled = { cancel_at_period_end: true };
      stripe.mood = 'fails';
      expect((await open()).text).not.toContain(said);
      await tell('customer.subscription.updated', purchase.subscription(cancelled));
      expect((await open()).text).not.toContain(said);
      expect(await renewalOptions(purchase)).toMatchObject({ subscription_known: false });
      stripe.mood = 'answers';
      await purchase.cancel();
      expect(await renewalOptions(purchase)).toMatchObject({ subscription_known: true });
      expect((await open()).text).toContain(said);
    },
  );

  it('returns 503 while the portal is not set up or Stripe is not available', async () => {
    const purchase = await buy();
    stripe.hasPortal = false;
    const refused = await renew(purchase, { tier: 'agency' });
    expect([refused.status, refused.json.error]).toEqual([503, 'service_unavailable']);
    expect(refused.json.message).toContain('Billing Portal is not set up');
    const { token } = await issueCustomerToken(app.platform, purchase.email);
    for (const [language, said] of [
      ['en', 'Ask the vendor to change your subscription'],
      ['de', 'Bitten Sie den Anbieter, Ihr Abonnement zu ändern'],
    ] as const) {
      const browser = plainBrowser(() => app.url, { 'accept-language': language });
      browser.cookies.set('pavis_account', token);
      const page = await browser.open(`/account/renew?licence=${purchase.id}`);
      const { status, text } = await browser.submit(page, 'renew', { tier: 'agency' });
      expect([status, text]).toEqual([503, expect.stringContaining(said)]);
    }
    stripe.mood = 'drops';
    const away = await renew(purchase, { tier: 'agency' });
    expect([away.status, away.json.message]).toEqual([503, expect.stringContaining('Try again')]);
  });

  it('rejects licences that are suspended by hand or revoked', async () => {
    const suspended = await makeLicence(app.platform, { mode: 'test' });
    await suspendLicence(app.platform, suspended.id, 'test');
    const revoked = await makeLicence(app.platform, { mode: 'test' });
    await revokeLicence(app.platform, revoked.id, 'test');
    const [first, second] = [await renew(suspended), await renew(revoked)];
    expect([first.status, first.json]).toEqual([
      403,
      { error: 'licence_suspended', message: expect.stringContaining('Ask the vendor') },
    ]);
    expect([second.status, second.json]).toEqual([
      403,
      { error: 'licence_revoked', message: expect.stringContaining('cannot be renewed') },
    ]);
    const options = await app.http.get(`/customer/licences/${revoked.id}/renewal`, {
      headers: await createBearerHeader(app.platform, revoked.email),
    });
    expect(options.json.obstacle).toEqual(second.json);
    expect(stripe.asked.filter(({ path }) => !path.startsWith('/v1/prices/'))).toEqual([]);
  });

  it.each([
    [
      'en',
      'Card, invoices and cancellation',
      'Your licence',
      /Change|Renew your|renews automatically/,
    ],
    ['de', 'Zahlungsmittel, Rechnungen und Kündigung', 'Ihre Lizenz', /ändern|verlängert sich/],
  ] as const)(
    'leads the customer of a revoked licence to the portal, where its subscription is cancelled, in %s',
    async (language, label, title, promised) => {
      const purchase = await buy();
      await tell('invoice_payment.paid', purchase.invoicePayment(1));
      await tell('charge.refunded', purchase.charge(1));
      expect(await licenceOf(purchase.id)).toMatchObject({ status: 'revoked' });
      expect(await renews(purchase.id)).toBe(true);
      const browser = await browse(purchase.email, language);
      const page = await browser.open((await browser.open('/account/')).link(label));
      expect(page.title).toContain(title);
      expect(page.text).not.toMatch(promised);
      const { text } = await browser.submit(page, 'portal');
      expect(text).toContain(language === 'en' ? 'billing portal' : 'Abrechnung');
      expect(stripe.asked.at(-1)?.params).toEqual({
        customer: purchase.customer,
        return_url: `${app.url}/account/`,
      });

      const issued = await makeLicence(app.platform, { mode: 'test' });
      await revokeLicence(app.platform, issued.id, 'test');
      const account = await (await browse(issued.email, language)).open('/account/');
      expect(account.html).not.toContain('href="renew');
    },
  );

  it('keeps a licence suspended or revoked that was restricted during the payment', async () => {
    const purchase = await buy();
    await purchase.cancel();
    const other = await buy();
    await other.cancel();
    app.clock.advance(YEAR + DAY_MS);
    const sessions = [(await renew(purchase)).json.id, (await renew(other)).json.id];
    await suspendLicence(app.platform, purchase.id, 'test');
    await revokeLicence(app.platform, other.id, 'test');
    await pay(sessions[0], purchase.id);
    await pay(sessions[1], other.id);
    const end = app.clock.now() + YEAR;
    expect(await licenceOf(purchase.id)).toMatchObject({ status: 'suspended', expiresAt: end });
    expect(await licenceOf(other.id)).toMatchObject({ status: 'revoked' });
    expect(app.logged()).toContain('cannot be renewed: refund it');
    const { id } = await licenceOf(other.id);
    const events = await listEvents(app.platform.datastore.db, id);
    expect(events.map(({ action }) => action)).toContain('renewal_refused');
  });

  it('changes nothing about a revoked licence with later events of the renewal that was refused', async () => {
    const purchase = await buy();
    await purchase.cancel();
    app.clock.advance(YEAR - DAY_MS);
    const session = (await renew(purchase, { tier: 'agency' })).json.id;
    await tell('invoice_payment.paid', purchase.invoicePayment(1));
    await tell('charge.refunded', purchase.charge(1));
    const { expiresAt } = await licenceOf(purchase.id);
    const renewal = await pay(session, purchase.id, { tier: 'agency' });
    const unchanged = {
      tier: 'pro',
      sitesAllowed: 3,
      expiresAt,
      suspendedAt: null,
      status: 'revoked',
    };
    const later: [string, object][] = [
      ['invoice_payment.paid', renewal.invoicePayment(1)],
      ['invoice.paid', renewal.invoice(2, app.clock.now() + 2 * YEAR)],
      ['customer.subscription.updated', renewal.subscription({ status: 'unpaid' })],
      ['charge.dispute.created', renewal.dispute(1, 'needs_response')],
      ['charge.dispute.closed', renewal.dispute(1, 'lost')],
      ['charge.refunded', renewal.charge(1)],
      ['refund.failed', renewal.refund(1, { status: 'failed' })],
    ];
    for (const [type, object] of later) {
      app.clock.advance(1_000);
      await tell(type, object);
      expect(await licenceOf(purchase.id), type).toMatchObject(unchanged);
    }
    expect(await renews(purchase.id)).toBe(false);
    await tell('refund.failed', purchase.refund(1, { status: 'failed' }));
    expect(await licenceOf(purchase.id)).toMatchObject({ ...unchanged, status: 'active' });
  });

  it("returns 404 for another customer's licence", async () => {
    const purchase = await buy();
    const stranger = await makeLicence(app.platform);
    const headers = await createBearerHeader(app.platform, stranger.email);
    for (const id of [purchase.id, 'lic_none']) {
      const at = `/customer/licences/${id}`;
      const answers = [
        await app.http.post(`${at}/renew`, { headers, body: {} }),
        await app.http.get(`${at}/renewal`, { headers }),
        await app.http.get(`/customer/portal?licence=${id}`, { headers }),
      ];
      for (const { status, json } of answers) {
        expect([status, json]).toEqual([
          404,
          { error: 'licence_not_found', message: 'This licence is not in your account.' },
        ]);
      }
      expect((await app.http.post(`${at}/renew`, { body: {} })).status).toBe(401);
      expect((await app.http.get(`${at}/renewal`)).status).toBe(401);
    }
    expect((await app.http.get('/customer/portal')).status).toBe(401);
  });

  it('opens the portal for the buyer, not for a later owner of the licence', async () => {
    const purchase = await buy();
    const portal = async (email: string, query = '') =>
      app.http.get(`/customer/portal${query}`, {
        headers: await createBearerHeader(app.platform, email),
      });
    const own = await portal(purchase.email, `?licence=${purchase.id}`);
    expect([own.status, own.json]).toEqual([
      200,
      { url: 'https://billing.stripe.com/p/session/1' },
    ]);
    const heir = await makeLicence(app.platform);
    await transferLicence(app.platform, purchase.id, heir.email, 'test');
    expect((await portal(heir.email, `?licence=${purchase.id}`)).json.error).toBe(
      'purchase_not_found',
    );
    expect((await portal(heir.email)).json.error).toBe('purchase_not_found');
    expect((await portal(purchase.email)).status).toBe(200);
    const { status, json } = await renew({ id: purchase.id, email: heir.email });
    expect([status, json.error]).toEqual([409, 'other_subscriber']);
    await purchase.cancel();
    const after = await renew({ id: purchase.id, email: heir.email });
    expect([after.status, after.json.kind]).toEqual([200, 'checkout']);
    expect(created().at(-1)?.params).toMatchObject({ customer_email: heir.email });
  });

  it('says in the options and in reminders that the subscription of a former owner runs until the expiry', async () => {
    const purchase = await buy();
    const heir = { id: purchase.id, email: `patient-heir-${engine}@example.com` };
    await transferLicence(app.platform, purchase.id, heir.email, 'test');
    const cancelled = { cancel_at_period_end: true };
    await tell('customer.subscription.updated', purchase.subscription(cancelled));
    purchase.set({ ...cancelled, currency: 'usd' });
    const refused = await renew(heir);
    expect([refused.status, refused.json.error]).toEqual([409, 'other_subscriber']);
    const { obstacle, subscription, currency } = await renewalOptions(heir);
    expect([obstacle, subscription, currency]).toEqual([refused.json, null, null]);
    const page = await (await browse(heir.email)).open(`/account/renew?licence=${purchase.id}`);
    expect(page.text).toContain('A subscription of the former owner still pays');
    expect(page.html).not.toContain('action="renew"');

    const job = licenceJob(app.platform, {
      publicUrl: () => app.url,
      canRenew: () => true,
      stripe: { secretKey: 'sk_test_x', apiUrl: stripe.url, hasTax: false },
      wasErased: async () => false,
      prices: [],
      expiringDays: [],
    });
    const remind = async (days: number) => {
      app.clock.advance(days * DAY_MS);
      await job.runIfDue();
      const mails = await mailsTo(heir.email);
      return mails.findLast(({ kind }) => kind === 'licence_expiry')?.body_text ?? '';
    };
    await job.runIfDue();
    const told = await remind(340);
    expect(told).toContain('A subscription of the former owner pays for this licence until then.');
    expect(told).not.toContain('Renew the licence before then');
    expect(told).toContain(`${app.url}/account/renew?licence=${purchase.id}`);

    await purchase.cancel();
    expect(await renewalOptions(heir)).toMatchObject({ obstacle: null });
    const later = await remind(19);
    expect(later).toContain('Renew the licence before then');
    expect(later).not.toContain('former owner');
  });

  it('keeps the customer at Stripe in a lifetime renewal, and creates an invoice', async () => {
    const purchase = await buy();
    await purchase.cancel();
    app.clock.advance(YEAR + DAY_MS);
    expect((await renew(purchase, { interval: 'once' })).status).toBe(200);
    const params = created().at(-1)?.params ?? {};
    expect(params).toMatchObject({
      customer: purchase.customer,
      'invoice_creation[enabled]': 'true',
    });
    expect(params.customer_creation).toBeUndefined();
  });

  it('offers the portal for a lifetime licence only if its payment has a customer at Stripe', async () => {
    const { email } = await buy();
    const headers = await createBearerHeader(app.platform, email);
    const browser = plainBrowser(() => app.url);
    browser.cookies.set('pavis_account', (await issueCustomerToken(app.platform, email)).token);
    const buyOnce = async (customer: string | null) => {
      const once = bought(`${engine}_once_${customer}`, { email, interval: 'once' });
      const payment = { mode: 'payment', subscription: null, payment_intent: once.ids.payment };
      stripe.contracts.set(once.ids.session, {
        status: 'complete',
        customer: customer && { id: customer, object: 'customer' },
        subscription: null,
      });
      await tell('checkout.session.completed', once.session({ ...payment, customer }));
      const id = (await findPurchase(app.platform.datastore.db, once.ids.session))?.licenceId;
      const { json } = await app.http.get(`/customer/licences/${id}/renewal`, { headers });
      const page = await browser.open(`/account/renew?licence=${id}`);
      const portal = await app.http.get(`/customer/portal?licence=${id}`, { headers });
      return [json.has_portal, page.text.includes('Open the billing portal'), portal.status];
    };
    expect(await buyOnce(null)).toEqual([false, false, 404]);
    stripe.asked.length = 0;
    // The latest purchase has no customer; the subscription has.
    const { status } = await app.http.get('/customer/portal', { headers });
    expect(status).toBe(200);
    expect(await buyOnce('cus_lifetime')).toEqual([true, true, 200]);
    expect(stripe.asked.at(-1)?.params.customer).toBe('cus_lifetime');
  });

  it('offers the portal for a subscription that a node of an earlier release recorded', async () => {
    const purchase = await buy();
    const { db } = app.platform.datastore;
    const recorded = db.updateTable('purchases').set({ has_customer: 0 });
    await recorded.where('session_id', '=', purchase.ids.session).execute();
    const headers = await createBearerHeader(app.platform, purchase.email);
    expect((await app.http.get('/customer/portal', { headers })).status).toBe(200);
    expect(await renewalOptions(purchase)).toMatchObject({ has_portal: true });
    await revokeLicence(app.platform, purchase.id, 'test');
    const account = await (await browse(purchase.email)).open('/account/');
    expect(account.html).toContain(`href="renew?licence=${purchase.id}"`);
    await tell('invoice.paid', purchase.invoice(2, app.clock.now() + 2 * YEAR));
    expect(await findPurchase(db, purchase.ids.session)).toMatchObject({ hasCustomer: 1 });
  });

  it('does not show the new customer who paid a renewal that was begun before the transfer', async () => {
    const expiresAt = app.clock.now() + DAY_MS;
    const owner = await makeLicence(app.platform, { mode: 'test', expiresAt });
    const heir = await makeLicence(app.platform);
    const { id: session } = (await renew(owner, { tier: 'agency' })).json;
    app.clock.advance(1_000);
    await transferLicence(app.platform, owner.id, heir.email, 'test');
    await pay(session, owner.id, { tier: 'agency', email: owner.email });
    const subscription = { id: 'sub_of_owner', object: 'subscription', status: 'active' };
    stripe.contracts.set(session, {
      status: 'complete',
      customer: { id: 'cus_of_owner', object: 'customer' },
      subscription: { ...subscription, items: { data: [] } },
    });
    expect(await licenceOf(owner.id)).toMatchObject({ tier: 'agency' });
    const portal = async (email: string) =>
      app.http.get(`/customer/portal`, { headers: await createBearerHeader(app.platform, email) });
    expect((await portal(heir.email)).json.error).toBe('purchase_not_found');
    expect((await portal(owner.email)).status).toBe(200);
    const refused = await renew({ id: owner.id, email: heir.email });
    expect(refused.json.error).toBe('other_subscriber');
  });

  it('emails the invoice of a failed payment to the buyer only, also after a transfer', async () => {
    const purchase = await buy();
    const heir = await makeLicence(app.platform);
    await transferLicence(app.platform, purchase.id, heir.email, 'test');
    const hosted_invoice_url = `https://invoice.stripe.com/i/${purchase.id}`;
    app.clock.advance(YEAR);
    const invoice = { ...purchase.invoice(2, app.clock.now() + YEAR), hosted_invoice_url };
    for (let n = 0; n < 2; n++) await tell('invoice.payment_failed', invoice);
    const failed = async (email: string) =>
      (await mailsTo(email)).filter(({ kind }) => kind === 'licence_payment_failed');
    const [toBuyer, ...again] = await failed(purchase.email);
    expect([toBuyer?.body_text?.includes(hosted_invoice_url), again]).toEqual([true, []]);
    const [toOwner, ...more] = await failed(heir.email);
    expect(toOwner?.body_text).toContain('former owner');
    expect(JSON.stringify(toOwner)).not.toContain(hosted_invoice_url);
    expect(more).toEqual([]);
  });

  it('emails nothing about a failed payment for an upgrade, which is no failed renewal', async () => {
    const purchase = await buy();
    app.clock.advance(100 * DAY_MS);
    const now = app.clock.now();
    const end = now + YEAR - 100 * DAY_MS;
    const lines = {
      data: [purchase.line(now, end, -3_500, true), purchase.line(now, end, 9_000, true)],
    };
    const upgrade = { billing_reason: 'subscription_update', amount_due: 5_500, lines };
    await tell('invoice.payment_failed', purchase.invoice(2, end, 5_500, upgrade));
    const kinds = async () => (await mailsTo(purchase.email)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['licence_issued']);
    const { id } = await licenceOf(purchase.id);
    const events = await listEvents(app.platform.datastore.db, id);
    expect(events.at(-1)).toMatchObject({ action: 'payment_failed' });
    app.clock.advance(YEAR);
    await tell('invoice.payment_failed', purchase.invoice(3, end + YEAR));
    expect(await kinds()).toEqual(['licence_issued', 'licence_payment_failed']);
  });

  it('keeps the buyer of a transferred licence while their subscription runs', async () => {
    const { datastore } = app.platform;
    const admin = { headers: await basicAuth(app.platform) };
    const purchase = await buy();
    const heir = await makeLicence(app.platform, { expiresAt: NEVER });
    await transferLicence(app.platform, purchase.id, heir.email, 'test');
    const { id } = await datastore.db
      .selectFrom('customers')
      .select('id')
      .where('email', '=', purchase.email)
      .executeTakeFirstOrThrow();
    const policies = `${REST}/retention/policies?data_category=customers`;
    const [policy] = (await app.http.get(policies, admin)).json;
    const run = async () => {
      const body = { dry_run: false, policy_id: policy.id };
      expect((await app.http.post(`${REST}/retention/run`, { ...admin, body })).status).toBe(200);
      const { db } = datastore;
      const row = await db.selectFrom('customers').select('email').where('id', '=', id).execute();
      return row.map(({ email }) => email);
    };
    for (let year = 2; year <= 5; year++) {
      app.clock.advance(YEAR);
      await tell('invoice.paid', purchase.invoice(year, app.clock.now() + YEAR));
    }
    expect(await run()).toEqual([purchase.email]);
    const { json } = await app.http.get(`/console/licences/customers/${id}`, admin);
    expect(json.remaining).toMatchObject([{ ground: 'contract', licences: [{ id: purchase.id }] }]);
    await purchase.cancel();
    expect(await run()).toEqual([purchase.email]);
    // The paid year, and three years after it.
    app.clock.advance(4 * YEAR + 10 * DAY_MS);
    expect(await run()).not.toEqual([purchase.email]);
  });

  it('anonymises no purchase that is still paid, whatever its policy, so its buyer stays', async () => {
    const admin = { headers: await basicAuth(app.platform) };
    const purchase = await buy({ livemode: true });
    const { customerId } = await licenceOf(purchase.id);
    const heir = await makeLicence(app.platform);
    await transferLicence(app.platform, purchase.id, heir.email, 'test');
    const policy = { name: 'Early', period_value: 1, period_unit: 'days', action: 'anonymise' };
    const body = { ...policy, data_category: 'purchases' };
    const { id: policy_id } = (
      await app.http.post(`${REST}/retention/policies`, { ...admin, body })
    ).json;
    const run = async () => {
      const chosen = { ...admin, body: { dry_run: false, policy_id } };
      await app.http.post(`${REST}/retention/run`, chosen);
      const { db } = app.platform.datastore;
      const purchases = db.selectFrom('purchases').select('customer_id');
      const rows = await purchases.where('anonymised_at', 'is', null).execute();
      return rows.some(({ customer_id }) => customer_id === customerId);
    };
    app.clock.advance(YEAR - DAY_MS);
    expect(await run()).toBe(true);
    const { json } = await app.http.get(`/console/licences/customers/${customerId}`, admin);
    expect(json.remaining).toMatchObject([{ ground: 'contract', licences: [{ id: purchase.id }] }]);
    const end = app.clock.now() + YEAR;
    await tell('invoice.paid', purchase.invoice(2, end));
    expect((await licenceOf(purchase.id)).expiresAt).toBe(end);
    await purchase.cancel();
    app.clock.advance(2 * YEAR);
    expect(await run()).toBe(false);
  });

  it('does not delete a customer while a subscription can still charge them, also after the expiry', async () => {
    const admin = { headers: await basicAuth(app.platform) };
    const purchase = await buy({ livemode: true });
    const end = app.clock.now() + 2 * YEAR;
    const path = `/console/licences/${purchase.id}/customer`;
    const remove = async () => {
      const body = { email: purchase.email };
      return (await app.http.request('DELETE', path, { ...admin, body })).status;
    };
    app.clock.advance(YEAR);
    await tell('invoice.payment_failed', purchase.invoice(2, end));
    await tell('customer.subscription.updated', purchase.subscription({ status: 'past_due' }));
    app.clock.advance(20 * DAY_MS);
    expect((await licenceOf(purchase.id)).status).toBe('expired');
    expect(await remove()).toBe(409);
    const { json } = await app.http.get(path, admin);
    expect(json.remaining).toMatchObject([{ ground: 'contract', licences: [{ id: purchase.id }] }]);
    await tell('invoice.paid', purchase.invoice(2, end));
    expect(await licenceOf(purchase.id)).toMatchObject({ status: 'active', email: purchase.email });
    // A revoked licence does not stop Stripe either.
    await revokeLicence(app.platform, purchase.id, 'test');
    expect(await remove()).toBe(409);
    await purchase.cancel();
    expect(await remove()).toBe(200);
  });

  it.each<[string, boolean, number]>([
    ['for 90 days after the paid period', true, 90],
    ['in test mode only while the licence is active', false, 14],
  ])(
    'keeps a customer whose subscription was never reported as ended %s',
    async (_, livemode, days) => {
      const admin = { headers: await basicAuth(app.platform) };
      const { id, email } = await buy({ livemode });
      const { customerId } = await licenceOf(id);
      const remaining = async () =>
        (await app.http.get(`/console/licences/customers/${customerId}`, admin)).json.remaining;
      app.clock.advance(YEAR + days * DAY_MS - 1);
      expect(await renews(id)).toBe(true);
      expect(await remaining()).toMatchObject([{ ground: 'contract', licences: [{ id }] }]);
      app.clock.advance(1);
      expect(await renews(id)).toBe(true);
      expect(await remaining()).toEqual([]);
      const body = { email };
      const path = `/console/licences/${id}/customer`;
      expect((await app.http.request('DELETE', path, { ...admin, body })).status).toBe(200);
    },
  );

  it('does not delete a customer who can still pay a renewal', async () => {
    const admin = { headers: await basicAuth(app.platform) };
    const purchase = await buy();
    await purchase.cancel();
    app.clock.advance(YEAR + DAY_MS);
    stripe.sessionsEndAt = Math.floor((app.clock.now() + DAY_MS) / 1_000);
    const session = (await renew(purchase)).json.id;
    const path = `/console/licences/${purchase.id}/customer`;
    const body = { email: purchase.email };
    expect((await app.http.get(path, admin)).json.remaining).toMatchObject([
      { ground: 'open_order' },
    ]);
    expect((await app.http.request('DELETE', path, { ...admin, body })).status).toBe(409);
    app.clock.advance(DAY_MS + 1_000);
    expect((await app.http.request('DELETE', path, { ...admin, body })).status).toBe(200);
    // A payment that took longer than the checkout was open.
    const before = await licenceOf(purchase.id);
    await pay(session, purchase.id);
    expect(await licenceOf(purchase.id)).toMatchObject({
      status: 'expired',
      expiresAt: before.expiresAt,
    });
    const events = await listEvents(app.platform.datastore.db, before.id);
    expect(events.map(({ action }) => action)).toContain('renewal_refused');
    expect(await renews(purchase.id)).toBe(false);
    expect(app.logged()).toContain('refund it');
  });

  it('keeps no former customer for a renewal that was refunded', async () => {
    const admin = { headers: await basicAuth(app.platform) };
    const expiresAt = app.clock.now() + 20 * DAY_MS;
    const owner = await makeLicence(app.platform, { mode: 'test', expiresAt });
    const heir = await makeLicence(app.platform);
    const { customerId } = await licenceOf(owner.id);
    const renewal = await pay((await renew(owner)).json.id, owner.id, { email: owner.email });
    await transferLicence(app.platform, owner.id, heir.email, 'test');
    const remaining = async () =>
      (await app.http.get(`/console/licences/customers/${customerId}`, admin)).json.remaining;
    expect(await remaining()).toMatchObject([{ ground: 'contract' }]);
    await tell('invoice_payment.paid', renewal.invoicePayment(1));
    await tell('charge.refunded', renewal.charge(1));
    expect(await licenceOf(owner.id)).toMatchObject({ status: 'active', expiresAt });
    expect(await remaining()).toEqual([]);
  });

  it('closes the previous open checkout, and rejects another one once it is paid', async () => {
    const purchase = await buy();
    await purchase.cancel();
    app.clock.advance(YEAR + DAY_MS);
    const first = (await renew(purchase)).json.id;
    const second = (await renew(purchase, { tier: 'agency' })).json.id;
    expect(stripe.contracts.get(first)?.status).toBe('expired');
    stripe.contracts.set(second, { status: 'complete' });
    for (let n = 0; n < 2; n++) {
      const { status, json } = await renew(purchase);
      expect([status, json.error]).toEqual([409, 'payment_in_progress']);
    }
    const atOnce = await buy();
    await atOnce.cancel();
    app.clock.advance(YEAR + DAY_MS);
    await Promise.all(Array.from({ length: 6 }, () => renew(atOnce)));
    const made = created()
      .filter(({ params }) => params['metadata[licence]'] === atOnce.id)
      .map(({ key }) => key);
    const open = [...stripe.contracts.values()].filter(({ status }) => status === 'open');
    expect(made.length).toBeGreaterThan(0);
    expect(open).toEqual([]);
  });

  it('returns the same session for the same Idempotency-Key', async () => {
    const purchase = await buy();
    await purchase.cancel();
    const headers = { 'idempotency-key': `renewal-${engine}` };
    const [first, again] = [await renew(purchase, {}, headers), await renew(purchase, {}, headers)];
    expect(again.json).toEqual(first.json);
    expect(stripe.contracts.get(first.json.id)?.status).not.toBe('expired');
  });

  it('opens a new checkout for a repeated Idempotency-Key whose checkout was closed by another', async () => {
    const purchase = await buy();
    await purchase.cancel();
    const as = (key: string) =>
      renew(purchase, {}, { 'idempotency-key': `${key}-closed-${engine}` });
    const [first, second, again] = [await as('a'), await as('b'), await as('a')];
    expect([first.status, second.status, again.status]).toEqual([200, 200, 200]);
    expect(new Set([first, second, again].map(({ json }) => json.id)).size).toBe(3);
    const statuses = [first, second, again].map(
      ({ json }) => stripe.contracts.get(json.id)?.status ?? 'open',
    );
    expect(statuses).toEqual(['expired', 'expired', 'open']);
    expect((await as('a')).json).toEqual(again.json);
  });

  it.each<[string, object]>([
    ['a tier that is not on sale', { tier: 'starter' }],
    ['a tier and interval that are not on sale', { tier: 'agency', interval: 'month' }],
    ['quantity 0', { quantity: 0 }],
    ['a redirect to another origin', { success_url: 'https://evil.example/' }],
    ['a wrong type', { tier: 5 }],
  ])('returns 400 for %s', async (_name, body) => {
    const licence = await makeLicence(app.platform, {
      mode: 'test',
      expiresAt: app.clock.now() - DAY_MS,
    });
    const { status, json } = await renew(licence, body);
    expect([status, json.error]).toEqual([400, 'invalid_request']);
    expect(created()).toEqual([]);
  });

  it('rejects a choice with fewer sites than are in use', async () => {
    const licence = await makeLicence(app.platform, {
      mode: 'test',
      sitesAllowed: 6,
      expiresAt: app.clock.now() + DAY_MS,
    });
    for (const n of [1, 2, 3, 4]) {
      await app.http.site('activate', licence.key, `https://site-${n}.example.com`);
    }
    const { status, json } = await renew(licence, { quantity: 1 });
    expect([status, json.message]).toEqual([
      400,
      expect.stringContaining('4 sites use this licence'),
    ]);
  });

  it('rejects test payments for live licences and payments for lifetime licences', async () => {
    const live = await makeLicence(app.platform, { expiresAt: app.clock.now() - DAY_MS });
    expect((await renew(live)).json.error).toBe('wrong_mode');
    const endless = await makeLicence(app.platform, { mode: 'test', expiresAt: NEVER });
    for (const body of [{}, { interval: 'once' }, { tier: 'agency', interval: 'year' }]) {
      expect((await renew(endless, body)).json.error).toBe('renewal_not_needed');
    }
    const { json } = await renew(endless, { tier: 'agency', interval: 'once' });
    const once = { mode: 'payment', subscription: null, payment_intent: `pi_${json.id}` };
    const metadata = { tier: 'agency', interval: 'once', licence: endless.id };
    const paid = bought(json.id, { email: endless.email });
    await tell('checkout.session.completed', paid.session({ id: json.id, ...once, metadata }));
    expect(await licenceOf(endless.id)).toMatchObject({ tier: 'agency', expiresAt: NEVER });
  });

  it('says on German pages why a licence is not renewed, and what to do', async () => {
    const subscribed = await buy();
    const endless = await makeLicence(app.platform, { mode: 'test', expiresAt: NEVER });
    const disputed = await buy();
    await tell('invoice_payment.paid', disputed.invoicePayment(1));
    await disputed.cancel();
    await tell('charge.dispute.created', disputed.dispute(1, 'needs_response'));
    for (const [licence, said] of [
      [subscribed, 'wählen Sie einen anderen Tarif, eine andere Abrechnung'],
      [endless, 'wählen Sie einen anderen Tarif oder mehr Websites mit einmaliger Zahlung'],
    ] as const) {
      const browser = await browse(licence.email, 'de');
      const page = await browser.open(`/account/renew?licence=${licence.id}`);
      const refused = await browser.submit(page, 'renew');
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(said)]);
    }
    const page = await (await browse(disputed.email, 'de')).open(
      `/account/renew?licence=${disputed.id}`,
    );
    expect(page.text).toContain('wegen einer Zahlung gesperrt und kann nicht verlängert werden');
    expect(page.html).not.toContain('action="renew"');
    const { status, json } = await renew(disputed);
    expect([status, json.error]).toEqual([403, 'licence_suspended']);
    expect(await renewalOptions(disputed)).toMatchObject({ obstacle: json });
    // Nothing is known of a subscription that the customer could pay.
    stripe.mood = 'fails';
    expect(await renewalOptions(disputed)).toMatchObject({ obstacle: null });
  });

  it('returns the renewal options of a licence with prices', async () => {
    stripe.prices.set('price_pro_year', {
      id: 'price_pro_year',
      unit_amount: 4_900,
      currency: 'eur',
      tax_behavior: 'exclusive',
    });
    const purchase = await buy();
    const headers = await createBearerHeader(app.platform, purchase.email);
    const { status, json } = await app.http.get(`/customer/licences/${purchase.id}/renewal`, {
      headers,
    });
    expect([status, json]).toMatchObject([
      200,
      { id: purchase.id, tier: 'pro', renews: true, has_portal: true, quantity: 1, obstacle: null },
    ]);
    expect(json.prices).toHaveLength(5);
  });

  it('shows a subscriber the prices in their currency, in which they pay changes', async () => {
    for (const [id, currency] of [
      ['price_pro_year', 'eur'],
      ['price_agency_year', 'eur'],
      ['price_pro_usd', 'usd'],
      ['price_agency_usd', 'usd'],
    ] as const)
      stripe.prices.set(id, { id, unit_amount: 5_900, currency, tax_behavior: null });
    app.clock.advance(600_000);
    const purchase = await buy();
    const item = { id: 'si_1', price: { id: 'price_pro_usd' }, quantity: 1 };
    purchase.set({ currency: 'usd', items: { data: [item] } });
    const { token } = await issueCustomerToken(app.platform, purchase.email);
    const headers = { authorization: `Bearer ${token}` };
    const { json } = await app.http.get(`/customer/licences/${purchase.id}/renewal`, { headers });
    expect(json).toMatchObject({ renews: true, currency: 'USD', interval: 'year' });
    const shown = json.prices.filter(({ interval }: { interval: string }) => interval === 'year');
    expect(shown).toMatchObject([
      { tier: 'pro', currency: 'USD' },
      { tier: 'agency', currency: 'USD' },
    ]);
    const browser = plainBrowser(() => app.url);
    browser.cookies.set('pavis_account', token);
    const page = await browser.open(`/account/renew?licence=${purchase.id}`);
    expect(page.text).toContain('US$59.00 a year');
    expect(page.text).not.toContain('€');
    await browser.submit(page, 'renew', { tier: 'agency' });
    expect(stripe.asked.at(-1)?.params).toMatchObject({
      'flow_data[subscription_update_confirm][items][0][price]': 'price_agency_usd',
    });
  });

  it('renews in the currency of a subscription that has ended', async () => {
    for (const [id, currency] of [
      ['price_pro_year', 'eur'],
      ['price_pro_month', 'eur'],
      ['price_agency_year', 'eur'],
      ['price_pro_usd', 'usd'],
      ['price_agency_usd', 'usd'],
    ] as const)
      stripe.prices.set(id, { id, unit_amount: 5_900, currency, tax_behavior: null });
    app.clock.advance(600_000);
    const purchase = await buy({ currency: 'usd' });
    await purchase.cancel();
    const sold = async (body: object, licence: { id: string; email: string } = purchase) => {
      expect((await renew(licence, body)).json.kind).toBe('checkout');
      return created().at(-1)?.params['line_items[0][price]'];
    };
    expect(await sold({})).toBe('price_pro_usd');
    expect(await sold({ tier: 'agency' })).toBe('price_agency_usd');
    // Not on sale in this currency.
    expect(await sold({ interval: 'month' })).toBe('price_pro_month');

    const listShown = async (licence: { id: string; email: string }) =>
      (await renewalOptions(licence)).prices.flatMap(
        ({ tier, interval, currency }: { tier: string; interval: string; currency: string }) =>
          interval === 'once' ? [] : [`${tier}/${interval}/${currency}`],
      );
    const shown = ['pro/month/EUR', 'pro/year/USD', 'agency/year/USD'];
    expect((await listShown(purchase)).toSorted()).toEqual(shown.toSorted());
    expect(await renewalOptions(purchase)).toMatchObject({ currency: null });
    const browser = await browse(purchase.email);
    const page = await browser.open(`/account/renew?licence=${purchase.id}`);
    expect(page.text).toContain('US$59.00 a year');
    expect(page.text).not.toContain('€59.00 a year');
    await browser.submit(page, 'renew');
    expect(created().at(-1)?.params['line_items[0][price]']).toBe('price_pro_usd');

    const heir = { id: purchase.id, email: `euro-heir-${engine}@example.com` };
    await transferLicence(app.platform, purchase.id, heir.email, 'test');
    expect(await sold({}, heir)).toBe('price_pro_year');
    expect(await listShown(heir)).toContain('pro/year/EUR');
  });

  it('renews in the currency of the last purchase also at a price whose entry names no currency', async () => {
    for (const [id, currency] of [
      ['price_agency_once_usd', 'usd'],
      ['price_agency_once', 'eur'],
    ] as const)
      stripe.prices.set(id, { id, unit_amount: 59_000, currency, tax_behavior: null });
    app.clock.advance(600_000);
    const purchase = await buy({ currency: 'eur' });
    await purchase.cancel();
    const { prices } = await renewalOptions(purchase);
    const shown = prices.filter(
      ({ tier, interval }: { tier: string; interval: string }) =>
        tier === 'agency' && interval === 'once',
    );
    expect(shown).toMatchObject([{ currency: 'EUR', amount: 59_000 }]);
    const sold = async (body: object) => {
      const choice = { tier: 'agency', interval: 'once', ...body };
      expect((await renew(purchase, choice)).json.kind).toBe('checkout');
      return created().at(-1)?.params['line_items[0][price]'];
    };
    expect(await sold({})).toBe('price_agency_once');
    expect(await sold({ currency: 'usd' })).toBe('price_agency_once_usd');
    expect(await sold({ currency: 'eur' })).toBe('price_agency_once');
  });

  it('tells the vendor of payments for a licence that was revoked by hand', async () => {
    const admin = { headers: await basicAuth(app.platform) };
    const purchase = await buy();
    const read = async () => (await app.http.get(`/console/licences/${purchase.id}`, admin)).json;
    app.clock.advance(DAY_MS);
    await revokeLicence(app.platform, purchase.id, 'test');
    await tell(
      'invoice.paid',
      purchase.invoice(2, app.clock.now() + YEAR),
      app.clock.now() - 5_000,
    );
    const { renews, events } = await read();
    expect(renews).toBe(true);
    expect(events.at(-1)).toMatchObject({ action: 'payment_received' });
    expect(events.at(-1).details).not.toHaveProperty('licence_revoked');
    app.clock.advance(YEAR);
    await tell('invoice.paid', purchase.invoice(3, app.clock.now() + YEAR));
    expect((await read()).events.at(-1)).toMatchObject({
      action: 'payment_received',
      details: { licence_revoked: true },
    });
    await purchase.cancel();
    expect((await read()).renews).toBe(false);
  });

  it('sends no reminder for a licence that a new subscription renews', async () => {
    const purchase = await buy();
    await purchase.cancel();
    app.clock.advance(YEAR + DAY_MS);
    await pay((await renew(purchase)).json.id, purchase.id);
    app.clock.advance(YEAR - 5 * DAY_MS);
    const job = licenceJob(app.platform, {
      publicUrl: () => app.url,
      canRenew: () => true,
      stripe: undefined,
      wasErased: async () => false,
      prices: [],
      expiringDays: [],
    });
    await job.runIfDue();
    const kinds = (await mailsTo(purchase.email)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'licence_expiry')).toEqual([]);
  });

  it('links the email about a failed payment to the invoice, if its URL is https', async () => {
    const purchase = await buy();
    const hosted_invoice_url = 'https://invoice.stripe.com/i/acct_1/test_abc';
    const end = app.clock.now() + 2 * YEAR;
    app.clock.advance(DAY_MS);
    await tell('invoice.payment_failed', { ...purchase.invoice(2, end), hosted_invoice_url });
    const script = { hosted_invoice_url: 'javascript:alert(1)' };
    await tell('invoice.payment_failed', { ...purchase.invoice(3, end), ...script });
    const [first, second] = (await mailsTo(purchase.email)).filter(
      ({ kind }) => kind === 'licence_payment_failed',
    );
    expect(first?.body_text).toContain(hosted_invoice_url);
    expect(first?.body_text).toContain(`payment for the renewal of licence ${purchase.id} failed`);
    expect(second?.body_text).not.toContain('javascript');
    const facts = await app.platform.datastore.db
      .selectFrom('payment_events')
      .select('fact')
      .execute();
    expect(JSON.stringify(facts)).not.toContain('invoice.stripe.com');
  });
});
