import { Switch, Text } from '@mantine/core';
import { IconCode, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import type { Script } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { CategoryBadge, StatusBadge } from '../../components/badges.tsx';
import { toCategoryOptions } from '../../components/categories.ts';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { useChange } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { lastScanQuery } from '../scanner/queries.ts';
import { METHODS } from './methods.ts';
import { registryQuery, SCRIPTS_PER_PAGE, scriptsQuery } from './queries.ts';

const route = getRouteApi('/app/scripts');

/** The script registry. */
export function Scripts() {
  const { search, category, active, page = '1' } = route.useSearch();
  const filter = { search, category, is_active: active };
  const scripts = useQuery(scriptsQuery(filter, Number(page)));
  const registry = useQuery(registryQuery);
  const settings = useQuery(settingsQuery);
  const canManage = useCan('manage_options');
  const switching = useChange({
    change: ({ id, is_active }: Script) =>
      write('PUT', `/scripts/${id}`, { is_active: is_active ? 0 : 1 }),
    stale: [['scripts']],
  });
  return (
    <Page
      title="Scripts"
      intro="Scripts that are blocked until the visitor accepts their consent category."
      actions={
        <LinkButton to="/scripts/new" leftSection={<IconPlus size={16} aria-hidden />}>
          New script
        </LinkButton>
      }
    >
      <FilterBar name="scripts">
        <SearchField label="Search by name" value={search} />
        <SelectFilter
          name="category"
          label="Category"
          value={category}
          options={toCategoryOptions(
            settings.data?.consent.categories,
            (registry.data ?? []).map((script) => script.category),
          )}
        />
        <SelectFilter
          name="active"
          label="Status"
          value={active}
          options={[
            { value: '1', label: 'Active' },
            { value: '0', label: 'Inactive' },
          ]}
        />
      </FilterBar>
      <QueryResult query={scripts} lines={8}>
        {({ items, total }) =>
          total === 0 ? (
            <NoScript isFiltered={Boolean(search || category || active)} />
          ) : (
            <>
              <DataTable
                label="Scripts"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    title: 'Label',
                    cell: ({ id, label, handle }) => (
                      <>
                        <Link to="/scripts/$id" params={{ id: String(id) }}>
                          {label}
                        </Link>
                        <Text size="sm" c="dimmed" className="mono">
                          {handle}
                        </Text>
                      </>
                    ),
                  },
                  {
                    title: 'Consent category',
                    cell: ({ category: id }) => <CategoryBadge id={id} />,
                  },
                  {
                    title: 'URL',
                    cell: ({ script_url }) => (
                      <Text span size="sm" className="break">
                        {script_url}
                      </Text>
                    ),
                  },
                  {
                    title: 'Blocking method',
                    cell: ({ blocking_method }) => METHODS[blocking_method][0],
                  },
                  {
                    title: 'Active',
                    cell: (script) =>
                      script.source === 'extension' ? (
                        <StatusBadge>Extension</StatusBadge>
                      ) : (
                        <Switch
                          disabled={!canManage}
                          aria-label={`${script.label} is active`}
                          checked={script.is_active === 1}
                          onChange={() => switching.mutate(script)}
                        />
                      ),
                  },
                ]}
              />
              <TablePagination
                page={Number(page)}
                perPage={SCRIPTS_PER_PAGE}
                total={total}
                noun="script"
              />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

function NoScript({ isFiltered }: { isFiltered: boolean }) {
  const scans = useQuery(lastScanQuery);
  const last = scans.data?.last;
  if (isFiltered) {
    return (
      <EmptyState icon={IconCode} title="No matching scripts">
        Change or clear the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconCode}
      title="No scripts yet"
      action={
        last ? (
          <LinkButton
            to="/scanner/$id"
            params={{ id: String(last.scan_id) }}
            search={{ view: 'findings', only: 'before' }}
          >
            Review what loads before consent
          </LinkButton>
        ) : (
          <LinkButton to="/scanner">Scan the site</LinkButton>
        )
      }
    >
      A scan shows which scripts load before consent. You can block each of them from its results.
    </EmptyState>
  );
}
