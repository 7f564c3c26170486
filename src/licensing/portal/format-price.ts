/** A price as the Licence API shows it. */
export interface PriceShown {
  tier: string;
  interval: 'month' | 'year' | 'once';
  sites: number;
  amount: number | null;
  currency: string | null;
  tax: 'inclusive' | 'exclusive' | 'unspecified' | null;
}

const EACH = { month: 'a month', year: 'a year', once: 'once' } as const;
const TAX = {
  inclusive: ', tax included',
  exclusive: ', plus tax where applicable',
  unspecified: '',
} as const;
/** Stripe counts these in hundredths, although they have no smaller unit ("Special cases" of its currencies). */
const COUNTED_IN_HUNDREDTHS = ['ISK', 'UGX'];

/** What something costs, as "€49.00 a year, plus tax where applicable"; undefined if that is not known. */
export function formatPrice({ amount, currency, interval, tax }: PriceShown): string | undefined {
  if (amount === null || currency === null) return undefined;
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  const digits = COUNTED_IN_HUNDREDTHS.includes(currency)
    ? 2
    : (format.resolvedOptions().maximumFractionDigits ?? 2);
  return `${format.format(amount / 10 ** digits)} ${EACH[interval]}${TAX[tax ?? 'unspecified']}`;
}
