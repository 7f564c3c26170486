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

/** A choice that contradicts itself or the configuration. */
export class InvalidChoice extends Error {
  override readonly name = 'InvalidChoice';
  readonly parameter: string;

  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/**
 * Completes the lists of a choice. Required categories are always accepted; `accept_all` and `reject_all` cover all
 * categories, `manage` only those that it lists.
 * @throws InvalidChoice for an unknown category, one in both lists, or lists that contradict the action
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
    throw new InvalidChoice(
      'categories_rejected',
      `${both} must not be in both categories_accepted and categories_rejected.`,
    );
  }
  const complete: Choice = { accepted: [], rejected: [] };
  for (const { id, required } of categories) if (required) complete.accepted.push(id);
  for (const { id, required } of categories) {
    if (required) continue;
    if (action === 'accept_all' && rejected.includes(id)) {
      throw new InvalidChoice(
        'categories_rejected',
        `categories_rejected must not contain ${id} with accept_all.`,
      );
    }
    if (action === 'reject_all' && accepted.includes(id)) {
      throw new InvalidChoice(
        'categories_accepted',
        `categories_accepted must not contain ${id} with reject_all.`,
      );
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
      throw new InvalidChoice(
        parameter,
        `${parameter} must contain only: ${categories.map(({ id }) => id).join(', ')}. ${asked} is unknown.`,
      );
  }
}

/** From 0 to 1; 0 if there are no choices. */
export const acceptanceRate = (accepted: number, rejected: number): number =>
  accepted + rejected === 0 ? 0 : accepted / (accepted + rejected);

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface Period {
  from: string;
  to: string;
}

const DEFAULT_PERIOD_DAYS = 30;
export const PERIOD_MAX_DAYS = 3_660;

/** Completes a period: `to` is today by default, `from` 29 days before `to`. */
export function toPeriod(asked: Partial<Period>, today: string): Period {
  const { to = today } = asked;
  const days = DEFAULT_PERIOD_DAYS - 1;
  const { from = Temporal.PlainDate.from(to).subtract({ days }).toString() } = asked;
  return { from, to };
}

/** The number of days; 0 if the period is reversed. */
export const countDays = ({ from, to }: Period): number =>
  Math.max(0, Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days + 1);

/** The calendar days of a period, each once: a day can have 23 or 25 hours. */
export function listDays(period: Period): string[] {
  const first = Temporal.PlainDate.from(period.from);
  return Array.from({ length: countDays(period) }, (_, days) => first.add({ days }).toString());
}
