import type { Db } from '../../platform/db/index.ts';
import { acceptanceRate } from './rules.ts';
import { actionCounts, categoryCounts } from './store.ts';

const DAYS_SHOWN = 30;
const DAY_MS = 86_400_000;

/**
 * Totals, by action, by category and by day, read from the counts that are kept with each decision:
 * their cost grows with days and categories, not with records (decision 30).
 */
export async function consentStats(db: Db, dayOf: (milliseconds: number) => string, now: number) {
  const shown = Array.from({ length: DAYS_SHOWN }, (_, back) =>
    dayOf(now - (DAYS_SHOWN - 1 - back) * DAY_MS),
  );
  const [counts, categories] = await Promise.all([
    actionCounts(db, shown[0] as string),
    categoryCounts(db),
  ]);
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return {
    ...sumUp(counts),
    categories: Object.fromEntries(
      categories.map(({ category, accepted, rejected }) => [
        category,
        { accepted, rejected, acceptance_rate: acceptanceRate(accepted, rejected) },
      ]),
    ),
    daily: [...new Set(shown)].map((date) => ({ date, ...sumUp(byDay.get(date) ?? []) })),
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
