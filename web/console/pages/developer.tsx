import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { get } from '../api/client.ts';
import type { ExtensionListing, Hook } from '../api/types.ts';
import { StatusBadge } from '../components/badges.tsx';
import { FilterBar, SearchField, SelectFilter } from '../components/filters.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState, QueryResult } from '../components/states.tsx';
import { DataTable } from '../components/table.tsx';

const route = getRouteApi('/app/developer');

/** Hooks, and what extensions have registered. */
export function Developer() {
  const { type, search } = route.useSearch();
  const hooks = useQuery({
    queryKey: ['hooks'],
    queryFn: () => get<Hook[]>('/developer/hooks'),
  });
  const extensions = useQuery({
    queryKey: ['extensions'],
    queryFn: () => get<ExtensionListing>('/developer/extensions'),
  });
  const text = search?.toLowerCase() ?? '';
  return (
    <Page
      title="Developer"
      intro={
        <>
          Hooks for modules, and what extensions have registered. All routes are in the{' '}
          <a href="/docs">API documentation</a>.
        </>
      }
    >
      <Stack>
        <section>
          <Title order={2}>Extensions</Title>
          <QueryResult query={extensions} lines={3}>
            {(listing) => <Extensions listing={listing} />}
          </QueryResult>
        </section>
        <section>
          <Title order={2}>Hooks</Title>
          <FilterBar>
            <SearchField label="Search hooks" value={search} />
            <SelectFilter
              name="type"
              label="Kind"
              value={type}
              options={[
                { value: 'action', label: 'Actions' },
                { value: 'filter', label: 'Filters' },
              ]}
            />
          </FilterBar>
          <QueryResult query={hooks} lines={8}>
            {(all) => (
              <Hooks
                hooks={all.filter(
                  (hook) =>
                    (!type || hook.type === type) &&
                    `${hook.name} ${hook.description}`.toLowerCase().includes(text),
                )}
              />
            )}
          </QueryResult>
        </section>
      </Stack>
    </Page>
  );
}

function Hooks({ hooks }: { hooks: readonly Hook[] }) {
  if (hooks.length === 0) {
    return (
      <EmptyState icon={IconWebhook} title="No hooks found">
        No hook matches these filters.
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Hooks"
      rows={hooks}
      getKey={({ name }) => name}
      columns={[
        {
          title: 'Name',
          sort: ({ name }) => name,
          cell: ({ name }) => <code className="number">{name}</code>,
        },
        {
          title: 'Kind',
          cell: ({ type: kind }) => (
            <StatusBadge tone={kind === 'filter' ? 'info' : 'neutral'}>{kind}</StatusBadge>
          ),
        },
        { title: 'Description', cell: ({ description }) => description },
        {
          title: 'Parameters',
          cell: ({ parameters }) =>
            parameters.map(({ name, type: kind, description }) => (
              <div key={name}>
                <code>{name}</code>{' '}
                <Text span inherit c="dimmed">
                  {kind}
                </Text>{' '}
                {description}
              </div>
            )),
        },
        { title: 'Since', cell: ({ since }) => since },
      ]}
    />
  );
}

function Extensions({ listing }: { listing: ExtensionListing }) {
  const { extensions, problems } = listing;
  const items = [
    ...extensions.dsar_sources.map(({ id, label }) => ({ kind: 'Data source', id, label })),
    ...extensions.consent_scripts.map(({ handle, label }) => ({
      kind: 'Script',
      id: handle,
      label,
    })),
    ...extensions.vendors.map(({ slug, name }) => ({ kind: 'Vendor', id: slug, label: name })),
  ];
  return (
    <>
      {problems.map(({ extension, message }) => (
        <Alert color="red" role="alert" key={extension + message}>
          {extension}: {message}
        </Alert>
      ))}
      {items.length === 0 ? (
        <EmptyState icon={IconWebhook} title="No extensions">
          Set PAVIS_EXTENSIONS to load modules that add data sources, scripts and vendors.
        </EmptyState>
      ) : (
        <DataTable
          label="Extensions"
          rows={items}
          getKey={({ kind, id }) => `${kind} ${id}`}
          columns={[
            { title: 'Label', cell: ({ label }) => <strong>{label}</strong> },
            { title: 'Kind', cell: ({ kind }) => kind },
            { title: 'Id', cell: ({ id }) => <code>{id}</code> },
          ]}
        />
      )}
    </>
  );
}
