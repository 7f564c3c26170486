import { listMeasured } from './queue/store.ts';
import { type CaseStatus, median, REQUEST_TYPES } from './rules.ts';
import type { Dsar } from './site.ts';

const DAY_MS = 86_400_000;

type Measured = Awaited<ReturnType<typeof listMeasured>>[number];

/** How many requests came in within some days, and what became of them (11 CCR §7102). */
export async function metricsOf(
  { platform: { datastore, clock }, dayOf }: Dsar,
  days: { from?: string | undefined; to?: string | undefined },
) {
  const cases = await listMeasured(datastore.db, days);
  const today = dayOf(clock.now());
  const byType = REQUEST_TYPES.map((type) => [
    type,
    countsOf(
      cases.filter(({ requestType }) => requestType === type),
      today,
    ),
  ]);
  return { ...countsOf(cases, today), by_type: Object.fromEntries(byType) };
}

function countsOf(cases: readonly Measured[], today: string) {
  const count = (status: CaseStatus) => cases.filter((each) => each.status === status).length;
  const open = cases.filter(({ closedAt }) => closedAt === null);
  const answered = cases.filter(({ status }) => status === 'completed' || status === 'rejected');
  const days = median(
    answered.map(({ receivedAt, closedAt }) => ((closedAt ?? receivedAt) - receivedAt) / DAY_MS),
  );
  return {
    received: cases.length,
    open: open.length,
    overdue: open.filter(({ deadline, pausedOn }) => deadline < (pausedOn ?? today)).length,
    completed: count('completed'),
    rejected: count('rejected'),
    withdrawn: count('withdrawn'),
    median_days: days === null ? null : Math.round(days * 10) / 10,
  };
}
