import { Cron } from 'croner';

const open = (expression: string, timezone?: string) =>
  new Cron(expression, { mode: '5-part', paused: true, ...(timezone && { timezone }) });

/** Why text is not a cron expression of five fields that occurs; undefined if it is one. */
export function getCronProblem(expression: string): string | undefined {
  // Croner reads text with a colon as a date.
  if (expression.includes(':')) return `"${expression}" is not a cron expression. ${ALLOWED}`;
  try {
    if (open(expression).nextRun()) return undefined;
    return `"${expression}" never occurs. ${ALLOWED}`;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return `"${expression}" is not a cron expression. ${ALLOWED}`;
  }
}

const ALLOWED =
  'Write five fields separated by spaces: minute (0-59), hour (0-23), day of month (1-31), month (1-12 or JAN-DEC), day of week (0-7 or SUN-SAT). Each is a number, *, a range (1-5), a list (1,15) or a step (*/6). For example, 0 3 * * * is every day at 03:00.';

/**
 * The first moment of a valid cron expression after another; null if there is none. Both in epoch milliseconds.
 * @param timeZone IANA name, for example `Europe/Berlin`
 */
export const getNextCronTime = (
  expression: string,
  after: number,
  timeZone: string,
): number | null => open(expression, timeZone).nextRun(new Date(after))?.getTime() ?? null;
