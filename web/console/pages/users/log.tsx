import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { formatMoment, toLabel } from '../../components/format.ts';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { type EventFormatters, formatEvent } from '../../components/timeline.tsx';
import { USERS_PER_PAGE, userEventsQuery } from './queries.ts';

const FORMATTERS: EventFormatters = {
  created: (text) => [`Created as ${text('role')}`],
  role_changed: (text) => [`Role changed from ${text('from')} to ${text('to')}`],
  signed_out: 'Signed out everywhere',
  single_sign_on_unlinked: 'Single sign-on unlinked',
  sessions_ended: (text) => [
    text('device') ? `Session ended: ${text('device')}` : `Sessions ended: ${text('count')}`,
  ],
  application_password_added: (text) => [`Application password “${text('name')}” added`],
  application_password_revoked: (text) => [`Application password “${text('name')}” revoked`],
  second_factor_changed: (text) => [
    [`Second factor: ${toLabel(text('action')).toLowerCase()}`, text('name') && `“${text('name')}”`]
      .filter(Boolean)
      .join(' '),
  ],
};

/** Changes of user accounts, newest first. */
export function UserLog({ page }: { page: number }) {
  const events = useQuery(userEventsQuery(page));
  return (
    <QueryResult query={events} lines={8}>
      {({ items, total }) =>
        total === 0 ? (
          <EmptyState icon={IconUsers} title="No activity yet">
            Changes to users are listed here.
          </EmptyState>
        ) : (
          <>
            <DataTable
              label="User activity log"
              rows={items}
              getKey={({ id }) => id}
              columns={[
                {
                  title: 'Event',
                  cell: (event) => <strong>{formatEvent(event, FORMATTERS)?.[0]}</strong>,
                },
                { title: 'User', cell: ({ username }) => username },
                { title: 'By', cell: ({ actor }) => actor },
                { title: 'Time', cell: ({ at }) => formatMoment(at) },
              ]}
            />
            <TablePagination page={page} perPage={USERS_PER_PAGE} total={total} noun="event" />
          </>
        )
      }
    </QueryResult>
  );
}
