export const CONSENT_ACTIONS = ['accept_all', 'reject_all', 'manage'] as const;
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];

export interface AskedCategory {
  id: string;
  required: boolean;
}

export interface Choice {
  accepted: string[];
  rejected: string[];
}

/** A decision that contradicts itself or the configuration: which parameter, and why. */
export class InvalidChoice extends Error {
  override readonly name = 'InvalidChoice';
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/**
 * What a decision says of each category that was asked. What is required is accepted always;
 * `accept_all` and `reject_all` decide on all, also on those their lists leave out; `manage` decides
 * on those it names and on no others (decision 26).
 * @throws InvalidChoice for unknown categories, one in both lists, and lists against the action
 */
export function completeChoice(
  action: ConsentAction,
  { accepted, rejected }: Choice,
  categories: readonly AskedCategory[],
): Choice {
  assertKnown('categories_accepted', accepted, categories);
  assertKnown('categories_rejected', rejected, categories);
  const both = accepted.find((id) => rejected.includes(id));
  if (both !== undefined) {
    throw new InvalidChoice('categories_rejected', `${both} is both accepted and rejected.`);
  }
  const complete: Choice = { accepted: [], rejected: [] };
  for (const { id, required } of categories) if (required) complete.accepted.push(id);
  for (const { id, required } of categories) {
    if (required) continue;
    if (action === 'accept_all' && rejected.includes(id)) {
      throw new InvalidChoice('categories_rejected', `accept_all cannot reject ${id}.`);
    }
    if (action === 'reject_all' && accepted.includes(id)) {
      throw new InvalidChoice('categories_accepted', `reject_all cannot accept ${id}.`);
    }
    if (action === 'accept_all' || accepted.includes(id)) complete.accepted.push(id);
    else if (action === 'reject_all' || rejected.includes(id)) complete.rejected.push(id);
  }
  return complete;
}

function assertKnown(
  parameter: string,
  ids: readonly string[],
  categories: readonly AskedCategory[],
): void {
  for (const asked of ids) {
    if (!categories.some(({ id }) => id === asked))
      throw new InvalidChoice(parameter, `There is no category ${asked}.`);
  }
}

/** A rate between 0 and 1 of those who decided; 0 when nobody did. */
export const acceptanceRate = (accepted: number, rejected: number): number =>
  accepted + rejected === 0 ? 0 : accepted / (accepted + rejected);

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface Period {
  from: string;
  to: string;
}

const DEFAULT_PERIOD_DAYS = 30;
export const PERIOD_MAX_DAYS = 3_660;

/** What is asked for: up to today unless an end is given, and the 30 days before unless a start is. */
export function toPeriod(asked: Partial<Period>, today: string): Period {
  const { to = today } = asked;
  const days = DEFAULT_PERIOD_DAYS - 1;
  const { from = Temporal.PlainDate.from(to).subtract({ days }).toString() } = asked;
  return { from, to };
}

/** How many days a period has; none when it is reversed. */
export const countDays = ({ from, to }: Period): number =>
  Math.max(0, Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days + 1);

/** The days of a period, each once: days of the calendar, as a day may have 23 or 25 hours. */
export function listDays(period: Period): string[] {
  const first = Temporal.PlainDate.from(period.from);
  return Array.from({ length: countDays(period) }, (_, days) => first.add({ days }).toString());
}
