import type { Db } from '../../platform/db/index.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import {
  acceptanceRate,
  type ConsentAction,
  countDays,
  listDays,
  PERIOD_MAX_DAYS,
  type Period,
  toPeriod,
} from './rules.ts';
import { countActions, countCategories } from './store.ts';

/**
 * Consent statistics of a period. Without a period: totals of all records, and the last 30 days one by one. They are
 * read from daily counts, so the cost grows with days and categories and not with records.
 * @param today in the zone of the site
 * @param shown the categories of the banner: they are listed also without decisions
 * @throws InvalidFieldError for a period that is too long
 */
export async function getConsentStats(
  db: Db,
  asked: Partial<Period>,
  { today, shown }: { today: string; shown: readonly { id: string }[] },
) {
  const days = toPeriod(asked, today);
  if (countDays(days) > PERIOD_MAX_DAYS) {
    const message = `A period has at most ${PERIOD_MAX_DAYS} days. Give a later first day or an earlier last day.`;
    throw new InvalidFieldError('from', message);
  }
  const period = asked.from === undefined && asked.to === undefined ? null : days;
  const range = period && { date_from: period.from, date_to: period.to };
  const [counts, categories] = await Promise.all([
    countActions(db, range ?? {}, days.from),
    countCategories(db, range),
  ]);
  const byDay = Map.groupBy(counts, ({ shown }) => shown);
  return {
    period,
    ...sumUp(counts),
    categories: Object.fromEntries([
      ...shown.map(({ id }) => [id, { accepted: 0, rejected: 0, acceptance_rate: 0 }] as const),
      ...categories.map(
        ({ category, accepted, rejected }) =>
          [
            category,
            { accepted, rejected, acceptance_rate: acceptanceRate(accepted, rejected) },
          ] as const,
      ),
    ]),
    daily: listDays(days).map((date) => ({ date, ...sumUp(byDay.get(date) ?? []) })),
  };
}

function sumUp(counts: readonly { action: string; counted: number }[]) {
  const by_action: Record<ConsentAction, number> = { accept_all: 0, reject_all: 0, manage: 0 };
  for (const { action, counted } of counts) by_action[action as ConsentAction] += counted;
  return { total: by_action.accept_all + by_action.reject_all + by_action.manage, by_action };
}
