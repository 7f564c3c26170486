import { Text } from '@mantine/core';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badges.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { formatMoment, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { ViewLinks } from '../../components/view-links.tsx';
import { UserLog } from './log.tsx';
import { ROLE_TONES, ROLES, USERS_PER_PAGE, usersQuery } from './queries.ts';

const route = getRouteApi('/app/users');

/** User accounts, and the log of changes to them. */
export function Users() {
  const { view, page = '1' } = route.useSearch();
  return (
    <Page
      title="Users"
      intro="User accounts, roles and application passwords."
      actions={
        <LinkButton to="/users/new" leftSection={<IconPlus size={16} aria-hidden />}>
          New user
        </LinkButton>
      }
    >
      <ViewLinks
        label="View"
        views={[
          ['users', 'Users'],
          ['log', 'Activity log'],
        ]}
        current={view === 'log' ? 'log' : 'users'}
      />
      {view === 'log' ? <UserLog page={Number(page)} /> : <UserList />}
    </Page>
  );
}

function UserList() {
  const { search, role, page = '1' } = route.useSearch();
  const users = useQuery(usersQuery({ search, roles: role, page: Number(page) }));
  return (
    <>
      <FilterBar name="users">
        <SearchField label="Search by login or address" value={search} />
        <SelectFilter
          name="role"
          label="Role"
          value={role}
          options={ROLES.map(({ value }) => ({ value, label: toLabel(value) }))}
        />
      </FilterBar>
      <QueryResult query={users} lines={6}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState icon={IconUsers} title="No users found">
              No user matches these filters.
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
                  {
                    title: 'Email',
                    cell: ({ email }) => (
                      <span style={{ overflowWrap: 'break-word' }}>{email}</span>
                    ),
                  },
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
                      last_seen ? (
                        formatMoment(last_seen)
                      ) : (
                        <Text span inherit c="dimmed">
                          Never
                        </Text>
                      ),
                  },
                  {
                    title: 'Second factor',
                    cell: ({ second_factor }) => (second_factor ? 'Yes' : 'No'),
                  },
                  { title: 'Sessions', cell: ({ sessions }) => sessions, align: 'end' },
                  {
                    title: 'Application passwords',
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
