import { toLocale } from '../../platform/clock.ts';
import type { Language } from '../branding/index.ts';
import type { ShownPrice } from './schemas.ts';

const WORDS = {
  en: {
    periods: { month: 'a month', year: 'a year', once: 'once' },
    taxes: { inclusive: 'tax included', exclusive: 'plus tax where applicable' },
  },
  de: {
    periods: { month: 'pro Monat', year: 'pro Jahr', once: 'einmalig' },
    taxes: { inclusive: 'inkl. Steuern', exclusive: 'zzgl. anfallender Steuern' },
  },
} as const satisfies Record<Language, object>;
/** Stripe counts these in hundredths, although they have no smaller unit ("Special cases" of its currencies). */
const COUNTED_IN_HUNDREDTHS = ['ISK', 'UGX'];

/** An amount in the unit in which Stripe counts the currency, for example "€49.00". */
export function formatAmount(amount: number, currency: string, language: Language = 'en'): string {
  const format = new Intl.NumberFormat(toLocale(language), { style: 'currency', currency });
  const digits = COUNTED_IN_HUNDREDTHS.includes(currency)
    ? 2
    : (format.resolvedOptions().maximumFractionDigits ?? 2);
  return format.format(amount / 10 ** digits);
}

type Amount = Pick<ShownPrice, 'amount' | 'currency' | 'interval' | 'tax'>;

/** For example "€49.00" and "a year, plus tax where applicable"; undefined if the price is not known. */
export function formatPriceParts(
  { amount, currency, interval, tax }: Amount,
  language: Language = 'en',
): { amount: string; period: string } | undefined {
  if (amount === null || currency === null) return undefined;
  const { periods, taxes } = WORDS[language];
  const period = periods[interval];
  return {
    amount: formatAmount(amount, currency, language),
    period: tax === null || tax === 'unspecified' ? period : `${period}, ${taxes[tax]}`,
  };
}

/** For example "€49.00 a year, plus tax where applicable"; undefined if the price is not known. */
export function formatPrice(price: Amount): string | undefined {
  const parts = formatPriceParts(price);
  return parts && `${parts.amount} ${parts.period}`;
}
