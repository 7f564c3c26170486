import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
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

describe('The way of a buyer, in every state', () => {
  const app = useTestApp('sqlite');
  const open = (path: string) => page.goto(app.url + path);
  const order = async (more: object = {}): Promise<string> =>
    (await app.http.post('/checkout/session', { body: more })).json.url;
  let paid: string;

  areForEverybody({
    'what is sold, with another choice': async () => {
      await open('/account/buy');
      await page.getByLabel('Agency').check();
      await page.getByLabel('Lifetime').check();
      return title('Buy a licence');
    },
    'on the way to the checkout, which does not come': async () => {
      // What answers nothing leaves the browser where it is.
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
    'the checkout with a wrong address': async () => {
      await page.goto(await order());
      await page.locator('#email').evaluate((field) => field.setAttribute('type', 'text'));
      await page.fill('#email', 'nobody');
      await press('Pay with test money');
      expect(await page.inputValue('#email')).toBe('nobody');
      return page.getByRole('alert');
    },
    'the checkout of somebody who is known, with the way back': async () => {
      const email = `${'a-long-name-'.repeat(5)}@example.com`;
      paid = await order({ email, cancel_url: `${app.url}/account/`, success_url: `${app.url}/` });
      await page.goto(paid);
      return page.getByRole('link', { name: 'Go back' });
    },
    'what was bought': async () => {
      await page.goto(paid);
      await press('Pay with test money');
      await page.getByRole('link', { name: 'Continue' }).waitFor();
      return title('Thank you');
    },
    'what was paid already': async () => {
      await page.goto(paid);
      return title('This checkout is already paid');
    },
    'a checkout that is over': async () => {
      await open('/checkout/test/cs_test_none');
      return title('Checkout not found');
    },
    'after Stripe’s checkout': async () => {
      await open('/checkout/success');
      return title('Thank you');
    },
    'after Stripe’s checkout was left': async () => {
      await open('/checkout/cancelled');
      return title('Checkout cancelled');
    },
  });
});

describe('The way of a buyer where Stripe takes the payment', () => {
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
    'what is sold, which is one thing': async () => {
      await page.goto(`${app.url}/account/buy`);
      return title('Buy a licence');
    },
    'a checkout that does not answer': async () => {
      stripe.mood = 'drops';
      await page.goto(`${app.url}/account/buy`);
      await press('Continue to checkout');
      return page.getByRole('alert');
    },
  });
});

describe('A server that sells nothing and protects no site', () => {
  const app = useTestApp('sqlite', { NODE_ENV: 'production', PAVIS_SERVICES: 'licence' });

  areForEverybody({
    'what it has': async () => {
      await page.goto(app.url);
      expect(await page.getByRole('link', { name: 'Console' }).count()).toBe(0);
      return page.getByRole('link', { name: 'Account' });
    },
    'the way in to the account, where nothing is to be bought': async () => {
      await page.goto(`${app.url}/account/`);
      expect(await page.getByRole('link', { name: 'Buy' }).count()).toBe(0);
      return title('Sign in');
    },
    'what would be sold': async () => {
      await page.goto(`${app.url}/account/buy`);
      return title('Page not found');
    },
    'where the console would be': async () => {
      await page.goto(`${app.url}/admin/`);
      return title('Page not found');
    },
  });
});
