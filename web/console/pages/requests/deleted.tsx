import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { CASES_PER_PAGE, deletionsQuery } from './queries.ts';
import { CASE_STATUSES, REQUEST_TYPES } from './types.ts';

const route = getRouteApi('/app/requests/deleted');

/** The log of deleted requests. */
export function DeletedRequests() {
  const { page = '1' } = route.useSearch();
  const deletions = useQuery(deletionsQuery(Number(page)));
  return (
    <Page
      title="Deleted requests"
      intro="Log of deleted requests, without personal data. Deleted requests still count in the metrics."
      back={{ to: '/requests', label: 'Requests' }}
    >
      <QueryResult query={deletions} lines={6}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState icon={IconInbox} title="No requests were deleted">
              The log shows who deleted a request, when and why.
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Deleted requests"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  { title: 'Reference', cell: ({ reference }) => <strong>{reference}</strong> },
                  { title: 'Type', cell: ({ request_type }) => REQUEST_TYPES[request_type] },
                  { title: 'Status', cell: ({ status }) => CASE_STATUSES[status] },
                  { title: 'Received', cell: ({ received_at }) => formatMoment(received_at) },
                  { title: 'Deleted', cell: ({ deleted_at }) => formatMoment(deleted_at) },
                  { title: 'By', cell: ({ actor }) => actor },
                  {
                    title: 'Reason',
                    cell: ({ reason }) => <span className="break">{reason ?? 'Not stated'}</span>,
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
