import { InvalidArgumentError } from 'commander';
import { isListenHost } from '../config/index.ts';
import { readMoment } from '../platform/clock.ts';
import { CliError } from '../platform/errors.ts';

/** The highest number of activation slots, and of days of validity. */
export const MAX_SITES = 1_000_000;
export const MAX_DAYS = 36_500;

/** Parses a whole number. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Parses an address to listen on. */
export function listenHost(text: string): string {
  if (isListenHost(text)) return text;
  throw new InvalidArgumentError(
    'It must be an IP address or a host name, for example 127.0.0.1, 0.0.0.0 or ::1.',
  );
}

/** Parses a list separated by commas. */
export function createListParser<const T extends string>(allowed: readonly T[]) {
  return (text: string): T[] =>
    text.split(',').map((item) => {
      const found = allowed.find((each) => each === item.trim());
      if (found !== undefined) return found;
      throw new InvalidArgumentError(`It must be one or more of: ${allowed.join(', ')}.`);
    });
}

/** Parses a date, or a time with its offset, as epoch milliseconds. */
export function moment(text: string): number {
  const milliseconds = readMoment(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError(
    'It must be a date, or a time with its offset, for example 2027-11-21 or 2027-11-21T12:00:00Z.',
  );
}

/** Parses a day. */
export function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && readMoment(text) !== undefined) return text;
  throw new InvalidArgumentError('It must be a day, for example 2026-11-21.');
}

const FREE_TEXT_MAX_LENGTH = 5_000;

export function freeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected
  if (text.length <= FREE_TEXT_MAX_LENGTH && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text))
    return text;
  throw new InvalidArgumentError(
    `It must be a text of up to ${FREE_TEXT_MAX_LENGTH} characters without control characters.`,
  );
}

/** Of rows that the command line names by their id. */
export const ID_MAX = 999_999_999;

/**
 * @param name of the command, for example `plan update`
 * @throws CliError if nothing is to be changed
 */
export function assertChange(
  edits: Record<string, unknown>,
  name: string,
): Record<string, unknown> {
  if (Object.keys(edits).length > 0) return edits;
  throw new CliError(`no change given. See "pavis ${name} --help"`, 2);
}
