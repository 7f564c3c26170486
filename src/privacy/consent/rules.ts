import { InvalidFieldError } from '../../platform/errors.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;

export const CONSENT_ACTIONS = ['accept_all', 'reject_all', 'manage'] as const;
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];

interface Category {
  id: string;
  required: boolean;
}

interface Choice {
  categories_accepted: string[];
  categories_rejected: string[];
}

/**
 * Completes the lists of a choice. Required categories are always accepted; `accept_all` and `reject_all` cover all
 * categories, `manage` only those that it lists.
 * @throws InvalidFieldError for an unknown category, one in both lists, or lists that contradict the action
 */
export function completeChoice(
  action: ConsentAction,
  { categories_accepted: accepted = [], categories_rejected: rejected = [] }: Partial<Choice>,
  categories: readonly Category[],
): Choice {
  assertKnown('categories_accepted', accepted, categories);
  assertKnown('categories_rejected', rejected, categories);
  const both = accepted.find((id) => rejected.includes(id));
  if (both !== undefined) {
    throw new InvalidFieldError(
      'categories_rejected',
      `${both} must not be in both categories_accepted and categories_rejected.`,
    );
  }
  const required = categories.filter((each) => each.required).map(({ id }) => id);
  const optional = categories.filter((each) => !each.required).map(({ id }) => id);
  if (action === 'accept_all') assertNone('categories_rejected', rejected, optional, action);
  if (action === 'reject_all') assertNone('categories_accepted', accepted, optional, action);
  const isAccepted = (id: string) => action === 'accept_all' || accepted.includes(id);
  const isRejected = (id: string) => action === 'reject_all' || rejected.includes(id);
  return {
    categories_accepted: [...required, ...optional.filter(isAccepted)],
    categories_rejected: optional.filter(isRejected),
  };
}

function assertKnown(field: string, ids: readonly string[], categories: readonly Category[]): void {
  const unknown = ids.find((given) => !categories.some(({ id }) => id === given));
  if (unknown === undefined) return;
  const known = categories.map(({ id }) => id).join(', ');
  throw new InvalidFieldError(
    field,
    `${field} must contain only: ${known}. ${unknown} is unknown.`,
  );
}

function assertNone(
  field: string,
  ids: readonly string[],
  optional: readonly string[],
  action: ConsentAction,
): void {
  const id = optional.find((each) => ids.includes(each));
  if (id === undefined) return;
  throw new InvalidFieldError(field, `${field} must not contain ${id} with ${action}.`);
}

interface VendorChoice {
  vendors_accepted: string[] | null;
  vendors_rejected: string[] | null;
}

/** A choice in which all vendors follow their category. */
export const NO_VENDORS: VendorChoice = { vendors_accepted: null, vendors_rejected: null };

/**
 * Reduces the vendors of a choice to those that differ from their category, because only these say more than the
 * categories do. Vendors that visitors cannot choose are left out, also unknown ones: they can have been deleted since
 * the visitor chose them.
 * @param choosable the vendors that visitors can choose
 * @throws InvalidFieldError for a vendor in both lists, or lists that contradict the action
 */
export function completeVendors(
  action: ConsentAction,
  {
    vendors_accepted: accepted = [],
    vendors_rejected: rejected = [],
  }: { [Name in keyof VendorChoice]?: string[] | undefined },
  { categories_accepted: categories }: Pick<Choice, 'categories_accepted'>,
  choosable: readonly { slug: string; categories: readonly string[] }[],
): VendorChoice {
  if (action === 'reject_all') assertEmpty('vendors_accepted', accepted, action);
  if (action === 'accept_all') assertEmpty('vendors_rejected', rejected, action);
  const both = accepted.find((slug) => rejected.includes(slug));
  if (both !== undefined) {
    throw new InvalidFieldError(
      'vendors_rejected',
      `${both} must not be in both vendors_accepted and vendors_rejected.`,
    );
  }
  const list = (given: readonly string[], differs: (category: string) => boolean) => {
    const found = choosable.filter(
      ({ slug, categories }) => given.includes(slug) && categories.some(differs),
    );
    return found.length > 0 ? found.map(({ slug }) => slug) : null;
  };
  return {
    vendors_accepted: list(accepted, (category) => !categories.includes(category)),
    vendors_rejected: list(rejected, (category) => categories.includes(category)),
  };
}

function assertEmpty(field: string, slugs: readonly string[], action: ConsentAction): void {
  if (slugs.length === 0) return;
  throw new InvalidFieldError(field, `${field} must be empty with ${action}.`);
}

const LANGUAGE_MAX_LENGTH = 35;

/** A language as it is stored. The page determines it, so nothing in it may prevent that a choice is recorded. */
export const toLanguage = (given = ''): string | null =>
  given.replace(CONTROL_CHARACTERS, '').slice(0, LANGUAGE_MAX_LENGTH) || null;

/** An address without its query, as it is stored; null for one that cannot be. The page determines it as well. */
export function toPageUrl(given: string | undefined): string | null {
  const parsed = given ? URL.parse(given) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return null;
  const url = parsed.origin + parsed.pathname;
  return url.length <= URL_MAX_LENGTH ? url : null;
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
export function toPeriod({ from, to }: Partial<Period>, today: string): Period {
  const last = to ?? today;
  const first = Temporal.PlainDate.from(last).subtract({ days: DEFAULT_PERIOD_DAYS - 1 });
  // A day before the year 0 has another form.
  return { from: from ?? (first.year < 0 ? '0000-01-01' : first.toString()), to: last };
}

/** The number of days; 0 if the period is reversed. */
export const countDays = ({ from, to }: Period): number =>
  Math.max(0, Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days + 1);

/** The calendar days of a period, each once: a day can have 23 or 25 hours. */
export function listDays(period: Period): string[] {
  const first = Temporal.PlainDate.from(period.from);
  return Array.from({ length: countDays(period) }, (_, days) => first.add({ days }).toString());
}
