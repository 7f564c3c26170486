const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
// The zone of the browser can skip a time that the site has.
const localTime = new Intl.DateTimeFormat('en-GB', {
  ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
});
const relative = new Intl.RelativeTimeFormat('en-GB');
const whole = new Intl.NumberFormat('en-GB');
const digits = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });
const share = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 0 });

/** Prevents line breaks within a date. */
const withoutBreaks = (text: string): string => text.replaceAll(' ', '\u00a0');

const withLineBreakAfterDay = (text: string): string =>
  withoutBreaks(text).replace(',\u00a0', ', ');

/** A moment in the time zone of the browser. */
export const formatMoment = (iso: string | null): string =>
  iso === null ? '–' : withLineBreakAfterDay(moment.format(new Date(iso)));
/** A local time of the site such as `2026-11-21 09:30:00`. Marked, because other times are in the browser's zone. */
export const formatLocal = (text: string): string =>
  `${withLineBreakAfterDay(localTime.format(new Date(`${text.replace(' ', 'T')}Z`)))} (site time)`;
/** A calendar day, or the day of a moment in the time zone of the browser. */
export const formatDay = (text: string | null): string =>
  text === null || text.length === 10
    ? formatUtcDay(text)
    : withoutBreaks(day.format(new Date(text)));
/** A calendar day, or the day of a moment in UTC, in which licences end. */
export const formatUtcDay = (text: string | null): string =>
  text === null ? '–' : withoutBreaks(utcDay.format(new Date(text)));
/** How long ago a moment was, for example `5 minutes ago`. */
export function formatAge(iso: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(iso)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return withoutBreaks(relative.format(-minutes, 'minute'));
  const hours = Math.floor(minutes / 60);
  return withoutBreaks(
    hours < 48 ? relative.format(-hours, 'hour') : relative.format(-Math.floor(hours / 24), 'day'),
  );
}
export const formatNumber = (value: number): string => whole.format(value);
/** `1.2 GB`, in powers of 1,024. */
export const formatSize = (bytes: number): string =>
  bytes >= 2 ** 30
    ? `${digits.format(bytes / 2 ** 30)}\u00a0GB`
    : `${digits.format(bytes / 2 ** 20)}\u00a0MB`;
/** A difference with its sign: `+3`, `−2`, `±0`. */
export const formatSigned = (difference: number): string =>
  `${difference > 0 ? '+' : difference < 0 ? '−' : '±'}${whole.format(Math.abs(difference))}`;
/** In whole percent, but a few are never none, and nearly all are never all. */
export function formatShare(fraction: number): string {
  if (fraction > 0 && fraction < 0.005) return '<1%';
  if (fraction >= 0.995 && fraction < 1) return '>99%';
  return share.format(fraction);
}

/** Stripe counts these in whole units, and all others at least in hundredths, also those whose usual prices have no decimals. */
const COUNTED_WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
/** An amount in the unit in which Stripe counts the currency, for example `€49.00`. */
export function formatAmount(amount: number, currency: string): string {
  const style = { style: 'currency', currency } as const;
  const { maximumFractionDigits: usual = 2 } = new Intl.NumberFormat(
    'en-GB',
    style,
  ).resolvedOptions();
  const digits = COUNTED_WHOLE.includes(currency) ? 0 : Math.max(2, usual);
  const value = amount / 10 ** digits;
  const shown = Number.isInteger(value) ? usual : digits;
  return new Intl.NumberFormat('en-GB', { ...style, minimumFractionDigits: shown }).format(value);
}

/** `1 page`, `2 pages` */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

/** `a, b, c, d and 3 more` */
export function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const INITIALS = /\b(?:api|dsar|gtm|id|ip|url)\b/g;

/** `Legitimate interests` for `legitimate_interests`. */
export const toLabel = (slug: string): string => {
  const text = slug.replaceAll('_', ' ').replace(INITIALS, (letters) => letters.toUpperCase());
  return capitalise(text);
};

/** Path and query of a URL. */
export const getPath = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The text of a field that has one item per line. */
export const toLines = (items: readonly string[]): string => items.join('\n');
export const fromLines = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
