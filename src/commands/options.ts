import { InvalidArgumentError } from 'commander';
import { isoMoment } from '../platform/clock.ts';

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.000Z');

/** Reads an option that is a whole number. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`A whole number from ${min} to ${max} is allowed.`);
  };
}

/** Reads an option that is a moment in UTC, as epoch milliseconds; a date alone means its first one. */
export function moment(text: string): number {
  const milliseconds = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  const isRealDate =
    milliseconds <= LAST_MOMENT && isoMoment(milliseconds).startsWith(text.slice(0, 10));
  if (isRealDate) return milliseconds;
  throw new InvalidArgumentError(
    'A moment in UTC is allowed, as 2027-11-21 or 2027-11-21T12:00:00Z.',
  );
}
