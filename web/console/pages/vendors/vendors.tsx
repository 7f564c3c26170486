import { Group, Text } from '@mantine/core';
import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { listAll } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import type { Vendor } from '../../api/types.ts';
import { CategoryBadge, StatusBadge } from '../../components/badges.tsx';
import { toCategoryOptions } from '../../components/categories.ts';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { type Column, DataTable, useSortedRows } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { lastScanQuery, summaryQuery } from '../scanner/queries.ts';

const route = getRouteApi('/app/vendors');
const PER_PAGE = 25;
const SOURCES = { builtin: 'Built in', custom: 'Custom', extension: 'Extension' } as const;

const vendorsQuery = queryOptions({
  queryKey: ['vendors', 'all'],
  queryFn: () => listAll<Vendor>('/vendors'),
});

/** Slugs of the vendors that the latest complete scan found; undefined before the first one. */
function useScannedVendors(): ReadonlySet<string> | undefined {
  const scans = useQuery(lastScanQuery);
  const last = scans.data?.last;
  const summary = useQuery({
    ...summaryQuery(String(last?.scan_id)),
    enabled: last !== undefined,
  });
  return summary.data && new Set(summary.data.vendors.map(({ slug }) => slug));
}

/** The vendor library. */
export function Vendors() {
  const { search = '', category, used, page = '1' } = route.useSearch();
  const vendors = useQuery(vendorsQuery);
  const scanned = useScannedVendors();
  const { data: settings } = useQuery(settingsQuery);
  const text = search.trim().toLowerCase();
  const isWanted = (vendor: Vendor) =>
    (!category || vendor.category === category) &&
    (used !== '1' || scanned?.has(vendor.slug)) &&
    (vendor.name.toLowerCase().includes(text) || vendor.slug.includes(text));
  return (
    <Page
      title="Vendors"
      intro="Third parties that may receive visitor data: the built-in library and your own entries."
      actions={
        <LinkButton to="/vendors/new" leftSection={<IconPlus size={16} aria-hidden />}>
          New vendor
        </LinkButton>
      }
    >
      <FilterBar name="vendors">
        <SearchField label="Search by name" value={search} />
        <SelectFilter
          name="category"
          label="Category"
          value={category}
          options={toCategoryOptions(
            settings?.consent.categories,
            (vendors.data ?? []).map((vendor) => vendor.category),
          )}
        />
        {scanned && (
          <SelectFilter
            name="used"
            label="Used on your site"
            value={used}
            options={[{ value: '1', label: 'Found by the latest scan' }]}
          />
        )}
      </FilterBar>
      <QueryResult query={vendors} lines={12}>
        {(all) => (
          <VendorTable vendors={all.filter(isWanted)} scanned={scanned} page={Number(page)} />
        )}
      </QueryResult>
    </Page>
  );
}

function VendorTable({
  vendors,
  scanned,
  page,
}: {
  vendors: readonly Vendor[];
  scanned: ReadonlySet<string> | undefined;
  page: number;
}) {
  const columns: Column<Vendor>[] = [
    {
      title: 'Name',
      cell: ({ id, name }) => (
        <Link to="/vendors/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      ),
      sort: ({ name }) => name,
    },
    {
      title: 'Category',
      cell: ({ category }) => <CategoryBadge id={category} />,
      sort: ({ category }) => category,
    },
    { title: 'Purpose', cell: ({ purpose }) => purpose },
    {
      title: 'Domains',
      cell: ({ domains }) => (
        <Text span inherit c="dimmed" style={{ overflowWrap: 'break-word' }}>
          {domains.slice(0, 2).join(', ')}
          {domains.length > 2 && ` +${domains.length - 2}`}
        </Text>
      ),
    },
    {
      title: 'Source',
      sort: ({ source }) => source,
      cell: ({ source, slug }) => (
        <Group gap={5}>
          <StatusBadge tone={source === 'custom' ? 'info' : 'neutral'}>
            {SOURCES[source]}
          </StatusBadge>
          {scanned?.has(slug) && <StatusBadge tone="good">On your site</StatusBadge>}
        </Group>
      ),
    },
  ];
  const { rows } = useSortedRows(columns, vendors);
  if (vendors.length === 0) {
    return (
      <EmptyState
        icon={IconBuildingStore}
        title="No matching vendors"
        action={<LinkButton to="/vendors/new">Add a vendor</LinkButton>}
      >
        Change or clear the filters, or add the vendor yourself.
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        label="Vendors"
        rows={rows.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        getKey={({ id }) => id}
        columns={columns}
      />
      <TablePagination page={page} perPage={PER_PAGE} total={vendors.length} noun="vendor" />
    </>
  );
}
