import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { updatePlan } from '../../src/licensing/products/index.ts';
import { launchBrowser } from '../support/browser.ts';
import { readMailText } from '../support/outbox.ts';
import { inEachState, type States } from '../support/states.ts';
import { type StripeStandIn, stripeStandIn } from '../support/stripe.ts';
import { useTestApp } from '../support/test-app.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage({ reducedMotion: 'reduce' });
});
afterAll(() => browser?.close());

const title = (name: string): Locator => page.getByRole('heading', { level: 1, name });
const press = (name: string) => page.getByRole('button', { name }).click();

const areForEverybody = (states: States) => inEachState(() => page, states);

describe('Trial pages, in every state', () => {
  const app = useTestApp('sqlite');
  const open = (path: string) => page.goto(app.url + path);
  const startLink = async () => {
    const edits = { trial_days: 14, trial_without_card: true };
    await updatePlan(app.platform, { product: 'pavis', tier: 'pro' }, { edits }, 'test');
    const { db } = app.platform.datastore;
    const body = { email: 'ada@example.com', site_url: 'https://ada.example.com' };
    await app.http.post('/trials', { body });
    const mail = await db.selectFrom('outbox_mails').selectAll().executeTakeFirstOrThrow();
    return /http\S+start-trial\S+/.exec(readMailText(app.platform, mail))?.[0] ?? '';
  };
  let link: string;
  beforeAll(async () => {
    link = await startLink();
  });

  areForEverybody({
    'the order form with the offer of a trial': async () => {
      await open('/account/buy');
      return page.getByRole('link', { name: 'Start a free trial of 14 days' });
    },
    'the form': async () => {
      await open('/account/trial');
      return title('Start a free trial');
    },
    'the form with an invalid site': async () => {
      await open('/account/trial');
      await page.fill('#email', `${'a-long-name-'.repeat(4)}@example.com`);
      await page.fill('#site', 'my site');
      await press('Email me the link');
      return page.getByRole('alert');
    },
    'a sent link': async () => {
      await open('/account/trial');
      await page.fill('#email', 'bob@example.com');
      await page.fill('#site', 'https://bob.example.com');
      await press('Email me the link');
      return title('Check your inbox');
    },
    'the link': async () => {
      await page.goto(link);
      return title('Start your free trial');
    },
    'a started trial': async () => {
      await page.goto(link);
      await press('Start the trial');
      return title('Your free trial has started');
    },
    'a trial that was used': async () => {
      await page.goto(link);
      await press('Start the trial');
      return title('The trial was not started');
    },
  });
});

describe('Purchase pages, in every state', () => {
  const app = useTestApp('sqlite');
  const open = (path: string) => page.goto(app.url + path);
  const order = async (more: object = {}): Promise<string> =>
    (await app.http.post('/checkout/session', { body: more })).json.url;
  let paid: string;

  areForEverybody({
    'the order form with another tier and interval': async () => {
      await open('/account/buy');
      await page.getByLabel('Agency').check();
      await page.getByLabel('Lifetime').check();
      return title('Buy a licence');
    },
    'the redirect to a checkout that does not load': async () => {
      // The browser stays on the page after a 204 response.
      await page.route('**/checkout/test/*', (route) => route.fulfill({ status: 204 }));
      await open('/account/buy');
      await press('Continue to checkout');
      return page.getByRole('link', { name: 'Continue to checkout' });
    },
    'the checkout': async () => {
      await page.unrouteAll();
      await open('/account/buy');
      await press('Continue to checkout');
      return page.getByRole('button', { name: 'Pay with test money' });
    },
    'the checkout with an invalid email address': async () => {
      await page.goto(await order());
      await page.locator('#email').evaluate((field) => field.setAttribute('type', 'text'));
      await page.fill('#email', 'nobody');
      await press('Pay with test money');
      expect(await page.inputValue('#email')).toBe('nobody');
      return page.getByRole('alert');
    },
    'the checkout with a known email address and a link back': async () => {
      const email = `${'a-long-name-'.repeat(5)}@example.com`;
      paid = await order({ email, cancel_url: `${app.url}/account/`, success_url: `${app.url}/` });
      await page.goto(paid);
      return page.getByRole('link', { name: 'Go back' });
    },
    'a successful payment': async () => {
      await page.goto(paid);
      await press('Pay with test money');
      await page.getByRole('link', { name: 'Continue' }).waitFor();
      return title('Thank you');
    },
    'a checkout that is already paid': async () => {
      await page.goto(paid);
      return title('This checkout is already paid');
    },
    'a checkout that is not found': async () => {
      await open('/checkout/test/cs_test_none');
      return title('Checkout not found');
    },
    'the success page after Stripe Checkout': async () => {
      await open('/checkout/success');
      return title('Thank you');
    },
    'the cancellation page after Stripe Checkout': async () => {
      await open('/checkout/cancelled');
      return title('Checkout cancelled');
    },
  });
});

describe('Purchase pages with Stripe', () => {
  let stripe: StripeStandIn;
  const env: Record<string, string> = {
    PAVIS_STRIPE_SECRET_KEY: 'sk_test_x',
    PAVIS_STRIPE_PRICES: 'pro/once=price_1',
  };
  beforeAll(async () => {
    stripe = await stripeStandIn();
    env.PAVIS_STRIPE_API_URL = stripe.url;
  });
  afterAll(() => stripe.stop());
  const app = useTestApp('sqlite', env);

  areForEverybody({
    'the order form with a single price': async () => {
      await page.goto(`${app.url}/account/buy`);
      return title('Buy a licence');
    },
    'an error when Stripe does not respond': async () => {
      stripe.mood = 'drops';
      await page.goto(`${app.url}/account/buy`);
      await press('Continue to checkout');
      return page.getByRole('alert');
    },
  });
});

describe('Pages of a server with the Licence API only, without sales', () => {
  const app = useTestApp('sqlite', { NODE_ENV: 'production', PAVIS_SERVICES: 'licence' });

  areForEverybody({
    'the start page': async () => {
      await page.goto(app.url);
      expect(await page.getByRole('link', { name: 'Console' }).count()).toBe(0);
      return page.getByRole('link', { name: 'Account' });
    },
    'the sign-in page without a link to buy': async () => {
      await page.goto(`${app.url}/account/`);
      expect(await page.getByRole('link', { name: 'Buy' }).count()).toBe(0);
      return title('Sign in');
    },
    'no order form': async () => {
      await page.goto(`${app.url}/account/buy`);
      return title('Page not found');
    },
    'no console': async () => {
      await page.goto(`${app.url}/admin/`);
      return title('Page not found');
    },
  });
});
