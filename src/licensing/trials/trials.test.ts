import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { createBearerHeader } from '../../../test/support/makers.ts';
import { readMailText } from '../../../test/support/outbox.ts';
import {
  bought,
  createSignature,
  type StripeStandIn,
  stripeEvent,
  stripeStandIn,
  WEBHOOK_SECRET,
} from '../../../test/support/stripe.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { createPlan, createProduct, updatePlan } from '../products/index.ts';
import { deleteOldTrials } from './service.ts';

const YEAR = 365 * DAY_MS;

describe.each(ENGINES)('Trials without a card on %s', (engine) => {
  const env: Record<string, string> = {
    PAVIS_STRIPE_SECRET_KEY: 'sk_live_x',
    PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PAVIS_STRIPE_PRICES: 'pro/year=price_pro_year',
  };
  let stripe: StripeStandIn;
  beforeAll(async () => {
    stripe = await stripeStandIn();
    env.PAVIS_STRIPE_API_URL = stripe.url;
    stripe.sessionsEndAt = 4_000_000_000;
  });
  afterAll(() => stripe.stop());
  const app = useTestApp(engine, env);

  const PLAN = { product: 'forms', tier: 'pro' };
  const createForms = async () => {
    await createProduct(app.platform, { slug: 'forms', name: 'Forms' }, 'test');
    const plan = {
      ...{ tier: 'pro', label: 'Pro', sites_allowed: 2, grace_days: 7, features: ['export'] },
      ...{ trial_days: 14, trial_without_card: true, prices: { year: 'price_forms_pro' } },
    };
    await createPlan(app.platform, 'forms', plan, 'test');
    await createPlan(app.platform, 'forms', { tier: 'solo', trial_days: 30 }, 'test');
  };

  let count = 0;
  let email = '';
  let site = '';
  beforeEach(async () => {
    if (count++ === 0) await createForms();
    email = `trial-${engine}-${count}@example.com`;
    site = `https://trial-${engine}-${count}.example.com`;
  });

  const ask = (body: object = {}) =>
    app.http.post('/trials', { body: { email, site_url: site, product: 'forms', ...body } });
  const mailsTo = (to: string) =>
    app.platform.datastore.db
      .selectFrom('outbox_mails')
      .selectAll()
      .where('recipient', '=', to)
      .orderBy('id')
      .execute();
  async function tokenFor(to: string, body: object = {}): Promise<string> {
    expect((await ask({ email: to, ...body })).status).toBe(202);
    const mail = (await mailsTo(to)).at(-1);
    return /start-trial\?token=([\w-]+)/.exec(readMailText(app.platform, mail))?.[1] ?? '';
  }
  const confirm = (token: string) => app.http.post('/trials/confirm', { body: { token } });
  const start = async () => (await confirm(await tokenFor(email))).json;
  const countLicences = async (to: string) =>
    (
      await app.platform.datastore.db
        .selectFrom('licences')
        .innerJoin('customers', 'customers.id', 'customer_id')
        .select('licences.id')
        .where('email', '=', to)
        .execute()
    ).length;
  const licenceOf = async (id: string) =>
    (
      await app.http.get(`/customer/licences/${id}`, {
        headers: await createBearerHeader(app.platform, email),
      })
    ).json;

  it('are listed for plans that offer them', async () => {
    expect((await app.http.get('/trials?product=forms')).json).toEqual({
      product: 'forms',
      trials: [
        { tier: 'pro', plan: 'Pro', days: 14, sites: 2, features: ['export'], description: null },
      ],
    });
    expect((await app.http.get('/trials')).json).toEqual({ product: 'pavis', trials: [] });
    const unknown = await app.http.get('/trials?product=none');
    expect([unknown.status, unknown.json.error]).toEqual([400, 'invalid_request']);
  });

  it('issue a licence that ends by itself, after the confirmation of the address', async () => {
    const token = await tokenFor(email);
    expect(await countLicences(email)).toBe(0);
    const end = new Date(app.clock.now() + 14 * DAY_MS).toISOString();
    const { status, json, headers } = await confirm(token);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store, private']);
    expect(json).toEqual({
      id: expect.stringMatching(/^lic_/),
      licence_key: expect.stringMatching(/^pv_live_/),
      mode: 'live',
      product: 'forms',
      tier: 'pro',
      plan: 'Pro',
      sites_allowed: 2,
      expires_at: end,
    });
    expect(await licenceOf(json.id)).toMatchObject({ trial: true, expires_at: end });
    const [, key] = await mailsTo(email);
    expect(key).toMatchObject({ kind: 'licence_issued', subject: 'Your licence key for Forms' });
    expect(key?.body_text).toContain('ends by itself');
    expect(key?.body_text).toContain(`/account/renew?licence=${json.id}`);
    const validate = async () =>
      (await app.http.site('validate', json.licence_key, site)).json.valid;
    expect((await app.http.site('activate', json.licence_key, site)).status).toBe(200);
    app.clock.advance(14 * DAY_MS - 1);
    expect(await validate()).toBe(true);
    app.clock.advance(1);
    // The plan has a grace period, a trial has none.
    expect(await validate()).toBe(false);
  });

  it('store nothing but the email before the confirmation, and then hashes', async () => {
    const { db } = app.platform.datastore;
    await start();
    const rows = JSON.stringify(await db.selectFrom('trials').selectAll().execute());
    for (const text of [email, 'trial-', 'example.com']) expect(rows).not.toContain(text);
    const [link] = await mailsTo(email);
    const [, token = ''] = /token=([\w-]+)/.exec(readMailText(app.platform, link)) ?? [];
    expect(token).not.toBe('');
    const opened = Buffer.from(token, 'base64url').toString('latin1');
    expect(opened).not.toContain('example.com');
    // The email says nothing that was typed, so it cannot carry a stranger's words.
    expect(link?.body_text).not.toContain(site.slice('https://'.length));
    expect(app.logged()).not.toContain(token);
    expect(app.logged()).not.toContain('@example.com');
  });

  it('are used once per address, whatever its case and tag, and the answer does not say so', async () => {
    const before = await ask();
    await start();
    const again = `${email.toUpperCase().replace('@', '+again@')}`;
    const after = await ask({ email: again, site_url: `${site}/another` });
    expect([after.status, after.text]).toEqual([before.status, before.text]);
    const [mail] = await mailsTo(again.toLowerCase());
    expect(mail?.body_text).toContain('already had it');
    expect(mail?.body_text).not.toContain('start-trial');
  });

  it('are used once per site, also when links are sent before', async () => {
    const friend = `friend-of-${email}`;
    const theirs = await tokenFor(friend, { site_url: `http://www.${site.slice(8)}/` });
    const mine = await tokenFor(email);
    expect((await confirm(mine)).status).toBe(200);
    const refused = await confirm(theirs);
    expect([refused.status, refused.json.error]).toEqual([409, 'trial_used']);
    expect(await countLicences(friend)).toBe(0);
    const repeated = await confirm(mine);
    expect(repeated).toMatchObject({ status: 409, json: { error: 'trial_used' } });
    expect(repeated.json.message).toContain('has already started');
  });

  it('are counted for each product on its own', async () => {
    await start();
    const other = `other-${engine}-${count}`;
    await createProduct(app.platform, { slug: other, name: 'Other' }, 'test');
    const plan = { tier: 'pro', trial_days: 7, trial_without_card: true };
    await createPlan(app.platform, other, plan, 'test');
    expect((await confirm(await tokenFor(email, { product: other }))).status).toBe(200);
    // The product has no price.
    expect((await mailsTo(email)).at(-1)?.body_text).not.toMatch(/buy|renew/);
  });

  it('start once for 12 concurrent confirmations by links to one address and for one site', async () => {
    const links = await Promise.all([1, 2, 3].map((n) => tokenFor(email.replace('@', `+${n}@`))));
    const answers = await Promise.all(Array.from({ length: 4 }, () => links.map(confirm)).flat());
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(11).fill(409)]);
    const { db } = app.platform.datastore;
    const { licences } = await db
      .selectFrom('licences')
      .innerJoin('customers', 'customers.id', 'customer_id')
      .select(({ fn }) => fn.countAll<number>().as('licences'))
      .where('email', 'like', `${email.split('@')[0]}+%`)
      .executeTakeFirstOrThrow();
    expect(Number(licences)).toBe(1);
  });

  it('become a bought licence with the same key and sites, and again a trial after a refund', async () => {
    const trial = await start();
    await app.http.site('activate', trial.licence_key, site);
    app.clock.advance(3 * DAY_MS);
    const headers = await createBearerHeader(app.platform, email);
    const renewed = await app.http.post(`/customer/licences/${trial.id}/renew`, { headers });
    expect(renewed).toMatchObject({ status: 200, json: { kind: 'checkout' } });
    const tell = async (type: string, object: object) => {
      const body = stripeEvent(type, app.clock.now(), object);
      const { status } = await app.http.post('/webhooks/stripe', {
        headers: {
          'content-type': 'application/json',
          'stripe-signature': createSignature(body, app.clock.now()),
        },
        body,
      });
      expect(status).toBe(200);
    };
    const paid = bought(`${engine}_trial_${count}`, { email, livemode: true });
    const metadata = { tier: 'pro', interval: 'year', product: 'forms', licence: trial.id };
    await tell('checkout.session.completed', paid.session({ id: renewed.json.id, metadata }));
    await tell('invoice.paid', paid.invoice(1, app.clock.now() + YEAR));
    const mail = (await mailsTo(email)).at(-1);
    expect(mail?.subject).toBe('You have bought your Forms licence');
    expect(mail?.body_text).toContain(
      `You have bought licence ${trial.id}. The key stays the same`,
    );
    expect(mail?.body_text).not.toContain('renewed');
    const licence = await licenceOf(trial.id);
    expect(licence).not.toHaveProperty('trial');
    expect(Date.parse(licence.expires_at)).toBeGreaterThanOrEqual(app.clock.now() + YEAR);
    const valid = await app.http.site('validate', trial.licence_key, site);
    expect(valid.json).toMatchObject({ valid: true, site_active: true });
    const { grace_days } = await app.platform.datastore.db
      .selectFrom('licences')
      .select('grace_days')
      .where('public_id', '=', trial.id)
      .executeTakeFirstOrThrow();
    expect(grace_days).toBe(14);
    await tell('invoice_payment.paid', paid.invoicePayment(1));
    await tell('charge.refunded', paid.charge(1));
    expect(await licenceOf(trial.id)).toMatchObject({ trial: true });
  });

  it('can be bought after their end', async () => {
    const trial = await start();
    app.clock.advance(20 * DAY_MS);
    const headers = await createBearerHeader(app.platform, email);
    expect(await licenceOf(trial.id)).toMatchObject({ status: 'expired', trial: true });
    const { status, json } = await app.http.post(`/customer/licences/${trial.id}/renew`, {
      headers,
    });
    expect([status, json.kind]).toEqual([200, 'checkout']);
  });

  it('are in no readable email of the outbox, nor in one that is sent after a day', async () => {
    const token = await tokenFor(email);
    const [mail] = await mailsTo(email);
    expect(JSON.stringify(mail)).not.toContain(token);
    expect(mail?.expires_at).toBe(app.clock.now() + 24 * HOUR_MS);
  });

  it('do not start with a link that is expired, changed or of a trial no longer offered', async () => {
    const token = await tokenFor(email);
    const wrong = await confirm(`${token.slice(0, -4)}AAAA`);
    expect([wrong.status, wrong.json.error]).toEqual([403, 'link_expired']);
    await updatePlan(app.platform, PLAN, { edits: { trial_without_card: false } }, 'test');
    expect((await confirm(token)).json.error).toBe('not_possible');
    await updatePlan(app.platform, PLAN, { edits: { trial_without_card: true } }, 'test');
    app.clock.advance(24 * HOUR_MS);
    expect((await confirm(token)).json.error).toBe('link_expired');
    expect(await countLicences(email)).toBe(0);
  });

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: 5 }, 'email'],
    [{ site_url: 'shop' }, 'site_url'],
    [{ site_url: 'http://localhost/shop' }, 'public address'],
    [{ site_url: 'https://staging.example.com' }, 'public address'],
    [{ tier: 'solo' }, 'tier must be one of: pro'],
    [{ product: 'pavis' }, 'no trial without a card'],
    [{ product: 'none' }, 'product must be one of'],
  ])('reject %j with a message', async (body, message) => {
    const { status, json } = await ask(body);
    expect([status, json.error]).toEqual([400, 'invalid_request']);
    expect(json.message).toContain(message);
  });

  it('start from the link for a long page URL of the site, and not for a site with a longer path', async () => {
    const page = `${site}/shop?product=${'\u754c'.repeat(1_900)}`;
    expect((await confirm(await tokenFor(email, { site_url: page }))).status).toBe(200);
    const long = '\u754c'.repeat(200);
    // Only the normalised form of the last two is short enough. The link holds them as they are.
    for (const path of [long + long, '/'.repeat(300) + long, '%7E'.repeat(200) + long]) {
      const refused = await ask({ site_url: `${site}/${path}` });
      expect([refused.status, refused.json.error]).toEqual([400, 'invalid_request']);
    }
  });

  it('need an end', async () => {
    for (const edits of [{ trial_days: 0 }, { trial_days: 0, trial_without_card: true }])
      await expect(updatePlan(app.platform, PLAN, { edits }, 'test')).rejects.toThrow(
        'trial_without_card',
      );
  });

  it('say in the audit log that the licence is a trial', async () => {
    const { json } = await confirm(await tokenFor(email));
    const { db } = app.platform.datastore;
    const event = await db
      .selectFrom('licence_events')
      .innerJoin('licences', 'licences.id', 'licence_id')
      .select(['action', 'actor', 'details'])
      .where('public_id', '=', json.id)
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({ action: 'issued', actor: 'customer' });
    expect(JSON.parse(event.details)).toMatchObject({ trial: true });
  });

  it('can be used again after three years, when their hashes are deleted', async () => {
    await start();
    const { db } = app.platform.datastore;
    app.clock.advance(3 * 365 * DAY_MS);
    await deleteOldTrials(app.platform);
    expect(await db.selectFrom('trials').select('id').execute()).not.toEqual([]);
    app.clock.advance(1);
    await deleteOldTrials(app.platform);
    expect(await db.selectFrom('trials').select('id').execute()).toEqual([]);
    expect((await confirm(await tokenFor(email))).status).toBe(200);
  });
});

