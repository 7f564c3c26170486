import { useQuery } from '@tanstack/react-query';
import { formatMoment, words } from '../../parts/format.ts';
import { Pager, Table } from '../../parts/list.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { USERS_PER_PAGE, userEventsQuery } from './queries.ts';

/** Who did what to which user, newest first. */
export function UserLog({ page }: { page: number }) {
  const events = useQuery(userEventsQuery(page));
  return (
    <Shown query={events} lines={8}>
      {({ items, total }) =>
        total === 0 ? (
          <Empty icon="users" title="Nothing happened yet">
            Whatever is done to users is written down here.
          </Empty>
        ) : (
          <>
            <Table
              label="What happened to users"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: 'What',
                  cell: ({ action, details }) => (
                    <>
                      <strong>{words(action)}</strong>
                      <DetailText details={details} />
                    </>
                  ),
                },
                { title: 'User', cell: ({ username }) => username },
                { title: 'By', cell: ({ actor }) => actor },
                { title: 'When', cell: ({ at }) => formatMoment(at) },
              ]}
            />
            <Pager page={page} perPage={USERS_PER_PAGE} total={total} noun="event" />
          </>
        )
      }
    </Shown>
  );
}

function DetailText({ details }: { details: Record<string, unknown> }) {
  const parts = Object.entries(details).map(([name, value]) => `${words(name)}: ${value}`);
  return parts.length > 0 && <span className="soft small break"> {parts.join(', ')}</span>;
}
