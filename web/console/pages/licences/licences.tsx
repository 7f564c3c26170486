import { Button, Text } from '@mantine/core';
import { IconDownload, IconLicense, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { getDownloadUrl } from '../../api/downloads.ts';
import { isMissingRoute } from '../../api/queries.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { formatCount, formatNumber, formatUtcDay, toLabel } from '../../components/format.ts';
import { withoutKey } from '../../components/licence-key.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page, TextLink } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { productsQuery } from '../products/queries.ts';
import { NoLicences } from './no-licences.tsx';
import {
  ADMIN_PATH,
  DELETED_CUSTOMER,
  LICENCES_PER_PAGE,
  type Licence,
  licencesQuery,
  NEVER,
  renewalsQuery,
  STATUS_TONES,
  STATUSES,
} from './queries.ts';

const route = getRouteApi('/app/licences');

const choices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: toLabel(value) }));

/** All licences, with search and filters. */
export function Licences() {
  const { search, status, product, tier, mode, expires_within, page = '1' } = route.useSearch();
  const renewals = useQuery(renewalsQuery);
  const licences = useQuery(
    licencesQuery({ search, status, product, tier, mode, expires_within, page: Number(page) }),
  );
  const isFiltered = Boolean(search || status || product || tier || mode || expires_within);
  const { data: products = [] } = useQuery(productsQuery);
  const hasSeveral = products.length > 1;
  const shown = products.filter(({ slug }) => !product || slug === product);
  const tiers = new Map(
    shown.flatMap(({ plans }) => plans.map((plan) => [plan.tier, plan.label] as const)),
  );
  const hasDesk = !isMissingRoute(licences.error);
  return (
    <Page
      title="Licences"
      intro="Licences issued here, on the command line, by a purchase, a trial or an import."
      actions={
        hasDesk && (
          <>
            <Button
              component="a"
              variant="default"
              href={getDownloadUrl(`${ADMIN_PATH}/export`, {
                search,
                status,
                product,
                tier,
                mode,
                expires_within,
              })}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              CSV
            </Button>
            <LinkButton variant="default" to="/licences/api-tokens">
              API tokens
            </LinkButton>
            <LinkButton variant="default" to="/licences/import">
              Import
            </LinkButton>
            <LinkButton variant="default" to="/licences/bulk">
              Issue in bulk
            </LinkButton>
            <LinkButton to="/licences/new" leftSection={<IconPlus size={16} aria-hidden />}>
              Issue a licence
            </LinkButton>
          </>
        )
      }
    >
      {hasDesk && renewals.data && (
        <Text mb="md">
          The paid period of{' '}
          <TextLink
            to="/licences"
            search={{ status: 'active', expires_within: '30', mode: 'live' }}
          >
            {formatCount(renewals.data.expiring + renewals.data.renewing, 'live licence')}
          </TextLink>{' '}
          ends within {renewals.data.days} days: {formatNumber(renewals.data.expiring)} will not
          renew automatically, and {formatNumber(renewals.data.renewing)} will renew by
          subscription. <TextLink to="/licences/statistics">View statistics</TextLink>
        </Text>
      )}
      {hasDesk && (
        <FilterBar name="licences">
          <SearchField
            label="Email, site URL, ID or part of a key"
            value={search}
            tidy={withoutKey}
          />
          <SelectFilter name="status" label="Status" value={status} options={choices(STATUSES)} />
          {hasSeveral && (
            <SelectFilter
              name="product"
              label="Product"
              value={product}
              resets="tier"
              options={products.map(({ slug, name }) => ({ value: slug, label: name }))}
            />
          )}
          <SelectFilter
            name="tier"
            label="Tier"
            value={tier}
            options={[...tiers].map(([value, label]) => ({ value, label }))}
          />
          <SelectFilter
            name="expires_within"
            label="Paid period ends"
            value={expires_within}
            options={[
              { value: '30', label: 'Within 30 days' },
              { value: '90', label: 'Within 90 days' },
            ]}
            all="Any time"
          />
          <SelectFilter name="mode" label="Mode" value={mode} options={choices(['live', 'test'])} />
        </FilterBar>
      )}
      <QueryResult query={licences} lines={10} absent={<NoLicences />}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconLicense}
              title={isFiltered ? 'No licences found' : 'No licences yet'}
              action={!isFiltered && <LinkButton to="/licences/new">Issue a licence</LinkButton>}
            >
              {isFiltered
                ? 'No licence matches these filters. Only the start and the last four characters of a key are stored.'
                : 'Licences that you issue or sell are listed here.'}
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
                  { title: 'Key', cell: ({ key }) => <span className="mono number">{key}</span> },
                  ...(hasSeveral
                    ? [
                        {
                          title: 'Product',
                          cell: ({ product: slug }: Licence) =>
                            products.find((each) => each.slug === slug)?.name ?? slug,
                        },
                      ]
                    : []),
                  {
                    title: 'Tier',
                    cell: ({ plan, mode: kind, trial }) => (
                      <span className="number">
                        {plan} {kind === 'test' && <StatusBadge tone="info">Test</StatusBadge>}{' '}
                        {trial && <StatusBadge tone="info">Trial</StatusBadge>}
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
                    title: 'Expires',
                    cell: ({ expires_at }) =>
                      expires_at === NEVER ? 'Never' : formatUtcDay(expires_at),
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
