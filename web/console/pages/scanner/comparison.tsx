import { Card, Stack, Text, Title } from '@mantine/core';
import { IconScan } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ScanDetail } from '../../api/types.ts';
import { FilterBar, SelectFilter } from '../../components/filters.tsx';
import { formatCount, formatMoment, toLabel } from '../../components/format.ts';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { scanQuery, scansQuery } from './queries.ts';
import { VerdictBadge } from './verdicts.tsx';

const route = getRouteApi('/app/scanner/$id');
type ScanComparison = NonNullable<ScanDetail['comparison']>;
type ComparedResource = ScanComparison['new'][number];
type ChangedResource = ScanComparison['changed'][number];

/** Resources that were added or removed since another scan. */
export function Comparison({ scan }: { scan: ScanDetail }) {
  const search = route.useSearch();
  const scans = useQuery(scansQuery());
  const others =
    scans.data?.items.filter(
      ({ scan_id, site_url, status, pages }) =>
        scan_id !== scan.scan_id &&
        site_url === scan.site_url &&
        // Of what a scan did not visit, everything would seem added or removed.
        status === 'completed' &&
        pages > 0,
    ) ?? [];
  const other =
    search.with ?? String(others.find(({ scan_id }) => scan_id < scan.scan_id)?.scan_id ?? '');
  const compared = useQuery({
    ...scanQuery(String(scan.scan_id), other),
    enabled: other !== '',
    placeholderData: keepPreviousData,
  });
  if (scans.data && others.length === 0) {
    return (
      <EmptyState icon={IconScan} title="No other scan to compare with">
        After the next scan, you see here what was added and removed.
      </EmptyState>
    );
  }
  return (
    <Stack>
      <FilterBar mb={0}>
        <SelectFilter
          name="with"
          label="Compare with"
          value={other}
          all="Select a scan"
          options={others.map(({ scan_id, started_at }) => ({
            value: String(scan_id),
            label: formatMoment(started_at),
          }))}
        />
      </FilterBar>
      {other !== '' && (
        <QueryResult query={compared}>
          {({ comparison }) => (
            <Stack>
              <Resources title="Added" resources={comparison?.new ?? []} />
              <Resources title="Removed" resources={comparison?.gone ?? []} />
              <ChangedVerdicts resources={comparison?.changed ?? []} />
              <Text c="dimmed">{formatCount(comparison?.same ?? 0, 'resource')} unchanged.</Text>
            </Stack>
          )}
        </QueryResult>
      )}
    </Stack>
  );
}

function ChangedVerdicts({ resources }: { resources: readonly ChangedResource[] }) {
  if (resources.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Verdict changed ({resources.length})
      </Title>
      <DataTable
        label="Verdict changed"
        rows={resources}
        getKey={({ resource_type, url, name }) => `${resource_type} ${url} ${name}`}
        columns={[
          { title: 'Resource', cell: (resource) => <ResourceName resource={resource} /> },
          { title: 'Before', cell: ({ before }) => <VerdictBadge verdict={before} /> },
          { title: 'Now', cell: ({ after }) => <VerdictBadge verdict={after} /> },
        ]}
      />
    </section>
  );
}

const ResourceName = ({ resource: { name, host, url } }: { resource: ComparedResource }) => (
  <>
    <strong>{name || host}</strong>
    <Text size="xs" c="dimmed" className="break">
      {url}
    </Text>
  </>
);

function Resources({
  title,
  resources,
}: {
  title: string;
  resources: readonly ComparedResource[];
}) {
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {title} ({resources.length})
      </Title>
      {resources.length === 0 ? (
        <Card withBorder c="dimmed">
          None
        </Card>
      ) : (
        <DataTable
          label={title}
          rows={resources}
          getKey={({ resource_type, url, name }) => `${resource_type} ${url} ${name}`}
          columns={[
            { title: 'Resource', cell: (resource) => <ResourceName resource={resource} /> },
            { title: 'Type', cell: ({ resource_type }) => toLabel(resource_type) },
            { title: 'Domain', cell: ({ host }) => host },
            { title: 'Pages', align: 'end', cell: ({ pages }) => pages },
          ]}
        />
      )}
    </section>
  );
}
