import { Button } from '@mantine/core';
import { IconDownload, IconLicense, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { getDownloadUrl } from '../../api/client.ts';
import { isMissingRoute } from '../../api/queries.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { formatDay, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, SearchField, SelectFilter, TablePagination } from '../../components/table.tsx';
import { NoDesk } from './no-desk.tsx';
import {
  DELETED_CUSTOMER,
  DESK,
  LICENCES_PER_PAGE,
  licencesQuery,
  NEVER,
  STATUS_TONES,
  STATUSES,
  TIERS,
} from './queries.ts';

const route = getRouteApi('/inside/licences');

/** A whole key is a secret and does not stand in an address: what is shown of it finds it as well. */
const withoutKey = (text: string) =>
  text.replace(/^\s*(pv_(?:live|test)_\w{4})[A-Za-z0-9]{24}(\w{4})\s*$/, '$1…$2');

const choices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: toLabel(value) }));

/** Every licence that was issued, for whoever answers when customers ask. */
export function Licences() {
  const { search, status, tier, mode, page = '1' } = route.useSearch();
  const licences = useQuery(licencesQuery({ search, status, tier, mode, page: Number(page) }));
  const isFiltered = Boolean(search || status || tier || mode);
  const hasDesk = !isMissingRoute(licences.error);
  return (
    <Page
      title="Licences"
      intro="What your customers have: issued here, on the command line, or by a payment."
      actions={
        hasDesk && (
          <>
            <Button
              component="a"
              variant="default"
              href={getDownloadUrl(`${DESK}/export`, { search, status, tier, mode })}
              leftSection={<IconDownload size={16} />}
            >
              CSV
            </Button>
            <LinkButton variant="default" to="/licences/bulk">
              Issue in bulk
            </LinkButton>
            <LinkButton to="/licences/new" leftSection={<IconPlus size={16} />}>
              Issue a licence
            </LinkButton>
          </>
        )
      }
    >
      <search className="filters" hidden={!hasDesk}>
        <SearchField
          label="Search by address, site URL, id, or start or end of a key"
          value={search}
          tidy={withoutKey}
        />
        <SelectFilter name="status" label="Status" value={status} options={choices(STATUSES)} />
        <SelectFilter name="tier" label="Tier" value={tier} options={choices(TIERS)} />
        <SelectFilter name="mode" label="Mode" value={mode} options={choices(['live', 'test'])} />
      </search>
      <QueryResult query={licences} lines={10} absent={<NoDesk />}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconLicense}
              title={isFiltered ? 'No such licence' : 'No licence yet'}
              action={!isFiltered && <LinkButton to="/licences/new">Issue the first</LinkButton>}
            >
              {isFiltered
                ? 'Nothing fits these filters. Of a key only its start and its last four characters are kept.'
                : 'Each licence that you issue or sell is listed here.'}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Licences"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    title: 'Customer',
                    cell: ({ id, email }) => (
                      <Link to="/licences/$id" params={{ id }} className="break">
                        {email ?? DELETED_CUSTOMER}
                      </Link>
                    ),
                  },
                  { title: 'Key', cell: ({ key }) => <span className="mono nowrap">{key}</span> },
                  {
                    title: 'Tier',
                    cell: ({ tier: name, mode: kind }) => (
                      <span className="nowrap">
                        {toLabel(name)}{' '}
                        {kind === 'test' && <StatusBadge tone="info">Test</StatusBadge>}
                      </span>
                    ),
                  },
                  {
                    title: 'Status',
                    cell: ({ status: slug }) => (
                      <StatusBadge tone={STATUS_TONES[slug]}>{toLabel(slug)}</StatusBadge>
                    ),
                  },
                  {
                    title: 'Sites',
                    cell: ({ sites_used, sites_allowed }) => (
                      <span className="number">
                        {sites_used} of {sites_allowed}
                      </span>
                    ),
                  },
                  {
                    title: 'Ends',
                    cell: ({ expires_at }) =>
                      expires_at === NEVER ? 'Never' : formatDay(expires_at),
                  },
                ]}
              />
              <TablePagination
                page={Number(page)}
                perPage={LICENCES_PER_PAGE}
                total={total}
                noun="licence"
              />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}
