import { DAY_MS } from '../../../platform/durations.ts';
import type { Dsar } from '../context.ts';
import { listDeletedWithin } from '../deletions/store.ts';
import { type CaseStatus, daysBetween, median, REQUEST_TYPES, type RequestType } from '../rules.ts';
import { listMeasured } from './queue/store.ts';

interface Measured {
  requestType: RequestType;
  status: CaseStatus;
  receivedAt: number;
  /** `YYYY-MM-DD` */
  receivedOn: string;
  closedAt: number | null;
  /** None of a deleted request, for which there is nothing left to do. */
  deadline?: string;
  pausedOn?: string | null;
}

/**
 * How many requests came in within some days, and what became of them (11 CCR §7102). Deleted ones
 * count as well.
 */
export async function getMetrics(
  { platform: { datastore, clock }, dayOf }: Dsar,
  days: { from?: string | undefined; to?: string | undefined },
) {
  const cases: Measured[] = [
    ...(await listMeasured(datastore.db, days)),
    ...(await listDeletedWithin(datastore.db, days)),
  ];
  const today = dayOf(clock.now());
  const byType = REQUEST_TYPES.map((type) => [
    type,
    count(
      cases.filter(({ requestType }) => requestType === type),
      today,
      dayOf,
    ),
  ]);
  return { ...count(cases, today, dayOf), by_type: Object.fromEntries(byType) };
}

function count(cases: readonly Measured[], today: string, dayOf: Dsar['dayOf']) {
  const count = (status: CaseStatus) => cases.filter((each) => each.status === status).length;
  const left = cases.filter(({ deadline }) => deadline !== undefined);
  const open = left.filter(({ closedAt }) => closedAt === null);
  const answered = cases.filter(({ status }) => status === 'completed' || status === 'rejected');
  const days = median(
    answered.map(({ receivedAt, receivedOn, closedAt }) =>
      // A request that was entered later than it was received has no time of day.
      dayOf(receivedAt) === receivedOn
        ? ((closedAt ?? receivedAt) - receivedAt) / DAY_MS
        : daysBetween(receivedOn, dayOf(closedAt ?? receivedAt)),
    ),
  );
  return {
    received: cases.length,
    open: open.length,
    overdue: open.filter(({ deadline, pausedOn }) => (deadline ?? today) < (pausedOn ?? today))
      .length,
    completed: count('completed'),
    rejected: count('rejected'),
    withdrawn: count('withdrawn'),
    deleted: cases.length - left.length,
    median_days: days === null ? null : Math.round(days * 10) / 10,
  };
}
