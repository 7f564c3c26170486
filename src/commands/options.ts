import { InvalidArgumentError } from 'commander';
import { readMoment } from '../platform/clock.ts';

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
  const milliseconds = readMoment(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError(
    'A moment in UTC is allowed, as 2027-11-21 or 2027-11-21T12:00:00Z.',
  );
}

const NOTES_MAX_LENGTH = 5_000;

/** Reads an option that is free text. */
export function notes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (text.length <= NOTES_MAX_LENGTH && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text))
    return text;
  throw new InvalidArgumentError(
    `A text of up to ${NOTES_MAX_LENGTH} characters is allowed, without control characters.`,
  );
}
