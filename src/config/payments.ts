import { parsePrices } from '../licensing/checkout/index.ts';
import { type Environment, flag, httpUrl, items, refuse, text } from './values.ts';

/** An incomplete set-up is refused: it would accept payments without issuing licences. */
export function payments(env: Environment, production: boolean) {
  const secretKey = text(env, 'PAVIS_STRIPE_SECRET_KEY');
  if (secretKey !== undefined && !/^[sr]k_(?:test|live)_\w+$/.test(secretKey)) {
    refuse('PAVIS_STRIPE_SECRET_KEY', 'is no secret key', 'sk_live_… or sk_test_… is allowed');
  }
  const webhookSecrets = items(env, 'PAVIS_STRIPE_WEBHOOK_SECRET') ?? [];
  if (webhookSecrets.some((secret) => !/^\S{8,}$/.test(secret))) {
    refuse(
      'PAVIS_STRIPE_WEBHOOK_SECRET',
      'is no signing secret',
      'whsec_… is allowed, or two of them with a comma while one takes the place of the other',
    );
  }
  const list = text(env, 'PAVIS_STRIPE_PRICES');
  const read = list === undefined ? { prices: [] } : parsePrices(list);
  if ('wrong' in read) {
    refuse(
      'PAVIS_STRIPE_PRICES',
      `names "${read.wrong}"`,
      'comma-separated TIER/INTERVAL=PRICE or TIER/INTERVAL/CURRENCY=PRICE is allowed, each price once, for example pro/year=price_123,pro/year/usd=price_456',
    );
  }
  if (production && secretKey !== undefined && webhookSecrets.length === 0) {
    refuse(
      'PAVIS_STRIPE_WEBHOOK_SECRET',
      'is not set',
      'without it, customers who pay get no licence',
    );
  }
  const apiUrl = httpUrl(env, 'PAVIS_STRIPE_API_URL');
  if (apiUrl !== undefined && new URL(apiUrl).pathname !== '/') {
    refuse('PAVIS_STRIPE_API_URL', `is "${apiUrl}"`, 'a URL without a path is allowed');
  }
  const hasTax = flag(env, 'PAVIS_STRIPE_TAX', false);
  return Object.freeze({
    /** Undefined: the test checkout is used, outside production. */
    stripe: secretKey === undefined ? undefined : { secretKey, apiUrl, hasTax },
    webhookSecrets,
    prices: read.prices,
    hasTestCheckout: !production,
  });
}
