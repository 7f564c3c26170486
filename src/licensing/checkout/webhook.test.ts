import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dumpDatabase } from '../../../test/support/dump.ts';
import { ENGINES } from '../../../test/support/engines.ts';
import { type MailServer, mailServer } from '../../../test/support/mail-server.ts';
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
import { createDelivery, sendDueMails } from '../../mail/index.ts';
import { openPlatform } from '../../modules/platform.ts';
import { DAY_MS } from '../../platform/durations.ts';
import {
  editLicence,
  extendLicence,
  findLicenceWithCustomer,
  getLicenceStatus,
  listEvents,
  listLicences,
  listRestrictions,
  reinstateLicence,
  revokeLicence,
  suspendLicence,
} from '../licences/index.ts';
import { NEVER, updatePlan } from '../products/index.ts';
import { parsePaymentEvent } from './events.ts';
import { followKnownPrices, processPaymentEvent } from './payments.ts';
import { toPurchaseHistory } from './purchases/history.ts';
import { listCustomerPurchases, listUnknownPrices } from './purchases/store.ts';

const SITE = 'https://example.com';
const SECOND_SECRET = 'whsec_the_next_one';
const TABLES = [
  'payment_events',
  'payment_refs',
  'customers',
  'licences',
  'licence_keys',
  'licence_events',
  'purchases',
  'outbox_mails',
];

