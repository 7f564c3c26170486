import type { Platform } from '../../platform/deps.ts';
import { countFailedDeliveries } from '../../webhooks/index.ts';
import { readCatalogue, readProduct } from '../products/index.ts';
import { COUNTED_RESULTS, type CountedResult, listCounts } from '../validation/index.ts';
import { formatDate, toDay, toLicenceDays } from './rules.ts';
import { countChanges } from './store.ts';

type Results = Record<CountedResult, number>;

/**
 * Licences, validations and failed webhooks of the last days, today included. Days are in UTC.
 * @throws InvalidFieldError for an unknown product
 */
export async function getLicenceStatistics(
  { datastore: { reader: db }, clock }: Platform,
  {
    days,
    product: slug,
    mode,
  }: { days: number; product?: string | undefined; mode: 'live' | 'test' },
) {
  const productId = slug === undefined ? undefined : readProduct(await readCatalogue(db), slug).id;
  const now = clock.now();
  const from = toDay(now) - days + 1;
  const [changes, counts, failures] = await Promise.all([
    countChanges(db, { productId, mode }, { from, now }),
    listCounts(db, formatDate(from), { productId, mode }),
    countFailedDeliveries(db, from),
  ]);
  const countsByDay = Map.groupBy(counts, ({ day }) => day);
  const daily = toLicenceDays({ from, days }, changes).map((day, index) => ({
    ...day,
    validations: sumUp(countsByDay.get(day.date) ?? []),
    webhook_failures: failures.get(from + index) ?? 0,
  }));
  const last = daily.at(-1);
  const total = (name: 'new' | 'churned' | 'webhook_failures') =>
    daily.reduce((sum, day) => sum + day[name], 0);
  return {
    from: formatDate(from),
    to: formatDate(toDay(now)),
    active: last?.active ?? 0,
    suspended: last?.suspended ?? 0,
    new: total('new'),
    churned: total('churned'),
    validations: sumUp(counts),
    webhook_failures: total('webhook_failures'),
    daily,
  };
}

function sumUp(counts: readonly { result: CountedResult; requests: number }[]): Results {
  const results = Object.fromEntries(COUNTED_RESULTS.map((result) => [result, 0])) as Results;
  for (const { result, requests } of counts) results[result] += requests;
  return results;
}
