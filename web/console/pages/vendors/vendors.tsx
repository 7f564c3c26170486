import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { list } from '../../api/client.ts';
import type { Vendor } from '../../api/types.ts';
import { CategoryBadge, StatusBadge } from '../../components/badges.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, SearchField, TablePagination } from '../../components/table.tsx';

const route = getRouteApi('/app/vendors');
const PER_PAGE = 25;
const SOURCES = { builtin: 'Built in', custom: 'Yours', extension: 'Extension' } as const;

const vendorsQuery = (search: string | undefined, page: number) =>
  queryOptions({
    queryKey: ['vendors', { search, page }],
    queryFn: () => list<Vendor>('/vendors', { search, page, per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
  });

/** The vendor library. */
export function Vendors() {
  const { search, page = '1' } = route.useSearch();
  const vendors = useQuery(vendorsQuery(search, Number(page)));
  return (
    <Page
      title="Vendors"
      intro="Who may get data of your visitors: a library that comes with Pavis, and your own."
      actions={
        <LinkButton to="/vendors/new" leftSection={<IconPlus size={16} />}>
          New vendor
        </LinkButton>
      }
    >
      <search className="filters">
        <SearchField label="Search by name" value={search} />
      </search>
      <QueryResult query={vendors} lines={12}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconBuildingStore}
              title={`No vendor is called “${search}”`}
              action={<LinkButton to="/vendors/new">Add it</LinkButton>}
            >
              The library knows the common ones; add what your site uses besides.
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Vendors"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ id, name }) => (
                      <Link to="/vendors/$id" params={{ id: String(id) }}>
                        {name}
                      </Link>
                    ),
                  },
                  { title: 'Category', cell: ({ category }) => <CategoryBadge id={category} /> },
                  { title: 'Purpose', cell: ({ purpose }) => purpose },
                  {
                    title: 'Domains',
                    cell: ({ domains }) => (
                      <span className="soft">
                        {domains.slice(0, 2).join(', ')}
                        {domains.length > 2 && ` +${domains.length - 2}`}
                      </span>
                    ),
                  },
                  {
                    title: 'Source',
                    cell: ({ source }) => (
                      <StatusBadge tone={source === 'custom' ? 'info' : 'neutral'}>
                        {SOURCES[source]}
                      </StatusBadge>
                    ),
                  },
                ]}
              />
              <TablePagination page={Number(page)} perPage={PER_PAGE} total={total} noun="vendor" />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}
