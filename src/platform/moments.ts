import { readMoment } from './clock.ts';
import { InvalidFieldError } from './errors.ts';

/** Epoch milliseconds of a moment with its offset, or of the start of a day in UTC. @throws InvalidFieldError */
export function parseMoment(field: string, text: string): number {
  const moment = readMoment(text);
  if (moment !== undefined) return moment;
  const message =
    'Enter a date, or a time with its offset, for example 2027-11-21 or 2027-11-21T12:00:00Z.';
  throw new InvalidFieldError(field, message);
}
