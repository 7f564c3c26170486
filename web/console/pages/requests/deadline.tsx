import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, formatDay } from '../../components/format.ts';
import type { Case } from './types.ts';

/** From this many days on the deadline is marked. */
const SOON_DAYS = 7;

/** The day of the deadline and the days that are left, or overdue. */
export function Deadline({ request }: { request: Case }) {
  return (
    <>
      <DaysLeft request={request} /> <span className="number">{formatDay(request.deadline)}</span>
    </>
  );
}

function DaysLeft({ request: { days_left: days, paused_since } }: { request: Case }) {
  if (days === null) return null;
  if (paused_since) return <StatusBadge>Paused since {formatDay(paused_since)}</StatusBadge>;
  if (days < 0) return <StatusBadge tone="bad">{formatCount(-days, 'day')} overdue</StatusBadge>;
  if (days === 0) return <StatusBadge tone="bad">Due today</StatusBadge>;
  return (
    <StatusBadge tone={days <= SOON_DAYS ? 'warn' : 'neutral'}>
      {formatCount(days, 'day')} left
    </StatusBadge>
  );
}
