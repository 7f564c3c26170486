import { DAY_MS } from '../../../platform/durations.ts';
import type { Dsar } from '../context.ts';
import { listDeletedWithin } from '../deletions/store.ts';
import { type CaseStatus, countDays, getMedian, REQUEST_TYPES } from '../rules.ts';
import type { Case } from '../store.ts';
import { listMeasured } from './queue/store.ts';

/** A request; a deleted one has no deadline. */
type Measured = Pick<Case, 'requestType' | 'status' | 'receivedAt' | 'receivedOn' | 'closedAt'> &
  Partial<Pick<Case, 'deadline' | 'pausedOn'>>;

/** Statistics on the requests received in a period (11 CCR §7102), including deleted ones. */
export async function getMetrics(
  { platform: { datastore, clock }, formatDay }: Dsar,
  days: { from?: string | undefined; to?: string | undefined },
) {
  const cases: Measured[] = [
    ...(await listMeasured(datastore.db, days)),
    ...(await listDeletedWithin(datastore.db, days)),
  ];
  const today = formatDay(clock.now());
  const byType = REQUEST_TYPES.map((type) => {
    const ofType = cases.filter(({ requestType }) => requestType === type);
    return [type, summarise(ofType, today, formatDay)];
  });
  return { ...summarise(cases, today, formatDay), by_type: Object.fromEntries(byType) };
}

function summarise(cases: readonly Measured[], today: string, formatDay: Dsar['formatDay']) {
  const count = (status: CaseStatus) => cases.filter((each) => each.status === status).length;
  const existing = cases.filter(({ deadline }) => deadline !== undefined);
  const open = existing.filter(({ closedAt }) => closedAt === null);
  const isOverdue = ({ deadline = today, pausedOn }: Measured) => deadline < (pausedOn ?? today);
  const answered = cases.filter(({ status }) => status === 'completed' || status === 'rejected');
  const days = getMedian(
    answered.map(({ receivedAt, receivedOn, closedAt }) =>
      // A request that was entered after its day of receipt has no time of day.
      formatDay(receivedAt) === receivedOn
        ? ((closedAt ?? receivedAt) - receivedAt) / DAY_MS
        : countDays(receivedOn, formatDay(closedAt ?? receivedAt)),
    ),
  );
  return {
    received: cases.length,
    open: open.length,
    overdue: open.filter(isOverdue).length,
    completed: count('completed'),
    rejected: count('rejected'),
    withdrawn: count('withdrawn'),
    deleted: cases.length - existing.length,
    median_days: days === null ? null : Math.round(days * 10) / 10,
  };
}
