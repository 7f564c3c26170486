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
/**
 * Stripe counts these in whole units, and all others at least in hundredths ("Zero-decimal currencies" and "Special
 * cases" of its currencies). The digits of `Intl` are those of usual prices: none for HUF, for example.
 */
const COUNTED_WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');

/** An amount in the unit in which Stripe counts the currency, for example "€49.00". */
export function formatAmount(amount: number, currency: string, language: Language = 'en'): string {
  const locale = toLocale(language);
  const style = { style: 'currency', currency } as const;
  const { maximumFractionDigits: usual = 2 } = new Intl.NumberFormat(
    locale,
    style,
  ).resolvedOptions();
  const digits = COUNTED_WHOLE.includes(currency) ? 0 : Math.max(2, usual);
  const value = amount / 10 ** digits;
  const shown = Number.isInteger(value) ? usual : digits;
  return new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: shown }).format(value);
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
export function formatPrice(price: Amount, language: Language = 'en'): string | undefined {
  const parts = formatPriceParts(price, language);
  return parts && `${parts.amount} ${parts.period}`;
}
