import type { Stripe as StripeClient } from 'stripe';
import type { Db } from '../../platform/db/index.ts';
import { Refusal } from '../../platform/errors.ts';
import { findTier, formatPrice, listSold, type Price } from './prices.ts';
import { listUnknownPrices } from './store.ts';
import { openStripe, type StripeSettings } from './stripe.ts';

/** What is looked at, and how: in words if it is well, throwing an `Error` that says what to do if not. */
export interface StripeCheck {
  name: string;
  look: () => Promise<string>;
}

/** What has to be right at Stripe for somebody to buy; changes nothing there. */
export function stripeChecks(
  settings: StripeSettings,
  prices: readonly Price[],
  webhookSecrets: readonly string[],
): StripeCheck[] {
  let opened: Promise<StripeClient> | undefined;
  async function ask<T>(question: (stripe: StripeClient) => Promise<T>): Promise<T> {
    opened ??= openStripe(settings);
    try {
      return await question(await opened);
    } catch (error) {
      throw new Error(wordsFor(error as StripeFault));
    }
  }
  const sold = listSold(prices);
  const mode = settings.secretKey.includes('_live_') ? 'live' : 'test';
  return [
    {
      name: 'Stripe key',
      look: async () => {
        await ask((stripe) => stripe.checkout.sessions.list({ limit: 1 }));
        return `accepted, of ${mode} mode: ${mode === 'live' ? 'buyers pay real money' : 'no money is taken and keys are pv_test_'}`;
      },
    },
    ...prices.map((each) => ({
      name: `Stripe price ${formatPrice(each)}`,
      look: () =>
        ask((stripe) =>
          stripe.prices.retrieve(each.price, { expand: ['product', 'currency_options'] }),
        ).then((found) => judge(found, each, sold.includes(each))),
    })),
    {
      name: 'Stripe webhook',
      look: async () => {
        if (webhookSecrets.length > 0) return 'the signing secret is set';
        throw new Error(
          'no signing secret is set, so nobody who pays would get a licence: add an endpoint at Stripe and put its secret into PAVIS_STRIPE_WEBHOOK_SECRET',
        );
      },
    },
  ];
}

/**
 * That every subscription is on a price of the price list; of another one nobody knows what it is for.
 * @throws Refusal that says what to do
 */
export async function assertPricesKnown(db: Db, prices: readonly Price[]): Promise<string> {
  const unknown = (await listUnknownPrices(db)).filter(
    ({ price }) => findTier(prices, price) === undefined,
  );
  if (unknown.length === 0) return 'all are in PAVIS_STRIPE_PRICES';
  const named = unknown.map(
    ({ price, licences }) => `${price} (${licences === 1 ? '1 licence' : `${licences} licences`})`,
  );
  throw new Refusal(
    `not in PAVIS_STRIPE_PRICES: ${named.join(', ')}. Their licences keep their tier; add each as TIER/INTERVAL=PRICE after the price that is sold`,
  );
}

/** A former price may be archived: subscriptions stay on it. */
function judge(found: StripeClient.Price, { interval, currency }: Price, isSold: boolean): string {
  const { id, active, recurring, product } = found;
  if (!active && isSold)
    throw new Error(`${id} is archived: activate it at Stripe, or name another one`);
  if (isSold && typeof product === 'object' && (product.deleted || !product.active)) {
    throw new Error(`the product of ${id} is archived: activate it at Stripe`);
  }
  const is = recurring ? every(recurring.interval_count, recurring.interval) : 'once';
  const wanted = interval === 'once' ? 'once' : every(1, interval);
  if (is !== wanted) {
    throw new Error(
      `${id} is paid ${is}, and PAVIS_STRIPE_PRICES says ${wanted}: change the entry, or name another price`,
    );
  }
  const currencies = [found.currency, ...Object.keys(found.currency_options ?? {})];
  if (currency !== undefined && !currencies.includes(currency)) {
    throw new Error(
      `${id} is paid in ${found.currency}, and PAVIS_STRIPE_PRICES says ${currency}: change the entry, or name another price`,
    );
  }
  if (!isSold) return `${id} is a former price, paid ${is}: subscriptions on it are followed`;
  return `${id} is active and paid ${is}`;
}

const every = (count: number, unit: string): string =>
  count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;

interface StripeFault {
  type?: string;
  statusCode?: number;
}

/** Stripe's own words may repeat a part of the key. */
function wordsFor({ type, statusCode }: StripeFault): string {
  switch (statusCode) {
    case 401:
      return 'Stripe does not accept the key: look at PAVIS_STRIPE_SECRET_KEY';
    case 403:
      return 'the key is restricted and may not read this: give it the right to read Prices and to write Checkout Sessions';
    case 404:
      return 'Stripe does not know it: it may be of the other mode (test or live), or of another account';
    default:
      return statusCode === undefined
        ? 'Stripe cannot be reached: look at the network, or try again'
        : `Stripe answered ${statusCode} (${type}): try again`;
  }
}