describe.each(ENGINES)('POST /webhooks/stripe on %s', (engine) => {
  const env: Record<string, string> = {
    PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
    PAVIS_STRIPE_WEBHOOK_SECRET: `${WEBHOOK_SECRET},${SECOND_SECRET}`,
    PAVIS_STRIPE_PRICES:
      'pro/year=price_pro_year,agency/year=price_agency_year,pro/once=price_pro_once,' +
      'pro/year=price_pro_year_2024,agency/year/usd=price_agency_year_usd',
  };
  let stripe: StripeStandIn;
  let mail: MailServer;
  beforeAll(async () => {
    stripe = await stripeStandIn();
    mail = await mailServer();
    env.PAVIS_STRIPE_API_URL = stripe.url;
  });
  const app = useTestApp(engine, env);
  beforeEach(async () => {
    await mails();
    stripe.mood = 'answers';
    stripe.asked.length = 0;
    mail.arrived.length = 0;
  });
  afterAll(async () => {
    await stripe.stop();
    await mail.stop();
  });

  const post = (payload: string, signature?: string) =>
    app.http.post('/webhooks/stripe', {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature ?? createSignature(payload, app.clock.now()),
      },
      body: payload,
    });
  /** Lets a session be one of ours. */
  const order = (session: object) => placeOrder(app.platform.datastore.db, session);
  async function tell(type: string, object: object, at = app.clock.now()): Promise<void> {
    if (type.startsWith('checkout.session.')) await order(object);
    const { status, json } = await post(stripeEvent(type, at, object));
    expect([status, json]).toEqual([200, { received: true }]);
  }
  const licencesOf = (email: string) => listLicences(app.platform.datastore.db, { email });
  async function only(email: string) {
    const licences = await licencesOf(email);
    expect(licences).toHaveLength(1);
    const [licence] = licences as [(typeof licences)[number]];
    return { ...licence, status: getLicenceStatus(licence, app.clock.now()) };
  }
  async function mails() {
    const from = { name: '', address: 'shop@example.com' };
    const folder = '/nonexistent';
    const delivery = createDelivery({ smtpUrl: mail.url, from, folder });
    while (await sendDueMails(app.platform, delivery)) {}
    return mail.arrived.map(({ to, mail: { subject, text } }) => ({ to: to[0], subject, text }));
  }
  const keyIn = (text = '') => /pv_(?:test|live)_[A-Za-z0-9]{32}/.exec(text)?.[0] ?? '';
  let purchases = 0;
  const buy = (options: Parameters<typeof bought>[1] = {}) => {
    const number = `${engine}${++purchases}`;
    return { ...bought(number, options), email: options.email ?? `buyer-${number}@example.com` };
  };
  async function getPaidPeriod(options: Parameters<typeof bought>[1] = {}) {
    const purchase = buy(options);
    await tell('checkout.session.completed', purchase.session());
    await tell('invoice.paid', purchase.invoice(1, app.clock.now() + 365 * DAY_MS));
    return purchase;
  }

  it('issues a licence for a paid session, and emails a working key', async () => {
    const { email } = await getPaidPeriod();
    const [arrived] = await mails();
    expect(arrived).toMatchObject({ to: email, subject: 'Your licence key' });
    expect(arrived?.text).toMatch(/\nRenews: \d/);
    expect(arrived?.text).not.toContain('trial');
    const key = keyIn(arrived?.text);
    expect(key).toMatch(/^pv_test_/);
    expect((await app.http.site('validate', key, SITE)).json).toMatchObject({ valid: true });
    expect((await app.http.site('activate', key, SITE)).json).toMatchObject({ success: true });
    expect(await only(email)).toMatchObject({ tier: 'pro', mode: 'test', status: 'active' });
    expect(await dumpDatabase(app.platform)).not.toContain(key.slice('pv_test_'.length));
    expect(app.logged()).not.toMatch(/pv_test_|buyer-/);
  });

  it('keeps what was paid, refunded and disputed, with the currency, in the audit log and in the history of the customer', async () => {
    const once = buy({ interval: 'once' });
    const eur = { currency: 'eur' };
    await tell('checkout.session.completed', once.session({ ...eur, amount_total: 19_900 }));
    const yearly = buy({ shape: 'old' });
    await tell('checkout.session.completed', yearly.session({ ...eur, amount_total: 4_900 }));
    const until = app.clock.now() + 365 * DAY_MS;
    const paid = { ...eur, amount_paid: 4_900 };
    await tell('invoice.paid', yearly.invoice(1, until, 4_900, paid));
    await tell('charge.refunded', {
      ...yearly.charge(1, { refunded: false, amount: 4_900, amount_refunded: 900 }),
      ...eur,
    });
    const list = async (email: string) => {
      const licence = await only(email);
      const events = await listEvents(app.platform.datastore.db, licence.id);
      return {
        licence,
        amounts: events.map(({ action, details: { amount, currency } }) => [
          action,
          amount,
          currency,
        ]),
      };
    };
    expect((await list(once.email)).amounts).toEqual([['issued', 19_900, 'EUR']]);
    const { licence, amounts } = await list(yearly.email);
    expect(amounts).toEqual([
      ['issued', undefined, undefined],
      ['payment_received', 4_900, 'EUR'],
      ['payment_partly_refunded', 900, 'EUR'],
    ]);
    const [purchase] = await listCustomerPurchases(app.platform.datastore.db, licence.customerId);
    expect(purchase && toPurchaseHistory(purchase).payments).toMatchObject([
      { type: 'paid', amount: 4_900, currency: 'EUR' },
      { type: 'partly_refunded', amount: 900, currency: 'EUR' },
    ]);
  });

  it('lists each outcome of a dispute once, and the sites at the time of the purchase', async () => {
    const { email, session, invoice, dispute, subscription } = buy({ shape: 'old' });
    await tell('checkout.session.completed', session());
    await tell('invoice.paid', invoice(1, app.clock.now() + 365 * DAY_MS));
    for (const [type, status] of [
      ['created', 'needs_response'],
      ['funds_withdrawn', 'needs_response'],
      ['updated', 'under_review'],
      ['closed', 'won'],
      ['funds_reinstated', 'won'],
      ['updated', 'under_review'],
    ] as const)
      await tell(`charge.dispute.${type}`, dispute(1, status));
    const plan = { product: 'pavis', tier: 'pro' };
    await updatePlan(app.platform, plan, { edits: { sites_allowed: 10 } }, 'test');
    const { db } = app.platform.datastore;
    const { customerId } = await only(email);
    const read = async () => {
      const [purchase] = await listCustomerPurchases(db, customerId);
      if (!purchase) throw new Error('no purchase');
      return toPurchaseHistory(purchase);
    };
    const { payments, sites } = await read();
    expect(payments.map(({ type }) => type)).toEqual([
      'paid',
      'dispute_open',
      'dispute_won',
      'dispute_open',
    ]);
    expect(sites).toBe(3);
    // The licence gets the sites that the plan has now.
    const items = { data: [{ price: { id: 'price_pro_year' }, quantity: 2 }] };
    await tell('customer.subscription.updated', subscription({ items }));
    expect([(await read()).sites, (await only(email)).sitesAllowed]).toEqual([20, 20]);
    await updatePlan(app.platform, plan, { edits: { sites_allowed: 3 } }, 'test');
    // A purchase of an earlier release.
    const old = db.updateTable('purchases').set({ package_sites: null });
    await old.where('customer_id', '=', customerId).execute();
    expect((await read()).sites).toBeNull();
  });

  it('issues one licence and one email for ten concurrent deliveries of an event', async () => {
    const { session, email } = buy();
    await order(session());
    const payload = stripeEvent('checkout.session.completed', app.clock.now(), session());
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(payload)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await only(email);
    expect((await mails()).filter(({ to }) => to === email)).toHaveLength(1);
  });

  it('issues one licence for concurrent events on two nodes, and applies both', async () => {
    const { secret, log, clock } = app.platform;
    const opened = await openPlatform(app.config, { secret: randomBytes(32), log, clock });
    const other = { ...opened, secret };
    const { session, invoice, subscription, email } = buy();
    const until = app.clock.now() + 300 * DAY_MS;
    await order(session());
    const events = [
      stripeEvent('checkout.session.completed', app.clock.now(), session()),
      stripeEvent('invoice.paid', app.clock.now(), invoice(1, until)),
      stripeEvent('customer.subscription.deleted', app.clock.now(), subscription()),
    ].map((payload) => parsePaymentEvent(JSON.parse(payload), []));
    await Promise.all(
      [app.platform, other].flatMap((node) =>
        events.map((event) => event && processPaymentEvent(node, event, 'stripe')),
      ),
    );
    await other.datastore.close();
    expect(await only(email)).toMatchObject({ expiresAt: until, graceDays: 0, status: 'active' });
    expect(await mails()).toHaveLength(1);
  });

  it('issues one licence for a session that several events report as paid', async () => {
    const { session, email } = buy();
    await tell('checkout.session.completed', session());
    await tell('checkout.session.completed', session());
    await tell('checkout.session.async_payment_succeeded', session());
    await only(email);
    expect(await mails()).toHaveLength(1);
  });

  it('issues two keys for two purchases, and revokes only the refunded one', async () => {
    const email = `twice-${engine}@example.com`;
    const first = await getPaidPeriod({ email });
    const second = await getPaidPeriod({ email });
    const keys = (await mails()).map(({ text }) => keyIn(text));
    expect(new Set(keys).size).toBe(2);
    await tell('invoice_payment.paid', first.invoicePayment(1));
    await tell('invoice_payment.paid', second.invoicePayment(1));
    await tell('charge.refunded', second.charge(1));
    const valid = await Promise.all(
      keys.map(async (key) => (await app.http.site('validate', key, SITE)).json.valid),
    );
    expect(valid).toEqual([true, false]);
    const statuses = (await licencesOf(email)).map((each) =>
      getLicenceStatus(each, app.clock.now()),
    );
    expect(statuses.toSorted()).toEqual(['active', 'revoked']);
    expect(stripe.asked).toEqual([]);
  });

  it('asks Stripe for the invoice of a refunded payment, and fails while Stripe is not available', async () => {
    const { charge, email } = await getPaidPeriod();
    stripe.invoices.set(`pi_${engine}${purchases}_1`, `in_${engine}${purchases}_1`);
    const refund = stripeEvent('charge.refunded', app.clock.now(), charge(1));
    stripe.mood = 'fails';
    expect((await post(refund)).status).toBe(503);
    expect((await only(email)).status).toBe('active');
    stripe.mood = 'answers';
    expect((await post(refund)).status).toBe(200);
    expect((await only(email)).status).toBe('revoked');
  });

  it('accepts payloads of the API before 2025', async () => {
    const purchase = buy({ shape: 'old' });
    await tell('checkout.session.completed', purchase.session());
    await tell('invoice.paid', purchase.invoice(1, Date.parse('2027-11-21T09:31:00Z')));
    expect((await only(purchase.email)).expiresAt).toBe(Date.parse('2027-11-21T09:31:00Z'));
    await tell('charge.refunded', purchase.charge(1));
    expect((await only(purchase.email)).status).toBe('revoked');
    expect(stripe.asked).toEqual([]);
  });

  it('issues live keys only for live payments', async () => {
    await getPaidPeriod({ livemode: true });
    expect(keyIn((await mails())[0]?.text)).toMatch(/^pv_live_/);
  });

  it('issues nothing before an asynchronous payment succeeds', async () => {
    const { session, email } = buy();
    await tell('checkout.session.completed', session({ payment_status: 'unpaid' }));
    expect(await licencesOf(email)).toEqual([]);
    await tell('checkout.session.async_payment_succeeded', session());
    await only(email);
    const failing = buy();
    await tell('checkout.session.completed', failing.session({ payment_status: 'unpaid' }));
    await tell('checkout.session.async_payment_failed', failing.session());
    expect(await licencesOf(failing.email)).toEqual([]);
  });

  it('reads what was ordered from its own order', async () => {
    const begun = (await app.http.post('/checkout/session', { body: { tier: 'agency' } })).json;
    const { session, email } = buy();
    const ours = { id: begun.id, metadata: {}, invoice: null, subscription: null };
    await tell('checkout.session.completed', session(ours));
    expect(await only(email)).toMatchObject({ tier: 'agency', sitesAllowed: 25 });
  });

  it('ignores other products of the same Stripe account', async () => {
    const { session, charge, email } = buy();
    await tell('checkout.session.completed', session({ metadata: {} }));
    const send = async (more: object) =>
      (await post(stripeEvent('checkout.session.completed', app.clock.now(), session(more))))
        .status;
    expect(await send({ id: 'cs_of_a_link', client_reference_id: null })).toBe(200);
    expect(await send({ id: 'cs_of_another', client_reference_id: 'cart_17' })).toBe(200);
    // The buyer of a payment link sets it in the URL.
    expect(await send({ id: 'cs_named', client_reference_id: 'ord_x' })).toBe(200);
    const metadata = { tier: 'agency', order: 'ord_x' };
    expect(await send({ id: 'cs_meta', client_reference_id: null, metadata })).toBe(200);
    await tell('charge.refunded', charge(1));
    await tell('customer.created', { id: 'cus_1' });
    await tell('payment_intent.succeeded', { id: 'pi_1' });
    expect(await licencesOf(email)).toEqual([]);
  });

  it('ignores another session that names one of our orders, with or without a tier', async () => {
    const { session, email } = buy();
    await order(session());
    for (const more of [{}, { metadata: {} }]) {
      const stranger = session({ id: 'cs_of_a_stranger', ...more });
      const payload = stripeEvent('checkout.session.completed', app.clock.now(), stranger);
      expect((await post(payload)).status).toBe(200);
    }
    expect(await licencesOf(email)).toEqual([]);
    await tell('checkout.session.completed', session());
    await only(email);
  });

  it('recognises its order by the proof in the metadata after a restore, and no other metadata', async () => {
    const begun = (await app.http.post('/checkout/session', { body: { tier: 'agency' } })).json;
    const { params } = stripe.asked.findLast(({ path }) => path === '/v1/checkout/sessions') ?? {};
    const metadata = Object.fromEntries(
      Object.entries(params ?? {}).flatMap(([name, value]) => {
        const [, inner] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
        return inner ? [[inner, value]] : [];
      }),
    );
    const { session, email } = buy();
    const send = async (more: object) => {
      const paid = session({ id: begun.id, client_reference_id: metadata.order, ...more });
      const payload = stripeEvent('checkout.session.completed', app.clock.now(), paid);
      expect((await post(payload)).status).toBe(200);
    };
    // Another session cannot use the order while it is known.
    await send({ id: 'cs_copy', metadata });
    await app.platform.datastore.db.deleteFrom('checkout_orders').execute();
    await send({ metadata: { ...metadata, tier: 'pro' } });
    await send({ metadata: { ...metadata, licence: 'lic_x' } });
    await send({ metadata: { ...metadata, proof: '' } });
    expect(await licencesOf(email)).toEqual([]);
    await send({ metadata });
    expect(await only(email)).toMatchObject({ tier: 'agency', sitesAllowed: 25 });
    expect(keyIn((await mails())[0]?.text)).toMatch(/^pv_test_/);
  });

  it('accepts a session that could not be saved with its order', async () => {
    const { session, email, ids } = buy({ tier: 'agency' });
    await order(session());
    await app.platform.datastore.db
      .updateTable('checkout_orders')
      .set({ session_id: null })
      .where('session_id', '=', ids.session)
      .execute();
    const paid = session({ metadata: { tier: 'starter', interval: 'once' } });
    const payload = stripeEvent('checkout.session.completed', app.clock.now(), paid);
    expect((await post(payload)).status).toBe(200);
    // What was ordered, whatever the metadata says.
    expect(await only(email)).toMatchObject({ tier: 'agency', graceDays: 14 });
  });

  it('accepts events of a session that it knows after its order was deleted', async () => {
    const forget = () => app.platform.datastore.db.deleteFrom('checkout_orders').execute();
    const send = async (type: string, object: object, id?: string) =>
      (await post(stripeEvent(type, app.clock.now(), object, id))).status;
    const { session, email } = await getPaidPeriod();
    const before = await only(email);
    const late = buy({ tier: 'agency' });
    await tell('checkout.session.completed', late.session({ payment_status: 'unpaid' }));
    const repeated = `evt_repeated_${engine}`;
    const other = buy();
    await order(other.session());
    expect(await send('checkout.session.completed', other.session(), repeated)).toBe(200);
    await forget();
    const { length } = app.logged();
    expect(await send('checkout.session.completed', other.session(), repeated)).toBe(200);
    await only(other.email);
    expect(await send('checkout.session.completed', session())).toBe(200);
    expect(await only(email)).toEqual(before);
    const asked = { metadata: { tier: 'starter', interval: 'year' } };
    const type = 'checkout.session.async_payment_succeeded';
    expect(await send(type, late.session(asked))).toBe(200);
    expect(await only(late.email)).toMatchObject({ tier: 'agency', status: 'active' });
    expect(app.logged().slice(length)).not.toContain('something else than licences');
  });

  it('extends with each renewal, and applies the grace period while one fails', async () => {
    const start = app.clock.now();
    const { invoice, email } = await getPaidPeriod();
    const [first] = await mails();
    const key = keyIn(first?.text);
    mail.arrived.length = 0;
    const isValid = async () => (await app.http.site('validate', key, SITE)).json.valid;

    app.clock.advance(365 * DAY_MS + 3_600_000);
    expect(await isValid()).toBe(true);
    await tell('invoice.payment_failed', invoice(2, start + 730 * DAY_MS));
    await tell('invoice.payment_failed', invoice(2, start + 730 * DAY_MS));
    expect(await mails()).toMatchObject([
      { to: email, subject: 'Payment for your licence failed' },
    ]);
    expect(await only(email)).toMatchObject({ expiresAt: start + 365 * DAY_MS, status: 'active' });
    app.clock.advance(13 * DAY_MS);
    expect(await isValid()).toBe(true);
    app.clock.advance(DAY_MS);
    expect(await isValid()).toBe(false);
    await tell('invoice.paid', invoice(2, start + 730 * DAY_MS));
    expect(await isValid()).toBe(true);
    expect(await only(email)).toMatchObject({ expiresAt: start + 730 * DAY_MS });
  });

  /** Reports failed attempts to pay for a renewal, and returns the new emails to the buyer. */
  async function failRenewal(
    { invoice, email }: Awaited<ReturnType<typeof getPaidPeriod>>,
    turn: number,
    attempts: readonly ('retried' | 'last')[],
  ): Promise<string[]> {
    await mails();
    mail.arrived.length = 0;
    for (const attempt of attempts) {
      app.clock.advance(DAY_MS);
      const next = Math.floor(app.clock.now() / 1_000) + 86_400;
      const about = { next_payment_attempt: attempt === 'last' ? null : next };
      const hosted_invoice_url = `https://invoice.example.com/${turn}`;
      const unpaid = invoice(turn, app.clock.now() + 730 * DAY_MS, 4_900, about);
      await tell('invoice.payment_failed', { ...unpaid, hosted_invoice_url });
    }
    return (await mails()).flatMap(({ to, text }) => (to === email ? [text ?? ''] : []));
  }

  it('emails the end of the grace period while Stripe retries, and none after the last attempt', async () => {
    const purchase = await getPaidPeriod();
    app.clock.advance(365 * DAY_MS);
    const texts = await failRenewal(purchase, 2, ['retried', 'retried', 'last', 'last']);
    expect(texts).toHaveLength(2);
    const [retried = '', last = ''] = texts;
    expect(retried).toMatch(/Without a payment, your sites keep working until .* UTC at most\./);
    expect(retried).toContain('We will try the payment again');
    expect(last).toContain('no further attempt to charge is planned');
    expect(last).toContain('Pay the invoice now');
    expect(last).toContain('https://invoice.example.com/2');
    expect(last).toContain('the licence can end at any time');
    expect(last).not.toContain('UTC');
    await tell('customer.subscription.deleted', purchase.subscription({ status: 'canceled' }));
    expect((await only(purchase.email)).status).toBe('expired');
  });

  it('emails nothing about an attempt that is reported after a later one', async () => {
    const purchase = await getPaidPeriod();
    app.clock.advance(365 * DAY_MS);
    const earlier = app.clock.now();
    expect(await failRenewal(purchase, 2, ['last'])).toHaveLength(1);
    const about = { next_payment_attempt: Math.floor(app.clock.now() / 1_000) };
    await tell('invoice.payment_failed', purchase.invoice(2, 0, 4_900, about), earlier);
    expect(await mails()).toHaveLength(1);
  });

  it('emails about a failed payment what is true of a suspended licence', async () => {
    const purchase = await getPaidPeriod();
    expect(await failRenewal(purchase, 2, ['retried'])).toMatchObject([
      expect.stringContaining('your sites keep working until'),
    ]);
    await suspendLicence(app.platform, (await only(purchase.email)).publicId, 'console (ada)');
    const [last] = await failRenewal(purchase, 3, ['last']);
    expect(last).toContain('The licence is suspended');
    expect(last).not.toMatch(/keep working|can end/);
    expect(last).toContain('no further attempt to charge is planned');
  });

  it('emails no end of a lifetime licence when the payment of its subscription fails', async () => {
    const purchase = await getPaidPeriod();
    await extendLicence(
      app.platform,
      (await only(purchase.email)).publicId,
      NEVER,
      'console (ada)',
    );
    const texts = await failRenewal(purchase, 2, ['retried', 'last']);
    expect(texts).toHaveLength(2);
    for (const text of texts) {
      expect(text).toContain('Your licence does not end because of this.');
      expect(text).not.toMatch(/9999|can end/);
    }
  });

  it('expires a cancelled licence at the end of the paid period, without grace', async () => {
    const start = app.clock.now();
    const { subscription, email } = await getPaidPeriod();
    app.clock.advance(DAY_MS);
    await tell('customer.subscription.updated', subscription({ cancel_at_period_end: true }));
    expect(await only(email)).toMatchObject({ status: 'active', graceDays: 0 });
    await tell('customer.subscription.deleted', subscription({ status: 'canceled' }));
    expect(await only(email)).toMatchObject({ status: 'active', expiresAt: start + 365 * DAY_MS });
    app.clock.advance(364 * DAY_MS);
    expect((await only(email)).status).toBe('expired');
  });

  it('renews a licence whose subscription ends later, up to the last paid period', async () => {
    const start = app.clock.now();
    const { subscription, invoice, email } = await getPaidPeriod();
    const cancel_at = Math.floor(start / 1_000) + (730 * DAY_MS) / 1_000;
    await tell('customer.subscription.updated', subscription({ cancel_at }));
    // Stripe keeps the invoice of a renewal as a draft for about an hour.
    app.clock.advance(365 * DAY_MS + 1_000);
    expect(await only(email)).toMatchObject({ status: 'active', graceDays: 14 });
    await tell('invoice.paid', invoice(2, cancel_at * 1_000));
    expect(await only(email)).toMatchObject({ expiresAt: cancel_at * 1_000, graceDays: 0 });
  });

  it('stays ended when "deleted" arrives before "updated"', async () => {
    const { subscription, email } = await getPaidPeriod();
    const now = app.clock.now();
    await tell('customer.subscription.deleted', subscription({ status: 'canceled' }), now + 5_000);
    await tell('customer.subscription.updated', subscription({ status: 'unpaid' }), now + 9_000);
    await tell('customer.subscription.updated', subscription(), now + 9_000);
    expect(await only(email)).toMatchObject({ status: 'active', graceDays: 0 });
  });

  it('suspends while unpaid, and reinstates after the payment', async () => {
    const { subscription, invoice, email } = await getPaidPeriod();
    app.clock.advance(DAY_MS);
    await tell('customer.subscription.updated', subscription({ status: 'unpaid' }));
    expect((await only(email)).status).toBe('suspended');
    app.clock.advance(DAY_MS);
    await tell('invoice.paid', invoice(2, app.clock.now() + 365 * DAY_MS));
    expect((await only(email)).status).toBe('active');
  });

  it('follows the subscription to another tier', async () => {
    const { subscription, email } = await getPaidPeriod();
    const items = { data: [{ price: { id: 'price_agency_year' } }] };
    await tell('customer.subscription.updated', subscription({ items }));
    expect(await only(email)).toMatchObject({ tier: 'agency', sitesAllowed: 25 });
  });

  it('reads the subscription from Stripe when two events of the same second differ', async () => {
    for (const [first, second] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const { subscription, email, ids } = await getPaidPeriod();
      const packages = (quantity: number) =>
        subscription({
          items: { data: [{ price: { id: 'price_pro_year' }, quantity }] },
        });
      const send = async (name: string, quantity: number) => {
        const id = `evt_${ids.subscription}_${name}`;
        const at = app.clock.now();
        return post(stripeEvent('customer.subscription.updated', at, packages(quantity), id));
      };
      const countSites = async () => (await only(email)).sitesAllowed;
      stripe.asked.length = 0;
      expect((await send(first, 2)).status).toBe(200);
      expect((await send(`${first}_again`, 2)).status).toBe(200);
      expect(stripe.asked).toEqual([]);
      stripe.mood = 'fails';
      expect((await send(second, 3)).status).toBe(503);
      expect(await countSites()).toBe(6);
      stripe.mood = 'answers';
      stripe.subscriptions.set(ids.subscription, packages(2));
      expect((await send(second, 3)).status).toBe(200);
      expect(await countSites()).toBe(6);
      const { length } = stripe.asked;
      expect((await send(second, 3)).status).toBe(200);
      expect(stripe.asked).toHaveLength(length);
      stripe.subscriptions.set(ids.subscription, packages(5));
      app.clock.advance(1);
      expect((await send('_of_the_same_second', 4)).status).toBe(200);
      expect(await countSites()).toBe(15);
    }
  });

  it('reads the subscription from Stripe for concurrent events of the same second', async () => {
    const { subscription, email, ids } = await getPaidPeriod();
    const packages = (quantity: number) =>
      subscription({ items: { data: [{ price: { id: 'price_pro_year' }, quantity }] } });
    stripe.subscriptions.set(ids.subscription, packages(2));
    const payloads = [2, 3, 4, 5].map((quantity) =>
      stripeEvent('customer.subscription.updated', app.clock.now(), packages(quantity)),
    );
    const answers = await Promise.all(payloads.map((payload) => post(payload)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await only(email)).sitesAllowed).toBe(6);
  });

  it('multiplies the sites by the number of packages, and follows its changes', async () => {
    const { session, subscription, invoice, email } = buy();
    const metadata = { tier: 'pro', interval: 'year', quantity: '4' };
    await tell('checkout.session.completed', session({ metadata }));
    expect(await only(email)).toMatchObject({ tier: 'pro', sitesAllowed: 12 });
    const items = (price: string, quantity: number) => ({
      data: [
        { price: { id: 'price_of_something_else' }, quantity: 9 },
        { price, quantity },
      ],
    });
    app.clock.advance(1_000);
    await tell(
      'customer.subscription.updated',
      subscription({ items: items('price_pro_year', 2) }),
    );
    expect(await only(email)).toMatchObject({ tier: 'pro', sitesAllowed: 6 });
    app.clock.advance(1_000);
    const agency = items('price_agency_year', 2);
    await tell('customer.subscription.updated', subscription({ items: agency }));
    expect(await only(email)).toMatchObject({ tier: 'agency', sitesAllowed: 50 });
    await tell('invoice.paid', invoice(2, app.clock.now() + 730 * DAY_MS));
    expect(await only(email)).toMatchObject({ tier: 'agency', sitesAllowed: 50 });
  });

  it('issues a lifetime licence for a single payment, and revokes it with its refund', async () => {
    const { session, invoice, charge, email } = buy();
    const payment = charge(1).payment_intent;
    const paidOnce = { mode: 'payment', subscription: null, payment_intent: payment };
    const metadata = { tier: 'pro', interval: 'once', quantity: '2' };
    await tell('checkout.session.completed', session({ ...paidOnce, metadata }));
    expect(await only(email)).toMatchObject({ expiresAt: NEVER, graceDays: 0, sitesAllowed: 6 });
    const [arrived] = await mails();
    expect(arrived?.text).toContain('Expires: never');
    // The invoice of a single payment charges for the very moment.
    await tell('invoice.paid', invoice(1, app.clock.now()));
    expect((await only(email)).expiresAt).toBe(NEVER);
    app.clock.advance(4_000 * DAY_MS);
    const key = keyIn(arrived?.text);
    expect((await app.http.site('validate', key, SITE)).json.valid).toBe(true);
    await tell('charge.refunded', charge(1));
    expect((await only(email)).status).toBe('revoked');
    app.clock.set('2026-11-21T09:30:00.000Z');
  });

  it('keeps the period when an item that was added by hand is paid with an invoice of its own', async () => {
    const start = app.clock.now();
    const { invoice, line, charge, invoicePayment, email } = await getPaidPeriod();
    app.clock.advance(30 * DAY_MS);
    const now = app.clock.now();
    const byHand = { billing_reason: 'manual', lines: { data: [line(now, now, 9_900)] } };
    await tell('invoice.paid', invoice(2, now, 9_900, byHand));
    expect(await only(email)).toMatchObject({ expiresAt: start + 365 * DAY_MS, status: 'active' });
    await tell('invoice_payment.paid', invoicePayment(2));
    await tell('charge.refunded', charge(2, { amount: 9_900, amount_refunded: 9_900 }));
    expect((await only(email)).status).toBe('active');
  });

  it('only logs a partial refund', async () => {
    const { charge, email, invoicePayment } = await getPaidPeriod();
    await tell('invoice_payment.paid', invoicePayment(1));
    await tell('charge.refunded', charge(1, { refunded: false, amount_refunded: 100 }));
    const licence = await only(email);
    expect(licence.status).toBe('active');
    const events = await listEvents(app.platform.datastore.db, licence.id);
    expect(events.at(-1)).toMatchObject({ actor: 'stripe', action: 'payment_partly_refunded' });
  });

  it.each([
    ['won', 'active'],
    ['warning_closed', 'active'],
    ['lost', 'revoked'],
  ])(
    'suspends while a payment is disputed; when the dispute is %s, the licence is %s',
    async (outcome, status) => {
      const { dispute, email, invoicePayment } = await getPaidPeriod();
      await tell('invoice_payment.paid', invoicePayment(1));
      await tell('charge.dispute.created', dispute(1, 'needs_response'));
      expect((await only(email)).status).toBe('suspended');
      app.clock.advance(DAY_MS);
      await tell('charge.dispute.closed', dispute(1, outcome));
      expect((await only(email)).status).toBe(status);
    },
  );

  it('keeps changes that were made by hand', async () => {
    const start = app.clock.now();
    const { subscription, invoice, email } = await getPaidPeriod();
    const { publicId } = await only(email);
    await extendLicence(app.platform, publicId, start + 900 * DAY_MS, 'test');
    await suspendLicence(app.platform, publicId, 'test');
    await tell('invoice.paid', invoice(2, start + 730 * DAY_MS));
    await tell('customer.subscription.updated', subscription());
    expect(await only(email)).toMatchObject({
      status: 'suspended',
      expiresAt: start + 900 * DAY_MS,
    });
  });

  const restrictionsOf = async (email: string) =>
    (await listRestrictions(app.platform.datastore.db, (await only(email)).id)).map(
      ({ effect, cause, actor }) => [effect, cause, actor],
    );

  it('lifts suspensions by payments after a payment, but none by hand', async () => {
    const { subscription, invoice, dispute, invoicePayment, email } = await getPaidPeriod();
    await tell('invoice_payment.paid', invoicePayment(1));
    const { publicId } = await only(email);
    app.clock.advance(DAY_MS);
    await tell('customer.subscription.updated', subscription({ status: 'unpaid' }));
    await suspendLicence(app.platform, publicId, 'console (ada)');
    expect(await restrictionsOf(email)).toEqual([
      ['suspended', 'unpaid', 'stripe'],
      ['suspended', 'manual', 'console (ada)'],
    ]);
    const byHand = [['suspended', 'manual', 'console (ada)']];
    app.clock.advance(DAY_MS);
    await tell('invoice.paid', invoice(2, app.clock.now() + 365 * DAY_MS));
    expect([await restrictionsOf(email), (await only(email)).status]).toEqual([
      byHand,
      'suspended',
    ]);
    await tell('invoice_payment.paid', invoicePayment(2));
    await tell('charge.dispute.created', dispute(2, 'needs_response'));
    expect(await restrictionsOf(email)).toHaveLength(2);
    app.clock.advance(DAY_MS);
    await tell('charge.dispute.closed', dispute(2, 'won'));
    expect([await restrictionsOf(email), (await only(email)).status]).toEqual([
      byHand,
      'suspended',
    ]);
    await reinstateLicence(app.platform, publicId, 'console (ada)');
    expect([await restrictionsOf(email), (await only(email)).status]).toEqual([[], 'active']);
  });

  it('keeps a licence active that was reinstated by hand during a dispute', async () => {
    const { subscription, dispute, invoicePayment, email } = await getPaidPeriod();
    await tell('invoice_payment.paid', invoicePayment(1));
    await tell('charge.dispute.created', dispute(1, 'needs_response'));
    await reinstateLicence(app.platform, (await only(email)).publicId, 'console (ada)');
    await tell('charge.dispute.updated', dispute(1, 'under_review'));
    await tell('customer.subscription.updated', subscription());
    expect((await only(email)).status).toBe('active');
    app.clock.advance(1_000);
    await tell('charge.dispute.closed', dispute(1, 'lost'));
    expect(await restrictionsOf(email)).toEqual([['revoked', 'dispute_lost', 'stripe']]);
  });

  it('does not restore a licence that was revoked by hand when a refund fails', async () => {
    const { charge, refund, invoicePayment, email } = await getPaidPeriod();
    await tell('invoice_payment.paid', invoicePayment(1));
    await tell('charge.refunded', charge(1));
    await revokeLicence(app.platform, (await only(email)).publicId, 'console (ada)');
    await tell('refund.failed', refund(1, { status: 'failed' }));
    expect([await restrictionsOf(email), (await only(email)).status]).toEqual([
      [['revoked', 'manual', 'console (ada)']],
      'revoked',
    ]);
  });

  it.each(['refund.failed', 'refund.updated', 'charge.refund.updated'])(
    'restores a licence when %s reports a failed refund, before or after the refund event',
    async (type) => {
      for (const isLate of [true, false]) {
        const { charge, refund, invoicePayment, email } = await getPaidPeriod();
        await tell('invoice_payment.paid', invoicePayment(1));
        const now = app.clock.now();
        const refunded: [string, object, number] = ['charge.refunded', charge(1), now];
        const failed: [string, object, number] = [
          type,
          refund(1, { status: 'failed' }),
          now + 1_000,
        ];
        if (isLate) await tell(type, refund(1), now);
        for (const told of isLate ? [refunded, failed] : [failed, refunded]) await tell(...told);
        expect((await only(email)).status).toBe('active');
      }
    },
  );

  it('does not change a licence when the difference of an upgrade is refunded', async () => {
    const start = app.clock.now();
    const { line, subscription, invoice, invoicePayment, charge, email } = await getPaidPeriod();
    await tell('invoice_payment.paid', invoicePayment(1));
    app.clock.advance(90 * DAY_MS);
    const now = app.clock.now();
    const items = { data: [{ price: { id: 'price_agency_year' }, quantity: 1 }] };
    await tell('customer.subscription.updated', subscription({ items }));
    await tell('invoice_payment.paid', invoicePayment(2));
    await tell(
      'invoice.paid',
      invoice(2, 0, 0, {
        billing_reason: 'subscription_update',
        amount_paid: 9_000,
        lines: {
          data: [
            line(now, start + 365 * DAY_MS, -3_700, true),
            line(now, start + 365 * DAY_MS, 12_700, true),
          ],
        },
      }),
    );
    await tell('charge.refunded', charge(2, { amount: 9_000, amount_refunded: 9_000 }));
    expect(await only(email)).toMatchObject({
      status: 'active',
      tier: 'agency',
      expiresAt: start + 365 * DAY_MS,
    });
    await tell('charge.refunded', charge(1));
    expect((await only(email)).status).toBe('revoked');
  });

  it('expires after the month when billing changes from yearly to monthly', async () => {
    const { line, invoice, email } = await getPaidPeriod();
    app.clock.advance(100 * DAY_MS);
    const now = app.clock.now();
    const lines = [line(now, now + 265 * DAY_MS, -3_500, true), line(now, now + 30 * DAY_MS, 500)];
    const more = { billing_reason: 'subscription_update', amount_paid: 0, lines: { data: lines } };
    await tell('invoice.paid', invoice(2, 0, 0, more));
    expect(await only(email)).toMatchObject({ expiresAt: now + 30 * DAY_MS, graceDays: 14 });
  });

  it.each(['warning_needs_response', 'warning_under_review', 'warning_closed'])(
    'does not suspend for an inquiry with status %s',
    async (status) => {
      const { dispute, email, invoicePayment } = await getPaidPeriod();
      await tell('invoice_payment.paid', invoicePayment(1));
      const type = status === 'warning_closed' ? 'closed' : 'created';
      await tell(`charge.dispute.${type}`, dispute(1, status));
      expect((await only(email)).status).toBe('active');
      app.clock.advance(DAY_MS);
      await tell('charge.dispute.updated', dispute(1, 'needs_response'));
      expect((await only(email)).status).toBe('suspended');
    },
  );

  it('restores a licence whose lost dispute is won on appeal', async () => {
    const { dispute, email, invoicePayment } = await getPaidPeriod();
    await tell('invoice_payment.paid', invoicePayment(1));
    const states: string[] = [];
    for (const [type, status] of [
      ['created', 'needs_response'],
      ['closed', 'lost'],
      ['updated', 'appeal_under_review'],
      ['funds_reinstated', 'won'],
      ['closed', 'won'],
    ] as const) {
      app.clock.advance(DAY_MS);
      await tell(`charge.dispute.${type}`, dispute(1, status));
      states.push((await only(email)).status);
    }
    expect(states).toEqual(['suspended', 'revoked', 'suspended', 'active', 'active']);
    expect(await restrictionsOf(email)).toEqual([]);
  });

  /** A trial of 14 days, as Stripe tells of it. */
  const CHARGED_LATER =
    /trial is free until .* UTC\. Then the subscription is charged, unless you cancel it before\./;
  async function tryFor(more: object = {}) {
    const purchase = buy();
    const start = app.clock.now();
    const trial = {
      trial_end: Math.floor((start + 14 * DAY_MS) / 1_000),
      default_payment_method: null,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      ...more,
    };
    const subscription = (also: object) => purchase.subscription({ ...trial, ...also });
    await tell('customer.subscription.created', subscription({ status: 'trialing' }));
    await tell(
      'checkout.session.completed',
      purchase.session({ payment_status: 'no_payment_required' }),
    );
    const lines = { data: [purchase.line(start, start + 14 * DAY_MS, 0)] };
    const about = { billing_reason: 'subscription_create', amount_paid: 0, lines };
    await tell('invoice.paid', purchase.invoice(1, 0, 0, about));
    const { text = '' } = (await mails()).find(({ to }) => to === purchase.email) ?? {};
    const key = keyIn(text);
    const isValid = async () => (await app.http.site('validate', key, SITE)).json.valid;
    expect(await isValid()).toBe(true);
    app.clock.advance(14 * DAY_MS - 1);
    expect(await isValid()).toBe(true);
    app.clock.advance(1);
    return { ...purchase, subscription, isValid, text };
  }

  it.each<[string, (more: object) => object, string]>([
    ['deleted', () => ({ status: 'canceled' }), 'expired'],
    ['paused', () => ({ status: 'paused' }), 'suspended'],
    ['updated', () => ({ status: 'past_due' }), 'expired'],
  ])(
    'expires a trial without a payment method on time when its subscription is %s',
    async (type, change, status) => {
      const { subscription, isValid, email } = await tryFor();
      expect(await isValid()).toBe(false);
      await tell(`customer.subscription.${type}`, subscription(change({})));
      expect(await isValid()).toBe(false);
      expect((await only(email)).status).toBe(status);
      app.clock.advance(DAY_MS);
      expect(await isValid()).toBe(false);
    },
  );

  it('emails the end of the trial also when the session is reported before the subscription', async () => {
    const plan = { product: 'pavis', tier: 'pro' };
    await updatePlan(app.platform, plan, { edits: { trial_days: 14 } }, 'test');
    const purchase = buy();
    const free = { payment_status: 'no_payment_required', amount_total: 0 };
    const start = app.clock.now();
    await tell('checkout.session.completed', purchase.session(free));
    expect((await only(purchase.email)).expiresAt).toBe(start + 14 * DAY_MS);
    const [arrived] = await mails();
    expect(arrived?.text).toMatch(CHARGED_LATER);
    const day = new Date(start + 14 * DAY_MS);
    expect(arrived?.text).toContain(`Renews: ${day.getUTCDate()} `);
    expect(arrived?.text).toContain(`${day.getUTCFullYear()}, `);
    const lines = { data: [purchase.line(start, start + 10 * DAY_MS, 0)] };
    await tell('invoice.paid', purchase.invoice(1, 0, 0, { amount_paid: 0, lines }));
    expect((await only(purchase.email)).expiresAt).toBe(start + 10 * DAY_MS);
    await updatePlan(app.platform, plan, { edits: { trial_days: 0 } }, 'test');
  });

  it('grants a trial with a card one day for the charge, and no grace period after a failed one', async () => {
    const { subscription, isValid, invoice, line, text } = await tryFor({
      default_payment_method: 'pm_1',
    });
    expect(text).toMatch(CHARGED_LATER);
    const end = app.clock.now();
    expect(await isValid()).toBe(true);
    await tell('customer.subscription.updated', subscription({ status: 'past_due' }));
    await tell('invoice.payment_failed', invoice(2, 0));
    expect(await isValid()).toBe(false);
    const failure = (await mails()).find(({ subject }) => subject?.includes('failed'));
    expect(failure?.text).toContain('The licence expired on');
    expect(failure?.text).toMatch(/The first payment for licence lic_\w+ failed\./);
    app.clock.advance(3 * DAY_MS);
    const lines = { data: [line(end, end + 365 * DAY_MS)] };
    await tell('invoice.paid', invoice(2, 0, 0, { amount_paid: 4_900, lines }));
    expect(await isValid()).toBe(true);
  });

  it('grants the grace period of the plan after a cancellation, but not after a trial', async () => {
    const plan = { product: 'pavis', tier: 'pro' };
    await updatePlan(app.platform, plan, { edits: { grace_days: 30 } }, 'test');
    const cancelled = await getPaidPeriod();
    await tell('customer.subscription.deleted', cancelled.subscription({ status: 'canceled' }));
    expect(await only(cancelled.email)).toMatchObject({ graceDays: 30 });
    const { subscription, isValid, invoice, line, email } = await tryFor();
    const end = app.clock.now();
    expect(await isValid()).toBe(false);
    await tell('customer.subscription.updated', subscription({ status: 'past_due' }));
    expect(await only(email)).toMatchObject({ status: 'expired', graceDays: 0 });
    const lines = { data: [line(end, end + 365 * DAY_MS)] };
    await tell('invoice.paid', invoice(2, 0, 0, { amount_paid: 4_900, lines }));
    expect(await only(email)).toMatchObject({ status: 'active', graceDays: 30 });
    await updatePlan(app.platform, plan, { edits: { grace_days: 0 } }, 'test');
  });

  it('suspends while a subscription is paused', async () => {
    const { subscription, email } = await getPaidPeriod();
    await tell('customer.subscription.paused', subscription({ status: 'paused' }));
    expect(await restrictionsOf(email)).toEqual([['suspended', 'paused', 'stripe']]);
    app.clock.advance(DAY_MS);
    await tell('customer.subscription.resumed', subscription());
    expect((await only(email)).status).toBe('active');
  });

  it('grants no grace period while the collection of payments is paused', async () => {
    const { subscription, email } = await getPaidPeriod();
    const pause_collection = { behavior: 'void', resumes_at: null };
    await tell('customer.subscription.updated', subscription({ pause_collection }));
    expect(await only(email)).toMatchObject({ status: 'active', graceDays: 0 });
    app.clock.advance(DAY_MS);
    await tell('customer.subscription.updated', subscription({ pause_collection: null }));
    expect(await only(email)).toMatchObject({ status: 'active', graceDays: 14 });
  });

  it('follows the quantity and the tier of a former price', async () => {
    const { subscription, email } = await getPaidPeriod();
    const on = (price: string, quantity: number) =>
      subscription({ items: { data: [{ price: { id: price }, quantity }] } });
    await tell('customer.subscription.updated', on('price_pro_year_2024', 5));
    expect(await only(email)).toMatchObject({ tier: 'pro', sitesAllowed: 15 });
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', on('price_agency_year_usd', 2));
    expect(await only(email)).toMatchObject({ tier: 'agency', sitesAllowed: 50 });
  });

  it('follows the tier of a price that a plan had before', async () => {
    const { subscription, email } = await getPaidPeriod();
    const plan = { product: 'pavis', tier: 'agency' };
    for (const month of ['price_agency_month_2025', 'price_agency_month_2026', null])
      await updatePlan(app.platform, plan, { edits: { prices: month ? { month } : {} } }, 'test');
    const items = { data: [{ price: { id: 'price_agency_month_2025' }, quantity: 1 }] };
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', subscription({ items }));
    expect(await only(email)).toMatchObject({ tier: 'agency', sitesAllowed: 25 });

    // It was a mistake: the price is that of another plan.
    const prices = { month: 'price_agency_month_2025' };
    await updatePlan(app.platform, { ...plan, tier: 'pro' }, { edits: { prices } }, 'test');
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', subscription({ items }));
    expect(await only(email)).toMatchObject({ tier: 'pro' });
    await updatePlan(app.platform, { ...plan, tier: 'pro' }, { edits: { prices: {} } }, 'test');
  });

  it('follows period and quantity on an unknown price, keeps the tier, and logs a warning', async () => {
    const { subscription, invoice, email } = await getPaidPeriod({ tier: 'agency' });
    const items = { data: [{ price: { id: 'price_unheard_of' }, quantity: 3 }] };
    app.clock.advance(1_000);
    await tell('customer.subscription.updated', subscription({ items }));
    const until = app.clock.now() + 700 * DAY_MS;
    await tell('invoice.paid', invoice(2, until));
    const licence = await only(email);
    expect(licence).toMatchObject({ tier: 'agency', sitesAllowed: 75, expiresAt: until });
    const events = await listEvents(app.platform.datastore.db, licence.id);
    expect(events.find(({ action }) => action === 'subscription_changed')?.details).toMatchObject({
      unknown_price: 'price_unheard_of',
    });
    expect(app.logged()).toMatch(/price_unheard_of.*is not in PAVIS_STRIPE_PRICES/);
    const { db } = app.platform.datastore;
    expect(await listUnknownPrices(db)).toContainEqual({ price: 'price_unheard_of', licences: 1 });

    const ofOther = [{ product: 'forms', tier: 'pro', interval: 'year' as const }];
    const price = 'price_unheard_of';
    await followKnownPrices(
      app.platform,
      ofOther.map((each) => ({ ...each, price })),
    );
    expect(await listEvents(db, licence.id)).toHaveLength(events.length);

    const prices = [{ tier: 'pro', interval: 'year', price }] as const;
    await followKnownPrices(app.platform, prices);
    expect(await only(email)).toMatchObject({ tier: 'pro', sitesAllowed: 9, expiresAt: until });
    expect(await listUnknownPrices(db)).toEqual([]);
  });

  it('keeps edits until the plan of the subscription changes', async () => {
    const { subscription, invoice, email } = await getPaidPeriod();
    const { publicId } = await only(email);
    const notes = 'Pays late.';
    const edits = { tier: 'starter', sites_allowed: 5, grace_days: 40, notes } as const;
    const edited = { tier: 'starter', sitesAllowed: 5, graceDays: 40, notes };
    await editLicence(app.platform, publicId, { edits }, 'test');
    await tell('invoice.paid', invoice(2, app.clock.now() + 730 * DAY_MS));
    await tell('customer.subscription.updated', subscription({ cancel_at_period_end: true }));
    expect(await only(email)).toMatchObject(edited);
    app.clock.advance(1_000);
    const items = { data: [{ price: { id: 'price_agency_year' }, quantity: 2 }] };
    await tell('customer.subscription.updated', subscription({ items }));
    expect(await only(email)).toMatchObject({
      tier: 'agency',
      sitesAllowed: 50,
      graceDays: 40,
      notes,
    });
  });

  it('gives the same licence for any order of events, each delivered twice', async () => {
    const start = app.clock.now();
    const states = [];
    for (let round = 0; round < 4; round++) {
      const { session, invoice, invoicePayment, subscription, dispute, email } = buy();
      await order(session());
      const story: [string, object, number][] = [
        ['checkout.session.completed', session(), 0],
        ['invoice.paid', invoice(1, start + 365 * DAY_MS), 0],
        ['invoice_payment.paid', invoicePayment(1), 0],
        ['invoice.payment_failed', invoice(2, start + 730 * DAY_MS), 2],
        ['invoice.paid', invoice(2, start + 730 * DAY_MS), 4],
        ['charge.dispute.created', dispute(1, 'needs_response'), 5],
        ['charge.dispute.closed', dispute(1, 'won'), 6],
        ['customer.subscription.updated', subscription({ cancel_at_period_end: true }), 7],
        ['customer.subscription.deleted', subscription({ status: 'canceled' }), 8],
      ];
      const payloads = story.map(([type, object, after]) =>
        stripeEvent(type, start + after * 1_000, object),
      );
      const orders = [
        payloads,
        payloads.toReversed(),
        [...payloads.slice(4), ...payloads.slice(0, 4)],
        payloads.toSorted((a, b) => a.length - b.length),
      ];
      for (const payload of [...(orders[round] ?? []), ...payloads]) {
        expect((await post(payload)).status).toBe(200);
      }
      const { tier, status, expiresAt, graceDays } = await only(email);
      states.push({ tier, status, expiresAt, graceDays });
    }
    const expected = {
      tier: 'pro',
      status: 'active',
      expiresAt: start + 730 * DAY_MS,
      graceDays: 0,
    };
    expect(states).toEqual(Array(4).fill(expected));
  });

  it('gives the same licence for any order of refunds, appeals, trials and plan changes', async () => {
    const start = app.clock.now();
    const story = (number: string) => {
      const purchase = bought(number);
      const { session, invoice, invoicePayment, subscription, charge, refund, dispute, line } =
        purchase;
      const day = (days: number) => start + days * DAY_MS;
      const pays = (turn: number, lines: object[], paid: number) =>
        invoice(turn, 0, 0, { amount_paid: paid, lines: { data: lines } });
      const on = (price: string, quantity: number, more: object = {}) =>
        subscription({ items: { data: [{ price: { id: price }, quantity }] }, ...more });
      const trial_end = Math.floor(day(14) / 1_000);
      const events: [string, object, number][] = [
        [
          'customer.subscription.created',
          on('price_pro_year', 1, { status: 'trialing', trial_end }),
          0,
        ],
        ['checkout.session.completed', session({ payment_status: 'no_payment_required' }), 0],
        ['invoice.paid', pays(1, [line(start, day(14), 0)], 0), 0],
        ['invoice.paid', pays(2, [line(day(14), day(379))], 4_900), 2],
        ['invoice_payment.paid', invoicePayment(2), 2],
        ['customer.subscription.updated', on('price_agency_year', 2, { trial_end }), 3],
        ['invoice.paid', pays(3, [line(day(20), day(379), 900, true)], 900), 3],
        ['invoice_payment.paid', invoicePayment(3), 3],
        ['charge.refunded', charge(3, { amount: 900, amount_refunded: 900 }), 4],
        ['charge.refunded', charge(2), 5],
        ['refund.failed', refund(2, { status: 'failed' }), 6],
        ['charge.dispute.created', dispute(2, 'needs_response'), 7],
        ['charge.dispute.closed', dispute(2, 'lost'), 8],
        ['charge.dispute.funds_reinstated', dispute(2, 'won'), 9],
        // Of the difference, and of the trial: neither is the payment for the current period.
        ['charge.dispute.closed', dispute(3, 'lost'), 9],
        ['charge.dispute.created', dispute(1, 'needs_response'), 9],
        ['invoice_payment.paid', invoicePayment(1), 9],
        ['customer.subscription.paused', on('price_new', 3, { status: 'paused' }), 10],
      ];
      return events.map(([type, object, after], index) =>
        stripeEvent(type, start + after * 1_000, object, `evt_${number}_${index}`),
      );
    };
    const length = story('x').length;
    const turns = fc.shuffledSubarray(
      Array.from({ length }, (_, index) => index),
      { minLength: length },
    );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(turns, fc.nat(length - 1), async (indexes, again) => {
        const number = `${engine}any${++runs}`;
        const payloads = story(number);
        await order(bought(number).session());
        for (const index of [...indexes, again]) {
          expect((await post(payloads[index] ?? '')).status).toBe(200);
        }
        const email = `buyer-${number}@example.com`;
        expect(await only(email)).toMatchObject({
          tier: 'agency',
          sitesAllowed: 75,
          status: 'suspended',
          revokedAt: null,
          expiresAt: start + 379 * DAY_MS,
          graceDays: 14,
        });
        expect(await restrictionsOf(email)).toEqual([['suspended', 'paused', 'stripe']]);
      }),
      { numRuns: 12 },
    );
  });

  it('emails the key of a suspended licence, and says so, when the dispute arrives first', async () => {
    const { session, dispute, email } = buy();
    const { payment_intent } = dispute(1, 'needs_response');
    await tell('charge.dispute.created', dispute(1, 'needs_response'));
    await tell('checkout.session.completed', session({ payment_intent }));
    expect((await only(email)).status).toBe('suspended');
    const [arrived] = await mails();
    expect(keyIn(arrived?.text)).not.toBe('');
    expect(arrived?.text).toContain('The licence is suspended');
  });

  it('issues a revoked licence and sends no email when the refund arrives first', async () => {
    const { session, charge, email } = buy({ shape: 'old' });
    await tell('charge.refunded', charge(1));
    await tell('checkout.session.completed', session({ payment_intent: charge(1).payment_intent }));
    expect((await only(email)).status).toBe('revoked');
    expect(await mails()).toEqual([]);
  });

  it.each(TABLES)(
    'rolls back an issue when writing to %s fails, and succeeds on redelivery',
    async (table) => {
      const { session, email } = buy();
      await order(session());
      const payload = stripeEvent('checkout.session.completed', app.clock.now(), session());
      const before = await dumpDatabase(app.platform);
      const heal = await breakTable(table);
      expect((await post(payload)).status).toBe(500);
      expect(await dumpDatabase(app.platform)).toBe(before);
      await heal();
      expect((await post(payload)).status).toBe(200);
      await only(email);
      expect(await mails()).toHaveLength(1);
    },
  );

  it.each(['payment_events', 'licences', 'purchases', 'licence_events'])(
    'rolls back a refund when changing %s fails, and succeeds on redelivery',
    async (table) => {
      const { charge, invoicePayment, email } = await getPaidPeriod();
      await tell('invoice_payment.paid', invoicePayment(1));
      const payload = stripeEvent('charge.refunded', app.clock.now(), charge(1));
      const before = await dumpDatabase(app.platform);
      const heal = await breakTable(table, table === 'licence_events' ? 'insert' : 'update');
      expect((await post(payload)).status).toBe(500);
      expect(await dumpDatabase(app.platform)).toBe(before);
      await heal();
      expect((await post(payload)).status).toBe(200);
      expect((await only(email)).status).toBe('revoked');
    },
  );

  /** Lets every insert into a table, or every change of it, fail in the database itself. */
  async function breakTable(
    table: string,
    write: 'insert' | 'update' = 'insert',
  ): Promise<() => Promise<void>> {
    const { db } = app.platform.datastore;
    const on = sql.table(table);
    if (engine === 'sqlite') {
      await sql`create trigger broken before ${sql.raw(write)} on ${on} begin select raise(abort, 'broken'); end`.execute(
        db,
      );
      return async () => void (await sql`drop trigger broken`.execute(db));
    }
    await sql`create or replace function broken() returns trigger as $$ begin raise exception 'broken'; end $$ language plpgsql`.execute(
      db,
    );
    await sql`create trigger broken before ${sql.raw(write)} on ${on} execute function broken()`.execute(
      db,
    );
    return async () => void (await sql`drop trigger broken on ${on}`.execute(db));
  }

  it('accepts only recent signatures with one of the secrets', async () => {
    const { session, email } = buy();
    const now = app.clock.now();
    await order(session());
    const payload = stripeEvent('checkout.session.completed', now, session());
    for (const signature of [
      '',
      't=1,v1=00',
      createSignature(payload, now, 'whsec_wrong_one'),
      createSignature(`${payload} `, now),
      createSignature(payload, now - 301_000),
      createSignature(payload, now + 301_000),
    ]) {
      const answer = await post(payload, signature);
      expect([answer.status, answer.json.error]).toEqual([401, 'unauthorised']);
    }
    const unsigned = await app.http.post('/webhooks/stripe', { body: payload });
    expect(unsigned.status).toBe(401);
    expect(await licencesOf(email)).toEqual([]);
    expect((await post(payload, createSignature(payload, now, SECOND_SECRET))).status).toBe(200);
    await only(email);
  });

  it('rejects bodies over 256 KiB, signed or not', async () => {
    await app.platform.securityLog.flush();
    const before = await dumpDatabase(app.platform);
    const event = { ...JSON.parse(stripeEvent('invoice.paid', app.clock.now(), {})) };
    const payload = JSON.stringify({ ...event, padding: 'x'.repeat(5_000_000) });
    for (const signature of [undefined, 't=1,v1=00']) {
      const { status, json } = await post(payload, signature);
      expect([status, json.error]).toEqual([413, 'payload_too_large']);
    }
    expect(await dumpDatabase(app.platform)).toBe(before);
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"id":"evt_x"}',
    '{"id":"evt_y","type":"invoice.paid","created":1}',
    '{"id":"evt_z","type":"toString","created":1,"data":{}}',
    '{"id":"evt_n","type":"checkout.session.completed","created":1,"data":{"object":{"id":"cs_\\u0000"}}}',
    '{"id":"evt_o","type":"invoice.paid","created":1e300,"data":{"object":{"lines":{"data":{}}}}}',
  ])('returns 200 or 400 for the signed body %j', async (payload) => {
    expect([200, 400]).toContain((await post(payload)).status);
  });
});

describe('POST /webhooks/stripe without a signing secret', () => {
  const app = useTestApp('sqlite');

  it('returns 503', async () => {
    const payload = stripeEvent('checkout.session.completed', app.clock.now(), bought(1).session());
    const headers = { 'stripe-signature': createSignature(payload, app.clock.now()) };
    const answer = await app.http.post('/webhooks/stripe', { headers, body: payload });
    expect([answer.status, answer.json.error]).toEqual([503, 'service_unavailable']);
    expect(await findLicenceWithCustomer(app.platform.datastore.db, 'lic_x')).toBeUndefined();
  });
});
