const DELIMITERS = /[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * Parses the `Expires` attribute of a cookie like browsers (RFC 6265bis §5.1.1), which read all zones as UTC.
 * `Date.parse` takes `0` for the year 2000.
 * @returns epoch milliseconds; undefined if it is no date, so that the cookie is one of the session
 */
export function parseCookieDate(text: string): number | undefined {
  let time: number[] | undefined;
  let day: number | undefined;
  let month: number | undefined;
  let year: number | undefined;
  for (const token of text.split(DELIMITERS)) {
    const clock = time ? null : /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token);
    const named = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
    const [digits = ''] = /^\d{1,4}(?!\d)/.exec(token) ?? [];
    if (clock) time = clock.slice(1).map(Number);
    else if (day === undefined && (digits.length === 1 || digits.length === 2))
      day = Number(digits);
    else if (month === undefined && named >= 0) month = named;
    else if (year === undefined && digits.length >= 2) year = toFullYear(Number(digits));
  }
  if (!time || day === undefined || month === undefined || year === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time;
  if (day < 1 || day > 31 || year < 1601 || hours > 23 || minutes > 59 || seconds > 59) {
    return undefined;
  }
  return Date.UTC(year, month, day, hours, minutes, seconds);
}

const toFullYear = (year: number): number =>
  year >= 100 ? year : year + (year < 70 ? 2_000 : 1_900);
