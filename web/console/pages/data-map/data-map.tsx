import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlus, IconSitemap } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import { getDownloadUrl } from '../../api/downloads.ts';
import { getToday } from '../../api/site-time.ts';
import { useCan } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, formatDay, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { ViewLinks } from '../../components/view-links.tsx';
import { Completeness } from './completeness.tsx';
import { LEGAL_BASES, LEGAL_BASIS_OPTIONS } from './legal-bases.ts';
import { allEntriesQuery, ENTRIES_PER_PAGE, entriesQuery, ownProcessingQuery } from './queries.ts';
import { SankeyDiagram } from './sankey-diagram.tsx';

const route = getRouteApi('/app/data-map');

/** The record of processing activities (GDPR Art. 30), as a table and as a Sankey diagram. */
export function DataMap() {
  const { page: _, ...address } = route.useSearch();
  const { view = 'table', search, status, basis, review } = address;
  const filter = {
    search,
    status,
    legal_basis: basis,
    review_due: review && '1',
  };
  return (
    <Page
      title="Data map"
      intro="Record of processing activities (GDPR Art. 30): vendors, purposes, legal bases and data categories."
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={getDownloadUrl('/data-map/export', { format: 'csv' })}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            CSV
          </Button>
          <Button
            component="a"
            variant="default"
            target="_blank"
            href={getDownloadUrl('/data-map/export', { format: 'html' })}
          >
            Print
          </Button>
          <LinkButton to="/data-map/new" leftSection={<IconPlus size={16} aria-hidden />}>
            New entry
          </LinkButton>
        </>
      }
    >
      <OwnProcessing />
      <ViewLinks
        label="View"
        views={[
          ['table', 'Table'],
          ['picture', 'Diagram'],
        ]}
        current={view}
        keep={address}
      />
      <FilterBar name="data-map">
        <SearchField label="Search by purpose or vendor" value={search} />
        <SelectFilter
          name="basis"
          label="Legal basis"
          value={basis}
          options={LEGAL_BASIS_OPTIONS}
        />
        <SelectFilter
          name="status"
          label="Status"
          value={status}
          options={[
            { value: 'active', label: 'Active' },
            { value: 'archived', label: 'Archived' },
          ]}
        />
        <SelectFilter
          name="review"
          label="Review"
          value={review}
          options={[{ value: 'due', label: 'Due' }]}
        />
      </FilterBar>
      {view === 'picture' ? <Picture filter={filter} /> : <Entries filter={filter} />}
    </Page>
  );
}

/** Offers to add entries for the processing by Pavis itself that are missing. */
function OwnProcessing() {
  const { data: missing = 0 } = useQuery({
    ...ownProcessingQuery,
    enabled: useCan('manage_options'),
  });
  const adding = useChange({
    change: () => write('POST', '/data-map/own-processing'),
    stale: [['data-map']],
    done: 'The entries were added.',
  });
  if (missing === 0) return null;
  return (
    <Alert color="blue" mb="lg" title="Pavis is missing from your data map">
      <Stack gap="sm" align="flex-start">
        Pavis itself processes personal data that your data map does not list yet. Add{' '}
        {formatCount(missing, 'entry', 'entries')} and review them.
        <Button
          variant="default"
          loading={adding.isPending}
          onClick={() => adding.mutate(undefined)}
        >
          Add entries
        </Button>
      </Stack>
    </Alert>
  );
}

type Filter = Record<string, string | undefined>;

function NoEntries({ filter }: { filter: Filter }) {
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <EmptyState
      icon={IconSitemap}
      title={isFiltered ? 'No matching entries' : 'The data map is empty'}
      action={
        isFiltered ? undefined : (
          <Group gap="sm" justify="center">
            <LinkButton to="/scanner">Scan the site</LinkButton>
            <LinkButton variant="default" to="/data-map/new">
              Add an entry
            </LinkButton>
          </Group>
        )
      }
    >
      {isFiltered
        ? 'Change or clear the filters.'
        : 'Scan your site, then add the vendors found to the data map.'}
    </EmptyState>
  );
}

function Entries({ filter }: { filter: Filter }) {
  const { page = '1' } = route.useSearch();
  const entries = useQuery(entriesQuery(filter, Number(page)));
  const today = getToday();
  return (
    <QueryResult query={entries} lines={10}>
      {({ items, total }) =>
        total === 0 ? (
          <NoEntries filter={filter} />
        ) : (
          <>
            <DataTable
              label="Data map"
              rows={items}
              getKey={({ id }) => id}
              columns={[
                {
                  title: 'Vendor',
                  cell: ({ id, vendor_name }) => (
                    <Link to="/data-map/$id" params={{ id: String(id) }}>
                      {vendor_name}
                    </Link>
                  ),
                },
                { title: 'Purpose', cell: ({ purpose }) => purpose },
                { title: 'Legal basis', cell: ({ legal_basis }) => LEGAL_BASES[legal_basis] },
                {
                  title: 'Data categories',
                  cell: ({ data_categories }) => (
                    <Group gap={5}>
                      {data_categories.length === 0 && '–'}
                      {data_categories.slice(0, 3).map((name) => (
                        <StatusBadge key={name}>{toLabel(name)}</StatusBadge>
                      ))}
                      {data_categories.length > 3 && (
                        <Text span size="sm" c="dimmed">
                          +{data_categories.length - 3}
                        </Text>
                      )}
                    </Group>
                  ),
                },
                {
                  title: 'Retention',
                  cell: ({ retention_period }) => (
                    <span className={retention_period.length < 12 ? 'number' : undefined}>
                      {retention_period || '–'}
                    </span>
                  ),
                },
                { title: 'Art. 30', cell: (entry) => <Completeness entry={entry} /> },
                {
                  title: 'Status',
                  cell: ({ status, review_date }) => (
                    <Group gap={5}>
                      <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>
                        {toLabel(status)}
                      </StatusBadge>
                      {review_date && review_date <= today && (
                        <Text size="sm" c="var(--warn)">
                          Review due since {formatDay(review_date)}
                        </Text>
                      )}
                    </Group>
                  ),
                },
              ]}
            />
            <TablePagination
              page={Number(page)}
              perPage={ENTRIES_PER_PAGE}
              total={total}
              noun="entry"
              nouns="entries"
            />
          </>
        )
      }
    </QueryResult>
  );
}

function Picture({ filter }: { filter: Filter }) {
  const entries = useQuery(allEntriesQuery(filter));
  return (
    <QueryResult query={entries} lines={10}>
      {(all) =>
        all.length === 0 ? <NoEntries filter={filter} /> : <SankeyDiagram entries={all} />
      }
    </QueryResult>
  );
}
