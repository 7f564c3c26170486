import type { ConsentAction } from '../rules.ts';
import { ALL_DAYS } from '../tables.ts';

type DayCount = [day: string, action: string, total: number];
type CategoryCount = [day: string, category: string, accepted: number, rejected: number];

/** What choices add to the counts, in the same order on every node, so that two batches cannot deadlock. */
export interface ChoiceCounts {
  daily: DayCount[];
  /** By day and for `ALL_DAYS`, so that totals do not have to sum all days. */
  categories: CategoryCount[];
}

interface Counted {
  day: string;
  consent_action: ConsentAction;
  categories_accepted: readonly string[];
  categories_rejected: readonly string[];
}

export function countChoices(consents: readonly Counted[]): ChoiceCounts {
  const daily = new Map<string, DayCount>();
  const categories = new Map<string, CategoryCount>();
  const getCategory = (day: string, category: string) =>
    getOrAdd(categories, `${day} ${category}`, (): CategoryCount => [day, category, 0, 0]);
  for (const { consent, number } of groupAlike(consents)) {
    const { day, consent_action: action } = consent;
    getOrAdd(daily, `${day} ${action}`, (): DayCount => [day, action, 0])[2] += number;
    for (const counted of [day, ALL_DAYS]) {
      for (const each of consent.categories_accepted) getCategory(counted, each)[2] += number;
      for (const each of consent.categories_rejected) getCategory(counted, each)[3] += number;
    }
  }
  return { daily: inOneOrder(daily), categories: inOneOrder(categories) };
}

/** Choices of one day that are counted in the same way: most are one of a few. */
function groupAlike(consents: readonly Counted[]) {
  const alike = new Map<string, { consent: Counted; number: number }>();
  for (const consent of consents) {
    const { day, consent_action, categories_accepted, categories_rejected } = consent;
    const key = `${day} ${consent_action} ${categories_accepted} ${categories_rejected}`;
    getOrAdd(alike, key, () => ({ consent, number: 0 })).number++;
  }
  return alike.values();
}

function getOrAdd<T>(map: Map<string, T>, key: string, create: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

const inOneOrder = <T>(counts: ReadonlyMap<string, T>): T[] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
