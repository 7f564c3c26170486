import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { list } from '../../api/client.ts';
import type { Vendor } from '../../api/types.ts';
import { Icon } from '../../components/icons.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Pager, SearchField, Table } from '../../components/list.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Shown } from '../../components/states.tsx';
import { Category, Tag } from '../../components/tag.tsx';

const route = getRouteApi('/inside/vendors');
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
        <LinkButton to="/vendors/new" leftSection={<Icon name="plus" size={16} />}>
          New vendor
        </LinkButton>
      }
    >
      <search className="filters">
        <SearchField label="Search by name" value={search} />
      </search>
      <Shown query={vendors} lines={12}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty
              icon="vendors"
              title={`No vendor is called “${search}”`}
              action={<LinkButton to="/vendors/new">Add it</LinkButton>}
            >
              The library knows the common ones; add what your site uses besides.
            </Empty>
          ) : (
            <>
              <Table
                label="Vendors"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ id, name }) => (
                      <Link to="/vendors/$id" params={{ id: String(id) }}>
                        {name}
                      </Link>
                    ),
                  },
                  { title: 'Category', cell: ({ category }) => <Category id={category} /> },
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
                      <Tag tone={source === 'custom' ? 'info' : 'neutral'}>{SOURCES[source]}</Tag>
                    ),
                  },
                ]}
              />
              <Pager page={Number(page)} perPage={PER_PAGE} total={total} noun="vendor" />
            </>
          )
        }
      </Shown>
    </Page>
  );
}
