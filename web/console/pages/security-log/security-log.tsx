import { Box, Button, Text } from '@mantine/core';
import { IconDownload, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { getDownloadUrl } from '../../api/downloads.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { DateFilter, FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { formatMoment, formatNumber } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { EVENTS_PER_PAGE, type SecurityEvent, securityEventsQuery } from './queries.ts';
import { describe, EVENT_LABELS } from './terms.ts';

const route = getRouteApi('/app/security-log');
const NO_FILTER = {
  event: undefined,
  user: undefined,
  address: undefined,
  from: undefined,
  to: undefined,
};

/** Sign-ins, attempts that failed, changes of users, and exports. */
export function SecurityLog() {
  const { event, user, address, from, to, page = '1' } = route.useSearch();
  const change = useUrlState();
  const filter = { event, user, address, date_from: from, date_to: to };
  const events = useQuery(securityEventsQuery(filter, Number(page)));
  const isFiltered = Boolean(event || user || address || from || to);
  return (
    <Page
      title="Security log"
      intro="Sign-ins, refused credentials, changes of users, and exports. IP addresses are removed after the period of the retention policy, 30 days by default."
      actions={(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          component="a"
          variant="default"
          href={getDownloadUrl('/security-log/export', { ...filter, format })}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    >
      <FilterBar name="security-log">
        <SearchField name="user" label="User name begins with" value={user} />
        <SearchField name="address" label="IP address begins with" value={address} />
        <SelectFilter
          name="event"
          label="Event"
          value={event}
          options={Object.entries(EVENT_LABELS).map(([value, label]) => ({ value, label }))}
        />
        <DateFilter name="from" label="From" value={from} />
        <DateFilter name="to" label="To" value={to} />
      </FilterBar>
      <QueryResult query={events} lines={12}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconShieldLock}
              title={isFiltered ? 'No matching events' : 'No events yet'}
              action={
                isFiltered && (
                  <Button variant="default" onClick={() => change(NO_FILTER)}>
                    Show all events
                  </Button>
                )
              }
            >
              {isFiltered
                ? 'No security events match these filters.'
                : 'Sign-ins, failed attempts, changes of users and exports are listed here.'}
            </EmptyState>
          ) : (
            <>
              <Events items={items} />
              <TablePagination
                page={Number(page)}
                perPage={EVENTS_PER_PAGE}
                total={total}
                noun="event"
              />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

const Events = ({ items }: { items: SecurityEvent[] }) => (
  <DataTable
    label="Security events"
    rows={items}
    getKey={({ id }) => id}
    columns={[
      {
        title: 'Event',
        cell: ({ event, outcome }) => (
          <StatusBadge tone={outcome === 'failure' ? 'bad' : 'neutral'}>
            {EVENT_LABELS[event]}
          </StatusBadge>
        ),
      },
      { title: 'Time', cell: ({ at }) => <span className="number">{formatMoment(at)}</span> },
      { title: 'Count', cell: ({ count }) => formatNumber(count), align: 'end' },
      {
        title: 'Account',
        cell: ({ username, actor }) => (
          <span className="break">
            {username ??
              (actor ? (
                ''
              ) : (
                <Text span inherit c="dimmed">
                  –
                </Text>
              ))}
            {actor && actor !== username && (
              <Text component="div" c="dimmed">
                by {actor}
              </Text>
            )}
          </span>
        ),
      },
      {
        title: 'IP address',
        cell: ({ address }) =>
          address ? (
            <Link to="/security-log" search={{ address }} className="break">
              {address}
            </Link>
          ) : (
            <Text span inherit c="dimmed">
              –
            </Text>
          ),
      },
      {
        title: 'Details',
        cell: (event) => (
          <Box className="break" miw={{ base: 0, sm: '11rem' }}>
            {describe(event) || (event.user_agent ? '' : '–')}
            {event.user_agent && (
              <Text component="div" size="sm" c="dimmed">
                {event.user_agent}
              </Text>
            )}
          </Box>
        ),
      },
    ]}
  />
);
