import { Text } from '@mantine/core';
import { IconMessageCircle, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { formatDay } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { Deadline } from './deadline.tsx';
import { needsConfirmation } from './opt-out.ts';
import { CASES_PER_PAGE, casesQuery } from './queries.ts';
import {
  CASE_STATUS_OPTIONS,
  CASE_STATUSES,
  type Case,
  REQUEST_TYPE_OPTIONS,
  REQUEST_TYPES,
} from './types.ts';

const route = getRouteApi('/app/requests');

export const STATUS_TONES: Record<Case['status'], Tone> = {
  received: 'info',
  in_progress: 'warn',
  on_hold: 'neutral',
  completed: 'good',
  rejected: 'neutral',
  withdrawn: 'neutral',
};

/** Whether the personal data of the requester was erased. Nothing can be done for the request then. */
export const isErased = ({ email, postal_address, phone }: Case): boolean =>
  !(email || postal_address || phone);

/** The requester's name; a request that was added by hand may have none. */
export const getName = (request: Case): string =>
  [request.first_name, request.last_name].filter(Boolean).join(' ') ||
  request.email ||
  (isErased(request) ? 'Erased' : 'No name');

/** Data subject requests, by deadline. */
export function Requests() {
  const { search, status, type, overdue, orderby, order, page = '1' } = route.useSearch();
  const filter = {
    search,
    status,
    request_type: type,
    overdue,
    orderby,
    order,
    page: Number(page),
  };
  const cases = useQuery({ ...casesQuery(filter), placeholderData: keepPreviousData });
  const isFiltered = Boolean(search || status || type || overdue);
  return (
    <Page
      title="Requests"
      intro="Data subject requests (GDPR Art. 15–21). By default, those due first come first."
      actions={
        <>
          <LinkButton to="/requests/deleted" variant="default">
            Deleted requests
          </LinkButton>
          <LinkButton to="/requests/new" leftSection={<IconPlus size={16} aria-hidden />}>
            Add request
          </LinkButton>
        </>
      }
    >
      <FilterBar name="requests">
        <SearchField label="Search by reference, name or email" value={search} />
        <SelectFilter name="status" label="Status" value={status} options={CASE_STATUS_OPTIONS} />
        <SelectFilter
          name="type"
          label="Request type"
          value={type}
          options={REQUEST_TYPE_OPTIONS}
        />
        <SelectFilter
          name="overdue"
          label="Deadline"
          value={overdue}
          options={[{ value: '1', label: 'Overdue' }]}
        />
      </FilterBar>
      <QueryResult
        query={cases}
        lines={8}
        absent={
          <EmptyState icon={IconMessageCircle} title="Requests are not available">
            This server does not support data subject requests.
          </EmptyState>
        }
      >
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconMessageCircle}
              title={isFiltered ? 'No matching requests' : 'No requests yet'}
            >
              {isFiltered
                ? 'Change or clear the filters.'
                : 'People send requests with the form at /privacy/. Requests that you receive by letter or phone can be added here.'}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Requests"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    title: 'Reference',
                    cell: ({ id, reference }) => (
                      <Link className="number" to="/requests/$id" params={{ id: String(id) }}>
                        {reference}
                      </Link>
                    ),
                  },
                  {
                    title: 'Requester',
                    cell: (each) => (
                      <>
                        {getName(each)}
                        {!each.verified_at && !isErased(each) && needsConfirmation(each) && (
                          <Text size="sm" c="dimmed">
                            Identity not confirmed
                          </Text>
                        )}
                      </>
                    ),
                  },
                  {
                    title: 'Request type',
                    cell: ({ request_type }) => REQUEST_TYPES[request_type],
                    sort: 'request_type',
                  },
                  {
                    title: 'Status',
                    cell: ({ status: slug }) => (
                      <StatusBadge tone={STATUS_TONES[slug]}>{CASE_STATUSES[slug]}</StatusBadge>
                    ),
                    sort: 'status',
                  },
                  {
                    title: 'Deadline',
                    cell: (each) => <Deadline request={each} />,
                    sort: 'deadline',
                  },
                  {
                    title: 'Received',
                    cell: ({ received_on }) => (
                      <span className="number">{formatDay(received_on)}</span>
                    ),
                    sort: 'received_on',
                  },
                  {
                    title: 'Assignee',
                    cell: ({ assignee }) =>
                      assignee ?? (
                        <Text span inherit c="dimmed">
                          Unassigned
                        </Text>
                      ),
                  },
                ]}
              />
              <TablePagination
                page={Number(page)}
                perPage={CASES_PER_PAGE}
                total={total}
                noun="request"
              />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}
