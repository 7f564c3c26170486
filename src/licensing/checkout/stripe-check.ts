import type { Stripe as StripeClient } from 'stripe';
import type { Db } from '../../platform/db/index.ts';
import type { Catalogue } from '../products/index.ts';
import { PAYMENT_EVENTS } from './events.ts';
import {
  findPrice,
  formatPriceName,
  listKnownPrices,
  listSetPrices,
  listSold,
  listSoldPrices,
  type Price,
} from './prices.ts';
import { listUnknownPrices } from './purchases/store.ts';
import { openStripe, type StripeSettings } from './stripe-client.ts';

interface CheckedPrice extends Price {
  isSold: boolean;
  /** What says how it is paid. */
  source: 'PAVIS_STRIPE_PRICES' | 'the plan';
}

/**
 * The prices of the price list and of plans, each with whether it is on sale.
 * @param catalogue empty before the first start: then the price list alone says what is on sale
 */
export function listCheckedPrices(prices: readonly Price[], catalogue: Catalogue): CheckedPrice[] {
  const sold =
    catalogue.length > 0
      ? catalogue.flatMap((product) => listSoldPrices(prices, product))
      : listSold(prices);
  const isSold = (price: Price) =>
    sold.some(
      (each) =>
        each.price === price.price &&
        each.product === price.product &&
        formatPriceName(each) === formatPriceName(price),
    );
  return listSetPrices(prices, catalogue).map((price) => ({
    ...price,
    isSold: isSold(price),
    source: prices.includes(price) ? 'PAVIS_STRIPE_PRICES' : 'the plan',
  }));
}

interface StripeCheck {
  name: string;
  /** @returns the finding. @throws Error that says what to do */
  run: () => Promise<string>;
}

const NOTHING_SOLD: StripeCheck = {
  name: 'Stripe prices',
  run: async () => {
    throw new Error(
      'nothing is on sale: give a plan a price (pavis plan update TIER --product SLUG --price year=price_123), or set PAVIS_STRIPE_PRICES',
    );
  },
};

/**
 * Checks of the set-up at Stripe; they change nothing there.
 * @param webhookUrl the endpoint to which Stripe has to send events
 */
export function listStripeChecks(
  settings: StripeSettings,
  prices: readonly CheckedPrice[],
  webhookSecrets: readonly string[],
  webhookUrl: string,
): StripeCheck[] {
  let client: Promise<StripeClient> | undefined;
  async function ask<T>(question: (stripe: StripeClient) => Promise<T>): Promise<T> {
    client ??= openStripe(settings);
    try {
      return await question(await client);
    } catch (error) {
      throw new Error(describeFault(error as StripeFault));
    }
  }
  const mode = settings.secretKey.includes('_live_') ? 'live' : 'test';
  return [
    {
      name: 'Stripe key',
      run: async () => {
        await ask((stripe) => stripe.checkout.sessions.list({ limit: 1 }));
        return `accepted, of ${mode} mode: ${mode === 'live' ? 'buyers pay real money' : 'no money is taken and keys are pv_test_'}`;
      },
    },
    ...(prices.some(({ isSold }) => isSold) ? [] : [NOTHING_SOLD]),
    ...prices.map((each) => ({
      name: `Stripe price ${[each.product, formatPriceName(each)].filter(Boolean).join(' ')}`,
      run: async () => {
        const expand = ['product', 'currency_options'];
        const found = await ask((stripe) => stripe.prices.retrieve(each.price, { expand }));
        return assertPrice(found, each);
      },
    })),
    {
      name: 'Stripe events',
      run: async () => {
        await ask((stripe) => stripe.events.list({ limit: 1 }));
        return 'readable: payments that the webhook has not brought are found each morning';
      },
    },
    {
      name: 'Stripe webhook',
      run: async () => {
        if (webhookSecrets.length > 0) return 'the signing secret is set';
        throw new Error(
          'no signing secret is set, so customers who pay get no licence: add an endpoint at Stripe and put its secret into PAVIS_STRIPE_WEBHOOK_SECRET',
        );
      },
    },
    {
      name: 'Stripe webhook endpoint',
      run: async () => {
        const endpoints = await ask((stripe) =>
          stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 }),
        );
        return assertEndpoint(endpoints, webhookUrl);
      },
    },
  ];
}

