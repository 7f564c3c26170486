import { IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badges.tsx';
import { formatMoment, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, SearchField, SelectFilter, TablePagination } from '../../components/table.tsx';
import { UserLog } from './log.tsx';
import { ROLE_TONES, ROLES, USERS_PER_PAGE, usersQuery } from './queries.ts';

const route = getRouteApi('/inside/users');

/** Who may come in here, and what was done to them. */
export function Users() {
  const { view, page = '1' } = route.useSearch();
  return (
    <Page
      title="Users"
      intro="Who may sign in here, and what programs use in their name."
      actions={
        <LinkButton to="/users/new" leftSection={<IconPlus size={16} />}>
          New user
        </LinkButton>
      }
    >
      <nav className="tabs" aria-label="Users and log">
        <Link to="/users" search={{}} activeOptions={{ includeSearch: true, exact: true }}>
          Users
        </Link>
        <Link to="/users" search={{ view: 'log' }} activeOptions={{ includeSearch: true }}>
          What happened
        </Link>
      </nav>
      {view === 'log' ? <UserLog page={Number(page)} /> : <UserList />}
    </Page>
  );
}

function UserList() {
  const { search, role, page = '1' } = route.useSearch();
  const users = useQuery(usersQuery({ search, roles: role, page: Number(page) }));
  return (
    <>
      <search className="filters">
        <SearchField label="Search by login or address" value={search} />
        <SelectFilter
          name="role"
          label="Role"
          value={role}
          options={ROLES.map(({ value }) => ({ value, label: toLabel(value) }))}
        />
      </search>
      <QueryResult query={users} lines={6}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState icon={IconUsers} title="Nobody like that">
              No user fits these filters.
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Users"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    title: 'Login',
                    cell: ({ id, username, locked_until }) => (
                      <>
                        <Link to="/users/$id" params={{ id: String(id) }}>
                          {username}
                        </Link>
                        {locked_until && (
                          <>
                            {' '}
                            <StatusBadge tone="bad">Locked</StatusBadge>
                          </>
                        )}
                      </>
                    ),
                  },
                  { title: 'E-mail', cell: ({ email }) => <span className="break">{email}</span> },
                  {
                    title: 'Role',
                    cell: ({ roles }) =>
                      roles.map((each) => (
                        <StatusBadge key={each} tone={ROLE_TONES[each] ?? 'neutral'}>
                          {toLabel(each)}
                        </StatusBadge>
                      )),
                  },
                  {
                    title: 'Last seen',
                    cell: ({ last_seen }) =>
                      last_seen ? formatMoment(last_seen) : <span className="soft">Never</span>,
                  },
                  { title: 'Signed in', cell: ({ sessions }) => sessions, align: 'end' },
                  {
                    title: 'Programs',
                    cell: ({ application_passwords }) => application_passwords,
                    align: 'end',
                  },
                ]}
              />
              <TablePagination
                page={Number(page)}
                perPage={USERS_PER_PAGE}
                total={total}
                noun="user"
              />
            </>
          )
        }
      </QueryResult>
    </>
  );
}
