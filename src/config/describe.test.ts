import { describe, expect, it } from 'vitest';
import { describeConfig } from './describe.ts';
import { toConfig } from './index.ts';

describe('The description of the settings', () => {
  it('names the currency of a price, as PAVIS_STRIPE_PRICES takes it', () => {
    const env = {
      PAVIS_STRIPE_SECRET_KEY: 'sk_test_1',
      PAVIS_STRIPE_PRICES: 'pro/year=price_1,pro/year/usd=price_2',
    };
    expect(describeConfig(toConfig(env)).PAVIS_STRIPE_PRICES).toBe(env.PAVIS_STRIPE_PRICES);
  });

  it('names the limit of consents and the limits of storage', () => {
    expect(describeConfig(toConfig({}))).toMatchObject({
      PAVIS_RATE_LIMIT_CONSENT: 600,
      PAVIS_DISK_WARN_MB: 1_024,
      PAVIS_DATABASE_WARN_MB: 10_240,
    });
    expect(
      describeConfig(toConfig({ PAVIS_RATE_LIMIT_CONSENT: 'off', PAVIS_DISK_WARN_MB: 'off' })),
    ).toMatchObject({ PAVIS_RATE_LIMIT_CONSENT: 'off', PAVIS_DISK_WARN_MB: 'off' });
  });
});
