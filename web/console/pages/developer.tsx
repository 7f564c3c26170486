import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { get } from '../api/client.ts';
import type { ExtensionListing, Hook } from '../api/types.ts';
import { StatusBadge } from '../components/badges.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState, QueryResult } from '../components/states.tsx';
import { DataTable, SearchField, SelectFilter } from '../components/table.tsx';

const route = getRouteApi('/inside/developer');

/** What can be built on Pavis, and what was. */
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
          Hooks that modules can listen to and what extensions have registered. Every route is
          described in the <a href="/docs">API documentation</a>.
        </>
      }
    >
      <div className="stack">
        <section className="section">
          <h2>Extensions</h2>
          <QueryResult query={extensions} lines={3}>
            {(listing) => <Extensions listing={listing} />}
          </QueryResult>
        </section>
        <section className="section">
          <h2>Hooks</h2>
          <search className="filters">
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
          </search>
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
      </div>
    </Page>
  );
}

function Hooks({ hooks }: { hooks: readonly Hook[] }) {
  if (hooks.length === 0) {
    return (
      <EmptyState icon={IconWebhook} title="No such hook">
        Nothing fits these filters.
      </EmptyState>
    );
  }
  return (
    <DataTable
      label="Hooks"
      rows={hooks}
      getKey={({ name }) => name}
      columns={[
        { title: 'Name', cell: ({ name }) => <code className="nowrap">{name}</code> },
        {
          title: 'Kind',
          cell: ({ type: kind }) => (
            <StatusBadge tone={kind === 'filter' ? 'info' : 'neutral'}>{kind}</StatusBadge>
          ),
        },
        { title: 'What it is for', cell: ({ description }) => description },
        {
          title: 'Parameters',
          cell: ({ parameters }) =>
            parameters.map(({ name, type: kind, description }) => (
              <div key={name} className="small">
                <code>{name}</code> <span className="soft">{kind}</span> {description}
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
        <p className="form-error" role="alert" key={extension + message}>
          {extension}: {message}
        </p>
      ))}
      {items.length === 0 ? (
        <EmptyState icon={IconWebhook} title="No extension has registered anything">
          Name modules in PAVIS_EXTENSIONS; they can add data sources, scripts and vendors.
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
