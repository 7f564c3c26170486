import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
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
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { recordErasure, wasErased } from '../../privacy/dsar/index.ts';
import { getLicenceStatus, listLicences } from '../licences/index.ts';
import { licenceJob } from './job.ts';

describe.each(ENGINES)('Payments that the webhook has not brought, on %s', (engine) => {
  const env: Record<string, string> = {
    PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
    PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PAVIS_STRIPE_PRICES: 'pro/year=price_pro_year',
  };
  let stripe: StripeStandIn;
  beforeAll(async () => {
    stripe = await stripeStandIn();
    env.PAVIS_STRIPE_API_URL = stripe.url;
  });
  const app = useTestApp(engine, env);
  beforeEach(() => {
    stripe.mood = 'answers';
    stripe.events.length = 0;
  });
  afterAll(async () => {
    rmSync(dataDir, { recursive: true });
    await stripe.stop();
  });

  const dataDir = mkdtempSync(join(tmpdir(), 'pavis-missed-'));
  let count = 0;
  const buy = () => {
    const number = `missed-${engine}${++count}`;
    return { ...bought(number), email: `buyer-${number}@example.com` };
  };
  /** The next morning. */
  async function work(): Promise<void> {
    const job = licenceJob(app.platform, {
      publicUrl: () => 'https://api.example.com',
      canRenew: () => true,
      prices: [{ tier: 'pro', interval: 'year', price: 'price_pro_year' }],
      stripe: { secretKey: 'sk_test_x', apiUrl: stripe.url, hasTax: false },
      wasErased: (about) => wasErased({ platform: app.platform, site: { dataDir } }, about),
      expiringDays: [],
    });
    await job.runIfDue();
    app.clock.advance(DAY_MS);
    await job.runIfDue();
  }
  async function read(email: string) {
    const { db } = app.platform.datastore;
    const licences = await listLicences(db, { email });
    const mails = await db
      .selectFrom('outbox_mails')
      .select('kind')
      .where('recipient', '=', email)
      .execute();
    return {
      statuses: licences.map((each) => getLicenceStatus(each, app.clock.now())),
      mails: mails.map(({ kind }) => kind),
    };
  }
  async function order(session: object): Promise<void> {
    const { db } = app.platform.datastore;
    await placeOrder(db, session);
    await db.updateTable('checkout_orders').set({ created_at: app.clock.now() }).execute();
  }
  const inYear = () => app.clock.now() + 365 * DAY_MS;

  it('issues their licences the next morning, once', async () => {
    const { session, invoice, email } = buy();
    await order(session());
    const at = app.clock.now();
    const events = [
      stripeEvent('checkout.session.completed', at, session()),
      stripeEvent('invoice.paid', at, invoice(1, inYear())),
      stripeEvent('invoice.created', at, invoice(1, inYear())),
    ];
    stripe.events.push(...events);
    await work();
    const issued = { statuses: ['active'], mails: ['licence_issued'] };
    expect(await read(email)).toEqual(issued);
    expect(app.logged()).toContain('payments had not arrived');
    const { length } = app.logged();
    await work();
    expect(await read(email)).toEqual(issued);
    expect(app.logged().slice(length)).not.toContain('had not arrived');
    // The webhook brings one late.
    const [payload = ''] = events;
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': createSignature(payload, app.clock.now()),
    };
    expect((await app.http.post('/webhooks/stripe', { headers, body: payload })).status).toBe(200);
    expect(await read(email)).toEqual(issued);
  });

  it('emails no key for a payment that was refunded since', async () => {
    const { session, invoice, charge, invoicePayment, email } = buy();
    await order(session());
    const at = app.clock.now();
    stripe.events.push(
      stripeEvent('checkout.session.completed', at, session()),
      stripeEvent('invoice.paid', at, invoice(1, inYear())),
      stripeEvent('invoice_payment.paid', at, invoicePayment(1)),
      stripeEvent('charge.refunded', at + HOUR_MS, charge(1)),
    );
    await work();
    expect(await read(email)).toEqual({ statuses: ['revoked'], mails: [] });
  });

  it('leaves alone what the webhook may still bring, other products and what is older than 30 days', async () => {
    const [fresh, foreign, old] = [buy(), buy(), buy()];
    for (const { session } of [fresh, old]) await order(session());
    const at = app.clock.now();
    stripe.events.push(
      stripeEvent('checkout.session.completed', at + DAY_MS, fresh.session()),
      stripeEvent('checkout.session.completed', at, foreign.session()),
      stripeEvent('invoice.paid', at, foreign.invoice(1, inYear())),
      stripeEvent('checkout.session.completed', at - 31 * DAY_MS, old.session()),
    );
    const { length } = app.logged();
    await work();
    for (const { email } of [fresh, foreign, old])
      expect(await read(email)).toEqual({ statuses: [], mails: [] });
    expect(app.logged().slice(length)).not.toContain('had not arrived');
  });

  it('does the other work of the morning while Stripe is away', async () => {
    const { session, email } = buy();
    await order(session());
    stripe.events.push(stripeEvent('checkout.session.completed', app.clock.now(), session()));
    stripe.mood = 'fails';
    await work();
    expect(app.logged()).toContain('cannot look for missed payments');
    const job = await app.platform.datastore.db
      .selectFrom('jobs')
      .select('last_finished_at as at')
      .where('name', '=', 'licences')
      .executeTakeFirst();
    expect(job?.at).toBeGreaterThan(0);
    stripe.mood = 'answers';
    await work();
    expect((await read(email)).statuses).toEqual(['active']);
  });

  it('issues the other licences if one event cannot be processed', async () => {
    const [broken, fine] = [buy(), buy()];
    await order(broken.session({ metadata: { tier: 'gone', interval: 'year' } }));
    await order(fine.session());
    const at = app.clock.now();
    stripe.events.push(
      stripeEvent('checkout.session.completed', at - HOUR_MS, broken.session()),
      stripeEvent('checkout.session.completed', at, fine.session()),
    );
    await work();
    expect((await read(fine.email)).statuses).toEqual(['active']);
    expect(app.logged()).toContain('cannot process a missed payment');
  });

  it('issues nothing to a customer who was erased since', async () => {
    const [erased, back] = [buy(), buy()];
    for (const { session } of [erased, back]) await order(session());
    const record = ({ email }: { email: string }) =>
      recordErasure({ platform: app.platform, site: { dataDir } }, email, ['customers']);
    await record(back);
    const at = app.clock.now() + HOUR_MS;
    stripe.events.push(
      stripeEvent('checkout.session.completed', at, erased.session()),
      stripeEvent('checkout.session.completed', at, back.session()),
    );
    app.clock.advance(DAY_MS);
    await record(erased);
    await work();
    expect(await read(erased.email)).toEqual({ statuses: [], mails: [] });
    expect(app.logged()).toContain('refund it');
    expect((await read(back.email)).statuses).toEqual(['active']);
  });

  it('records a renewal that was paid before a later one without effect', async () => {
    const first = buy();
    await order(first.session());
    const renew = async (at: number, tier: string) => {
      const [{ publicId: licence = '' } = {}] = await listLicences(app.platform.datastore.db, {
        email: first.email,
      });
      const renewal = bought(`missed-renewal-${engine}${++count}`, { tier, email: first.email });
      const session = renewal.session({ metadata: { tier, interval: 'year', licence } });
      await order(session);
      return stripeEvent('checkout.session.completed', at, session);
    };
    stripe.events.push(stripeEvent('checkout.session.completed', app.clock.now(), first.session()));
    await work();
    const at = app.clock.now();
    const [early, late] = [await renew(at - HOUR_MS, 'starter'), await renew(at, 'agency')];
    stripe.events.push(late);
    await work();
    stripe.events.push(early);
    await work();
    const [licence] = await listLicences(app.platform.datastore.db, { email: first.email });
    expect(licence).toMatchObject({ tier: 'agency' });
    expect(app.logged()).toContain('cannot be renewed: refund it');
  });
});
