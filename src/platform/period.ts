import { InvalidFieldError } from './errors.ts';

/**
 * @param from the first day, `YYYY-MM-DD`; undefined without a limit
 * @param to the last day
 * @throws InvalidFieldError if the period ends before it begins, which would look like one without records
 */
export function assertPeriod(from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw new InvalidFieldError(
    'date_to',
    `The period ends on ${to}, before it begins on ${from}. Give the first day and then the last.`,
  );
}
