import type { ShownPrice } from './schemas.ts';

const PERIODS = { month: 'a month', year: 'a year', once: 'once' } as const;
const TAX = { inclusive: 'tax included', exclusive: 'plus tax where applicable' } as const;
/** Stripe counts these in hundredths, although they have no smaller unit ("Special cases" of its currencies). */
const COUNTED_IN_HUNDREDTHS = ['ISK', 'UGX'];

/** An amount in the unit in which Stripe counts the currency, for example "€49.00". */
export function formatAmount(amount: number, currency: string, locale = 'en-GB'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = COUNTED_IN_HUNDREDTHS.includes(currency)
    ? 2
    : (format.resolvedOptions().maximumFractionDigits ?? 2);
  return format.format(amount / 10 ** digits);
}

type Amount = Pick<ShownPrice, 'amount' | 'currency' | 'interval' | 'tax'>;

/** For example "€49.00 a year, plus tax where applicable"; undefined if the price is not known. */
export function formatPrice({ amount, currency, interval, tax }: Amount): string | undefined {
  if (amount === null || currency === null) return undefined;
  const price = `${formatAmount(amount, currency)} ${PERIODS[interval]}`;
  return tax === null || tax === 'unspecified' ? price : `${price}, ${TAX[tax]}`;
}
