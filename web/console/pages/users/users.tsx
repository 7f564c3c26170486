import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { formatMoment, words } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Choice, Pager, SearchField, Table } from '../../components/list.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Shown } from '../../components/states.tsx';
import { Tag } from '../../components/tag.tsx';
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
        <LinkButton to="/users/new" leftSection={<Icon name="plus" size={16} />}>
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
        <Choice
          name="role"
          label="Role"
          value={role}
          options={ROLES.map(({ value }) => ({ value, label: words(value) }))}
        />
      </search>
      <Shown query={users} lines={6}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty icon="users" title="Nobody like that">
              No user fits these filters.
            </Empty>
          ) : (
            <>
              <Table
                label="Users"
                rows={items}
                keyOf={({ id }) => id}
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
                            <Tag tone="bad">Locked</Tag>
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
                        <Tag key={each} tone={ROLE_TONES[each] ?? 'neutral'}>
                          {words(each)}
                        </Tag>
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
              <Pager page={Number(page)} perPage={USERS_PER_PAGE} total={total} noun="user" />
            </>
          )
        }
      </Shown>
    </>
  );
}
