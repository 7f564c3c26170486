import { IconInbox, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { formatDay, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, SearchField, SelectFilter, TablePagination } from '../../components/table.tsx';
import { CASES_PER_PAGE, casesQuery } from './queries.ts';
import { CASE_STATUSES, type Case, REQUEST_TYPES } from './types.ts';

const route = getRouteApi('/app/requests');

export const STATUS_TONES: Record<Case['status'], Tone> = {
  received: 'info',
  in_progress: 'warn',
  on_hold: 'neutral',
  completed: 'good',
  rejected: 'neutral',
  withdrawn: 'neutral',
};

/** Whether a request no longer says who sent it. Nothing can be done for it then. */
export const isErased = ({ email, postal_address, phone }: Case): boolean =>
  !(email || postal_address || phone);

/** A request that was entered by hand may have no name. */
export const nameOf = (request: Case): string =>
  [request.first_name, request.last_name].filter(Boolean).join(' ') ||
  request.email ||
  (isErased(request) ? 'Erased' : 'No name');

/** What people ask about their data, by the deadline of the answer. */
export function Requests() {
  const { search, status, type, overdue, page = '1' } = route.useSearch();
  const filter = { search, status, request_type: type, overdue, page: Number(page) };
  const cases = useQuery({ ...casesQuery(filter), placeholderData: keepPreviousData });
  const isFiltered = Boolean(search || status || type || overdue);
  return (
    <Page
      title="Requests"
      intro="What people ask about their data (GDPR Art. 15–21); what is due first comes first."
      actions={
        <>
          <LinkButton to="/requests/deleted" variant="default">
            Deleted requests
          </LinkButton>
          <LinkButton to="/requests/new" leftSection={<IconPlus size={16} />}>
            Add request
          </LinkButton>
        </>
      }
    >
      <search className="filters">
        <SearchField label="Search by reference, name or address" value={search} />
        <SelectFilter
          name="status"
          label="Status"
          value={status}
          options={CASE_STATUSES.map((value) => ({ value, label: toLabel(value) }))}
        />
        <SelectFilter
          name="type"
          label="Asked for"
          value={type}
          options={REQUEST_TYPES.map((value) => ({ value, label: toLabel(value) }))}
        />
        <SelectFilter
          name="overdue"
          label="Deadline"
          value={overdue}
          options={[{ value: '1', label: 'Past' }]}
        />
      </search>
      <QueryResult
        query={cases}
        lines={8}
        absent={
          <EmptyState icon={IconInbox} title="This server takes no requests">
            Its version has no part for requests of data subjects.
          </EmptyState>
        }
      >
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconInbox}
              title={isFiltered ? 'No such request' : 'Nobody has asked yet'}
            >
              {isFiltered
                ? 'Nothing fits these filters.'
                : 'People ask with the form at /privacy/; each request then waits here, with its deadline.'}
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
                      <Link className="nowrap" to="/requests/$id" params={{ id: String(id) }}>
                        {reference}
                      </Link>
                    ),
                  },
                  { title: 'From', cell: (each) => nameOf(each) },
                  { title: 'Asked for', cell: ({ request_type }) => toLabel(request_type) },
                  {
                    title: 'Status',
                    cell: ({ status: slug }) => (
                      <StatusBadge tone={STATUS_TONES[slug]}>{toLabel(slug)}</StatusBadge>
                    ),
                  },
                  {
                    title: 'Deadline',
                    cell: ({ deadline, overdue: isLate, completed }) => (
                      <>
                        {formatDay(deadline)}{' '}
                        {isLate && !completed && <StatusBadge tone="bad">Past</StatusBadge>}
                      </>
                    ),
                  },
                  {
                    title: 'Identity',
                    cell: ({ verified_at }) =>
                      verified_at ? (
                        <StatusBadge tone="good">Confirmed</StatusBadge>
                      ) : (
                        <StatusBadge>Not confirmed</StatusBadge>
                      ),
                  },
                  { title: 'Assignee', cell: ({ assignee }) => assignee ?? '–' },
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
