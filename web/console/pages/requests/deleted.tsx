import { IconInbox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { formatMoment, toLabel } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, TablePagination } from '../../components/table.tsx';
import { CASES_PER_PAGE, deletionsQuery } from './queries.ts';

const route = getRouteApi('/app/requests/deleted');

/** Which requests were deleted, by whom and why. */
export function DeletedRequests() {
  const { page = '1' } = route.useSearch();
  const deletions = useQuery(deletionsQuery(Number(page)));
  return (
    <Page
      title="Deleted requests"
      intro="Requests that were deleted, with nothing about the person. They still count in the metrics."
      back={{ to: '/requests', label: 'Requests' }}
    >
      <QueryResult query={deletions} lines={6}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState icon={IconInbox} title="No requests were deleted">
              When a request is deleted, who did it, when and why is listed here.
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Deleted requests"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  { title: 'Reference', cell: ({ reference }) => <strong>{reference}</strong> },
                  { title: 'Type', cell: ({ request_type }) => toLabel(request_type) },
                  { title: 'Status', cell: ({ status }) => toLabel(status) },
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