describe('Limits of trials', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_MAGIC_LINK: '5' });

  it('count requests per client and address, apart from sign-in links', async () => {
    const edits = { trial_days: 14, trial_without_card: true };
    await updatePlan(app.platform, { product: 'pavis', tier: 'pro' }, { edits }, 'test');
    const ask = (tag: number) =>
      app.http.post('/trials', {
        body: { email: `ada+${tag}@example.com`, site_url: 'https://example.com' },
      });
    for (let n = 0; n < 5; n++) expect((await ask(n)).status).toBe(202);
    const refused = await ask(6);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    expect(refused.json.message).toContain('Too many trials were requested');
    const link = await app.http.post('/auth/magic-link', { body: { email: 'ada@example.com' } });
    expect(link.status).toBe(202);
  });

  it('issue test licences while the checkout takes no real money', async () => {
    const body = { email: 'eve@example.com', site_url: 'https://eve.example.com' };
    await app.http.post('/trials', { body });
    const mail = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['body_text', 'sealed'])
      .where('recipient', '=', body.email)
      .executeTakeFirstOrThrow();
    const token = /token=([\w-]+)/.exec(readMailText(app.platform, mail))?.[1];
    const { json } = await app.http.post('/trials/confirm', { body: { token } });
    expect(json.mode).toBe('test');
  });
});