type Endpoint = Pick<StripeClient.WebhookEndpoint, 'url' | 'status' | 'enabled_events'>;

/** The endpoint may have any API version. */
function assertEndpoint(endpoints: readonly Endpoint[], url: string): string {
  const ours = endpoints.filter((each) => URL.parse(each.url)?.href === new URL(url).href);
  const enabled = ours.filter(({ status }) => status === 'enabled');
  const [best] = enabled.map(findMissingEvents).toSorted((a, b) => a.length - b.length);
  if (best?.length === 0) return `${url} is enabled and gets all events that Pavis needs`;
  if (best) {
    throw new Error(
      `the endpoint ${url} does not get ${best.join(', ')}: add ${best.length === 1 ? 'this event' : 'these events'} to it at Stripe`,
    );
  }
  if (ours.length > 0) throw new Error(`the endpoint ${url} is disabled: enable it at Stripe`);
  const { pathname } = new URL(url);
  const others = endpoints.map((each) => each.url).filter((each) => each.endsWith(pathname));
  const hint =
    others.length > 0
      ? `, or set PAVIS_BASE_URL if this server is the one at ${others.join(' or ')}`
      : '';
  throw new Error(
    `there is no endpoint ${url}, so licences do not follow payments: add it at Stripe with the events ${PAYMENT_EVENTS.join(', ')}${hint}`,
  );
}

const findMissingEvents = ({ enabled_events }: Endpoint): string[] => {
  const enabled: readonly string[] = enabled_events;
  return enabled.includes('*') ? [] : PAYMENT_EVENTS.filter((name) => !enabled.includes(name));
};

/**
 * Checks that the price of every subscription is in the price list.
 * @throws Error that says what to do
 */
export async function assertPricesKnown(
  db: Db,
  prices: readonly Price[],
  catalogue: Catalogue,
): Promise<string> {
  const known = listKnownPrices(prices, catalogue);
  const unknown = (await listUnknownPrices(db)).filter(
    ({ price }) => findPrice(known, price) === undefined,
  );
  if (unknown.length === 0) return 'all belong to a plan';
  const named = unknown.map(
    ({ price, licences }) => `${price} (${licences === 1 ? '1 licence' : `${licences} licences`})`,
  );
  throw new Error(
    `neither in a plan nor in PAVIS_STRIPE_PRICES: ${named.join(', ')}. Their licences keep their tier; add each as TIER/INTERVAL=PRICE after the price that is sold`,
  );
}

/** A former price may be archived: subscriptions stay on it. */
function assertPrice(
  found: StripeClient.Price,
  { interval, currency, isSold, source }: CheckedPrice,
): string {
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
      `${id} is paid ${is}, and ${source} says ${wanted}: change it there, or name another price`,
    );
  }
  const currencies = [found.currency, ...Object.keys(found.currency_options ?? {})];
  if (currency !== undefined && !currencies.includes(currency)) {
    throw new Error(
      `${id} is paid in ${found.currency}, and ${source} says ${currency}: change it there, or name another price`,
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

/** Stripe's own messages may repeat a part of the key. */
function describeFault({ type, statusCode }: StripeFault): string {
  switch (statusCode) {
    case 401:
      return 'Stripe rejects the key: check PAVIS_STRIPE_SECRET_KEY';
    case 403:
      return 'the key is restricted: allow it to write Checkout Sessions and Customer portal sessions, and to read Customers, Events, Invoices, Prices, Products, Subscriptions and Webhook Endpoints';
    case 404:
      return 'Stripe does not know it: it may belong to the other mode (test or live) or to another account';
    default:
      return statusCode === undefined
        ? 'Stripe cannot be reached: check the network or try again'
        : `Stripe answered ${statusCode} (${type}): try again`;
  }
}
