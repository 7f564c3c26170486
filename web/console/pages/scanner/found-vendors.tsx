import { Button, Card, Group, Stack } from '@mantine/core';
import { IconBuildingStore, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import type { BulkAddAnswer, ScanResults } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { CategoryBadge, StatusBadge } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, formatNumber } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { EmptyState } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';

/** Vendors that the scan recognised; those that the data map lacks can be added at once. */
export function FoundVendors({ results }: { results: ScanResults }) {
  const { scan_id, vendors } = results;
  const canManage = useCan('manage_options');
  const adding = useChange({
    change: (slugs: string[]) =>
      write<BulkAddAnswer>('POST', '/data-map/bulk-add', { scan_id, vendors: slugs }),
    stale: [['results'], ['data-map']],
    onDone: ({ added }) =>
      notifySuccess(`${formatCount(added.length, 'entry', 'entries')} added to the data map.`),
  });
  const missing = vendors.filter(({ in_data_map }) => !in_data_map).map(({ slug }) => slug);
  if (vendors.length === 0) {
    return (
      <EmptyState icon={IconBuildingStore} title="No vendors found">
        The scanned pages load nothing from a vendor that Pavis recognises.
      </EmptyState>
    );
  }
  return (
    <Stack>
      {missing.length > 0 && canManage && (
        <Card withBorder padding="md">
          <Group justify="space-between">
            <span>
              <strong>{formatCount(missing.length, 'vendor')}</strong> not in the data map yet.
            </span>
            <Button loading={adding.isPending} onClick={() => adding.mutate(missing)}>
              {missing.length === 1 ? 'Add to the data map' : 'Add all to the data map'}
            </Button>
          </Group>
        </Card>
      )}
      <DataTable
        label="Vendors found"
        rows={vendors}
        getKey={({ slug }) => slug}
        columns={[
          {
            title: 'Vendor',
            cell: ({ vendor_id, name }) => (
              <Link to="/vendors/$id" params={{ id: String(vendor_id) }}>
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
            title: 'Findings',
            align: 'end',
            cell: ({ slug, resources }) => (
              <Link
                to="/scanner/$id"
                params={{ id: String(scan_id) }}
                search={{ view: 'findings', vendor: slug }}
              >
                {formatNumber(resources.total)}
              </Link>
            ),
            sort: ({ resources }) => resources.total,
          },
          {
            title: 'Pages',
            align: 'end',
            cell: ({ pages }) => pages,
            sort: ({ pages }) => pages,
          },
          {
            title: 'Before consent',
            align: 'end',
            cell: ({ resources }) => <Violations count={resources.before_consent} />,
            sort: ({ resources }) => resources.before_consent,
          },
          {
            title: 'Data map',
            cell: ({ slug, name, in_data_map }) =>
              in_data_map ? (
                <StatusBadge tone="good">In data map</StatusBadge>
              ) : !canManage ? (
                'Missing'
              ) : (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Add ${name} to the data map`}
                  disabled={adding.isPending}
                  onClick={() => adding.mutate([slug])}
                >
                  Add
                </Button>
              ),
          },
        ]}
      />
    </Stack>
  );
}

/** Domains that belong to no vendor. */
export function UnrecognisedDomains({ results }: { results: ScanResults }) {
  const { scan_id, unknown_hosts } = results;
  if (unknown_hosts.length === 0) {
    return (
      <EmptyState icon={IconCircleCheck} title="No unrecognised domains">
        Every third-party domain that the pages contact belongs to a vendor.
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Unrecognised domains"
      rows={unknown_hosts}
      getKey={({ host }) => host}
      columns={[
        { title: 'Domain', cell: ({ host }) => <strong>{host}</strong> },
        { title: 'Findings', align: 'end', cell: ({ resources }) => formatNumber(resources.total) },
        {
          title: 'Before consent',
          align: 'end',
          cell: ({ resources }) => <Violations count={resources.before_consent} />,
          sort: ({ resources }) => resources.before_consent,
        },
        {
          title: '',
          align: 'end',
          cell: ({ host }) => (
            <LinkButton
              size="compact-sm"
              variant="default"
              to="/vendors/new"
              search={{ domain: host, scan: String(scan_id) }}
              aria-label={`Assign vendor: ${host}`}
            >
              Assign vendor
            </LinkButton>
          ),
        },
      ]}
    />
  );
}

/** How many findings should not be there. */
export function Violations({ count }: { count: number }) {
  return count > 0 ? <StatusBadge tone="bad">{count}</StatusBadge> : 0;
}
