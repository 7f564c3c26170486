import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dumpDatabase } from '../../../test/support/dump.ts';
import { ENGINES } from '../../../test/support/engines.ts';
import { plainBrowser } from '../../../test/support/plain-browser.ts';
import { type StripeStandIn, stripeStandIn, WEBHOOK_SECRET } from '../../../test/support/stripe.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { createDelivery, sendDueMails } from '../../mail/index.ts';
import { createPlan, createProduct } from '../products/index.ts';
import type { CheckoutOrder } from './orders/store.ts';
import { connectStripe } from './stripe.ts';

const SITE = 'https://example.com';
const PRICES =
  'pro/year=price_pro_year,pro/month=price_pro_month,agency/year=price_agency_year,pro/once=price_pro_once,' +
  'pro/year=price_pro_year_2024,pro/year/usd=price_pro_year_usd,pro/year/usd=price_old_usd';

describe.each(ENGINES)('POST /checkout/session with Stripe on %s', (engine) => {
  const env: Record<string, string> = {
    PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
    PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PAVIS_STRIPE_PRICES: PRICES,
    PAVIS_BASE_URL: 'https://api.example.com/pavis',
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
    stripe.asked.length = 0;
  });
  afterAll(() => stripe.stop());
  const begin = (body?: unknown, headers: Record<string, string> = {}) =>
    app.http.post('/pavis/checkout/session', { headers, ...(body === undefined ? {} : { body }) });

  it('sells tier pro with yearly billing without a body', async () => {
    const none = await begin();
    expect([none.status, none.json]).toEqual([
      200,
      {
        id: 'cs_test_1',
        url: 'https://checkout.stripe.com/c/pay/cs_test_1',
        expires_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:]+\.000Z$/),
      },
    ]);
    expect((await begin('', { 'content-type': 'application/json' })).status).toBe(200);
    expect((await begin({})).status).toBe(200);
    // As `curl -d ''` and clients that set a type for every request.
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'image/png'])
      expect((await begin('', { 'content-type': type })).status).toBe(200);
    expect(stripe.asked.map(({ params }) => params['line_items[0][price]'])).toEqual(
      Array(6).fill('price_pro_year'),
    );
    expect(stripe.asked[0]).toMatchObject({
      path: '/v1/checkout/sessions',
      params: {
        mode: 'subscription',
        'line_items[0][quantity]': '1',
        'metadata[tier]': 'pro',
        'metadata[interval]': 'year',
        'subscription_data[metadata][tier]': 'pro',
        success_url: 'https://api.example.com/pavis/checkout/success',
        cancel_url: 'https://api.example.com/pavis/checkout/cancelled',
      },
    });
  });

  it('refuses a body that is not JSON with 415, without a checkout', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const { status, json } = await begin('tier=agency', { 'content-type': type });
      expect([status, json.error]).toEqual([415, 'unsupported_media_type']);
    }
    expect(stripe.asked).toEqual([]);
  });

  it('names the product to Stripe, and gives new subscriptions the trial of the plan', async () => {
    const slug = 'forms-pro';
    await createProduct(app.platform, { slug, name: 'Forms Pro' }, 'test');
    const prices = { year: 'price_forms_year', once: 'price_forms_once' };
    await createPlan(app.platform, slug, { tier: 'solo', trial_days: 14, prices }, 'test');
    const order = { product: slug, tier: 'solo' };
    expect((await begin({ ...order, interval: 'year' })).status).toBe(200);
    expect((await begin({ ...order, interval: 'once' })).status).toBe(200);
    expect((await begin()).status).toBe(200);
    const [yearly = {}, once = {}, other = {}] = stripe.asked.map(({ params }) => params);
    expect(yearly).toMatchObject({
      'line_items[0][price]': 'price_forms_year',
      'subscription_data[trial_period_days]': '14',
      'subscription_data[metadata][product]': slug,
      'metadata[product]': slug,
    });
    expect(once['payment_intent_data[metadata][product]']).toBe(slug);
    const isTrial = (params: object) => Object.keys(params).some((name) => /trial/.test(name));
    expect([yearly, once, other].map(isTrial)).toEqual([true, false, false]);
    expect(other['metadata[product]']).toBeUndefined();
  });

  it('maps tier and interval to the price, and passes email address and redirects to Stripe', async () => {
    const answer = await begin({
      tier: 'agency',
      email: ' Buyer@Example.com',
      success_url: 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://api.example.com/back',
    });
    expect(answer.status).toBe(200);
    expect(stripe.asked[0]?.params).toMatchObject({
      'line_items[0][price]': 'price_agency_year',
      customer_email: 'buyer@example.com',
      success_url: 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://api.example.com/back',
    });
    expect(await dumpDatabase(app.platform)).not.toContain('buyer@example.com');
  });

  it('sells several packages in one licence', async () => {
    expect((await begin({ quantity: 4 })).status).toBe(200);
    expect(stripe.asked[0]?.params).toMatchObject({
      'line_items[0][quantity]': '4',
      'metadata[quantity]': '4',
      'subscription_data[metadata][quantity]': '4',
    });
  });

  it('sells at the first price of a tier, and in another currency with a price on sale', async () => {
    expect((await begin({ currency: 'usd' })).status).toBe(200);
    expect((await begin({ tier: 'pro', interval: 'year' })).status).toBe(200);
    // Its entry names no currency.
    app.clock.advance(600_000);
    stripe.prices.set('price_pro_year', { id: 'price_pro_year', currency: 'eur' });
    expect((await begin({ currency: 'eur' })).status).toBe(200);
    const sessions = stripe.asked.filter(({ path }) => path === '/v1/checkout/sessions');
    expect(sessions.map(({ params }) => [params['line_items[0][price]'], params.currency])).toEqual(
      [
        ['price_pro_year_usd', 'usd'],
        ['price_pro_year', undefined],
        ['price_pro_year', 'eur'],
      ],
    );
    const refused = await begin({ currency: 'sek' });
    expect([refused.status, refused.json.error]).toEqual([400, 'invalid_request']);
    expect(refused.json.message).toContain('pro/year/usd');
  });

  it('creates a payment instead of a subscription for lifetime licences', async () => {
    expect((await begin({ interval: 'once', quantity: 2 })).status).toBe(200);
    const params = stripe.asked[0]?.params ?? {};
    expect(params).toMatchObject({
      mode: 'payment',
      'line_items[0][price]': 'price_pro_once',
      'line_items[0][quantity]': '2',
      'metadata[interval]': 'once',
      'payment_intent_data[metadata][order]': expect.stringMatching(/^ord_/),
      customer_creation: 'always',
      'invoice_creation[enabled]': 'true',
    });
    expect(Object.keys(params).join()).not.toContain('subscription_data');
    expect((await begin({ interval: 'year' })).status).toBe(200);
    expect(Object.keys(stripe.asked[1]?.params ?? {}).join()).not.toMatch(/_creation/);
  });

  it.each([
    [false, undefined, undefined, undefined],
    [true, undefined, 'true', undefined],
    [true, 'cus_1', 'true', 'auto'],
    [false, 'cus_1', undefined, undefined],
  ])(
    'lets Stripe calculate tax only if that is set: %s, with the customer %s',
    async (hasTax, customer, tax, address) => {
      const settings = { secretKey: 'sk_test_x', apiUrl: stripe.url, hasTax };
      const { createSession } = connectStripe(settings, app.platform.log);
      const order = {
        publicId: `ord_tax_${hasTax}_${customer}`,
        billingInterval: 'year',
        quantity: 1,
      };
      await createSession(order as CheckoutOrder, {
        price: { tier: 'pro', interval: 'year', price: 'price_pro_year' },
        metadata: {},
        trialDays: 0,
        email: undefined,
        customer,
        successUrl: 'https://api.example.com/paid',
        cancelUrl: 'https://api.example.com/back',
      });
      const { params } = stripe.asked[0] ?? { params: {} as Record<string, string> };
      expect([params['automatic_tax[enabled]'], params['customer_update[address]']]).toEqual([
        tax,
        address,
      ]);
    },
  );

  it.each<[string, unknown]>([
    ['quantity 0', { quantity: 0 }],
    ['a fractional quantity', { quantity: 1.5 }],
    ['an invalid currency', { currency: 'EUR' }],
    ['a tier without a price in the currency', { tier: 'agency', currency: 'usd' }],
    ['a quantity over 100', { quantity: 101 }],
    ['a quantity as text', { quantity: '2' }],
    ['an unknown tier', { tier: 'gold' }],
    ['an unknown interval', { interval: 'week' }],
    ['a tier without a price for the interval', { tier: 'agency', interval: 'month' }],
    ['an invalid email address', { email: 'nobody' }],
    ['a redirect to another origin', { success_url: 'https://evil.example/' }],
    ['a cancel URL of another origin', { cancel_url: 'https://shop.example.evil.example' }],
    ['a javascript: URL', { success_url: 'javascript:alert(1)' }],
    ['a wrong type', { tier: 5 }],
    ['null', 'null'],
    ['a list', []],
    ['invalid JSON', '{'],
  ])('returns 400 for %s without a request to Stripe', async (_what, body) => {
    const answer = await begin(body, { 'content-type': 'application/json' });
    expect([answer.status, answer.json?.error]).toEqual([400, 'invalid_request']);
    expect(stripe.asked).toEqual([]);
  });

  it('returns 503 with its own message while Stripe fails, and recovers', async () => {
    for (const mood of ['fails', 'drops'] as const) {
      stripe.mood = mood;
      const answer = await begin({});
      expect([answer.status, answer.json.error]).toEqual([503, 'service_unavailable']);
      expect(answer.text).not.toContain('secret of Stripe');
    }
    stripe.mood = 'answers';
    expect((await begin({})).status).toBe(200);
  });

  it('leads to the vendor if Stripe refuses, and logs the cause for them', async () => {
    stripe.mood = 'refuses';
    const { status, json } = await begin({});
    expect([status, json]).toEqual([
      503,
      {
        error: 'service_unavailable',
        message: 'This cannot be paid at the moment. Contact the vendor.',
      },
    ]);
    expect(app.logged()).toContain('The price specified is inactive. [hidden] [hidden]');
    const browser = plainBrowser(() => `${app.url}/pavis`, { 'accept-language': 'de' });
    const page = await browser.open('/account/buy');
    const refused = await browser.submit(page, 'buy');
    expect(refused.text).toContain('Das lässt sich gerade nicht bezahlen');
  });

  it('creates one session per Idempotency-Key, for concurrent, later and retried requests', async () => {
    const headers = { 'idempotency-key': `key-${engine}` };
    stripe.mood = 'fails';
    expect((await begin({ tier: 'pro' }, headers)).status).toBe(503);
    stripe.mood = 'answers';
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => begin({ tier: 'pro' }, headers)),
    );
    const later = await begin({ tier: 'pro', interval: 'year' }, headers);
    expect(new Set([...answers, later].map(({ json }) => json.id)).size).toBe(1);
    expect(new Set(stripe.asked.map(({ key }) => key)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const other = await begin({ tier: 'agency' }, headers);
    expect([other.status, other.json.error]).toEqual([400, 'invalid_request']);
    expect((await begin({ tier: 'pro' }, { 'idempotency-key': 'another' })).json.id).not.toBe(
      later.json.id,
    );
    app.clock.advance(86_400_000);
    expect((await begin({ tier: 'agency' }, headers)).status).toBe(200);
  });

  it('has no test checkout', async () => {
    const { id } = (await begin({})).json;
    expect((await app.http.get(`/pavis/checkout/test/${id}`)).status).toBe(404);
  });

  it('logs neither the email address nor the Stripe key', () => {
    expect(app.logged()).not.toMatch(/buyer@|sk_test_x/i);
  });
});

