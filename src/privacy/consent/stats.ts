import type { Db } from '../../platform/db/index.ts';
import { invalidParam } from '../../platform/rest/errors.ts';
import {
  acceptanceRate,
  countDays,
  listDays,
  PERIOD_MAX_DAYS,
  type Period,
  toPeriod,
} from './rules.ts';
import { actionCounts, categoryCounts } from './store.ts';

/**
 * Statistics of a period; without one, of all records, with the last 30 days one by one. They are read
 * from the counts that are kept with each record: their cost grows with days and categories, not with
 * records.
 * @param today in the zone of the site
 * @throws RestError 400 `rest_invalid_param` for a period that is too long
 */
export async function consentStats(db: Db, asked: Partial<Period>, today: string) {
  const days = toPeriod(asked, today);
  if (countDays(days) > PERIOD_MAX_DAYS) {
    const message = `A period has at most ${PERIOD_MAX_DAYS} days. Give a later from or an earlier to.`;
    throw invalidParam('from', message);
  }
  const period = asked.from === undefined && asked.to === undefined ? null : days;
  const range = period && { dayFrom: period.from, dayTo: period.to };
  const [counts, categories] = await Promise.all([
    actionCounts(db, range ?? {}, days.from),
    categoryCounts(db, range),
  ]);
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return {
    period,
    ...sumUp(counts),
    categories: Object.fromEntries(
      categories.map(({ category, accepted, rejected }) => [
        category,
        { accepted, rejected, acceptance_rate: acceptanceRate(accepted, rejected) },
      ]),
    ),
    daily: listDays(days).map((date) => ({ date, ...sumUp(byDay.get(date) ?? []) })),
  };
}

function sumUp(counts: readonly { action: string; total: number }[]) {
  const of = (action: string) =>
    counts.filter((count) => count.action === action).reduce((sum, { total }) => sum + total, 0);
  const by_action = {
    accept_all: of('accept_all'),
    reject_all: of('reject_all'),
    manage: of('manage'),
  };
  return { total: by_action.accept_all + by_action.reject_all + by_action.manage, by_action };
}