describe('POST /checkout/session in production without Stripe', () => {
  const app = useTestApp('sqlite', { NODE_ENV: 'production' });

  it('returns 503', async () => {
    const answer = await app.http.post('/checkout/session', { body: {} });
    expect([answer.status, answer.json.error]).toEqual([503, 'service_unavailable']);
  });

  it('has no test checkout', async () => {
    expect((await app.http.get('/checkout/test/cs_test_x')).status).toBe(404);
    expect((await app.http.request('POST', '/checkout/test/cs_test_x')).status).toBe(404);
  });
});

describe('Rate limit of checkouts', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_CHECKOUT: '20' });

  it('returns 429 after 20 requests per minute and IP address', async () => {
    for (let n = 0; n < 20; n++) {
      expect((await app.http.post('/checkout/session')).status).toBe(200);
    }
    const refused = await app.http.post('/checkout/session');
    expect([refused.status, refused.json.error]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe.each(ENGINES)('Test checkout on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_ALLOWED_ORIGINS: 'https://shop.example' });
  const folder = mkdtempSync(join(tmpdir(), 'pavis-mail-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function mails() {
    const delivery = createDelivery({
      smtpUrl: undefined,
      from: { name: '', address: 'shop@example.com' },
      folder,
    });
    while (await sendDueMails(app.platform, delivery)) {}
    return Promise.all(
      readdirSync(folder).map((name) => PostalMime.parse(readFileSync(join(folder, name)))),
    );
  }
  async function begin(body: object = {}): Promise<string> {
    const { status, json } = await app.http.post('/checkout/session', { body });
    expect(status).toBe(200);
    expect(json.url).toBe(`${app.url}/checkout/test/${json.id}`);
    return new URL(json.url).pathname;
  }
  const pay = (path: string, body = '') =>
    app.http.request('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const keyIn = (text: string | undefined) => /pv_test_[A-Za-z0-9]{32}/.exec(text ?? '')?.[0] ?? '';

  it('issues a working key with one click, shows it once and emails it', async () => {
    const path = await begin({
      tier: 'agency',
      interval: 'month',
      email: 'buyer@example.com',
      success_url: 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}',
    });
    const page = await app.http.get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store, private');
    expect(page.text).toMatch(
      /Agency[\s\S]*Monthly[\s\S]*buyer@example\.com[\s\S]*<form method="post">/,
    );
    expect(page.text).not.toContain('<script');

    const paid = await pay(path);
    const key = keyIn(paid.text);
    expect(key).not.toBe('');
    expect(paid.text).toContain(`href="https://shop.example/thanks?s=${path.split('/').at(-1)}"`);
    const dumped = await dumpDatabase(app.platform);
    expect(dumped).toContain('licence_issued');
    expect(dumped).not.toContain(key);
    expect(dumped).not.toContain(key.slice('pv_test_'.length));

    const [mail] = await mails();
    expect(mail?.to?.[0]?.address).toBe('buyer@example.com');
    expect([keyIn(mail?.text), keyIn(mail?.html)]).toEqual([key, key]);

    expect((await app.http.site('validate', key, SITE)).json).toMatchObject({
      valid: true,
      tier: 'agency',
      sites_allowed: 25,
      expires_at: '2026-12-21T09:30:00.000Z',
    });
    expect((await app.http.site('activate', key, SITE)).json).toMatchObject({ success: true });

    expect(keyIn((await pay(path)).text)).toBe('');
    expect((await app.http.get(path)).text).toContain('already paid');
    expect(await mails()).toHaveLength(1);
    expect(await dumpDatabase(app.platform)).not.toContain(key);
    expect(app.logged()).not.toMatch(/pv_test_|buyer@example/);
  });

  it('names the product on its pages', async () => {
    await createProduct(app.platform, { slug: 'forms', name: 'Acme Forms' }, 'test');
    await createPlan(app.platform, 'forms', { tier: 'solo' }, 'test');
    const path = await begin({ product: 'forms', tier: 'solo', email: 'forms@example.com' });
    const product = '<dt>Product</dt><dd>Acme Forms</dd>';
    expect((await app.http.get(path)).text).toContain(product);
    expect((await pay(path)).text).toContain(product);
    expect((await app.http.get(path)).text).toContain(product);
    const portal = path.replace('/test/', '/test/portal/');
    expect((await app.http.get(portal)).text).toContain(product);
    // The default product has no name of its own yet.
    expect((await app.http.get(await begin())).text).not.toContain('Product</dt>');
  });

  it('asks for the email address if the order has none, and explains an invalid one', async () => {
    const path = await begin();
    expect((await app.http.get(path)).text).toContain('type="email"');
    const wrong = await pay(path, 'email=nobody%3Cscript%3E');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('role="alert"');
    expect(wrong.text).not.toContain('<script');
    expect(keyIn((await pay(path, 'email=second%40example.com')).text)).not.toBe('');
    expect((await mails()).map(({ to }) => to?.[0]?.address)).toContain('second@example.com');
  });

  it('issues one key for concurrent payments of an order', async () => {
    const path = await begin({ email: 'hasty@example.com' });
    const pages = await Promise.all(Array.from({ length: 6 }, () => pay(path)));
    expect(pages.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(pages.filter(({ text }) => keyIn(text) !== '')).toHaveLength(1);
  });

  it('returns 404 for unknown orders and after a day', async () => {
    const path = await begin({ email: 'late@example.com' });
    app.clock.advance(86_400_000);
    for (const at of [path, '/checkout/test/cs_test_unknown', '/checkout/test/%00']) {
      expect((await app.http.get(at)).status).toBe(404);
      expect((await pay(at)).status).toBe(404);
    }
  });

  it('serves the pages after a payment and after cancelling', async () => {
    for (const page of ['success', 'cancelled']) {
      const answer = await app.http.get(`/checkout/${page}`);
      expect(answer.status).toBe(200);
      expect(answer.text).toMatch(/<h1>.*<\/h1>/);
    }
  });
});
