import { Button, Text } from '@mantine/core';
import { IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { list, type Query } from '../../api/client.ts';
import { getDownloadUrl } from '../../api/downloads.ts';
import type { ConsentRecord } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { CHOICES, StatusBadge } from '../../components/badges.tsx';
import { DateFilter, FilterBar, SearchField, SelectFilter } from '../../components/filters.tsx';
import { formatDay, formatMoment } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { ShownBanner } from './banner-pictures.tsx';
import { getLanguageName } from './banner-texts.ts';
import { CategoryIcons, CategoryLegend } from './category-icons.tsx';
import { RecordProof } from './record-proof.tsx';
import { ChosenVendors } from './vendor-choices.tsx';
import { CopiedStatus, useCopiedVisitor, Visitor } from './visitor.tsx';

const route = getRouteApi('/app/consent');
const PER_PAGE = 50;

const listCategories = (records: readonly ConsentRecord[]): string[] => [
  ...new Set(
    records.flatMap(({ categories_accepted, categories_rejected }) => [
      ...categories_accepted,
      ...categories_rejected,
    ]),
  ),
];

const recordsQuery = (filter: Query, page: number) =>
  queryOptions({
    queryKey: ['consent', 'records', filter, page],
    queryFn: () => list<ConsentRecord>('/consent/records', { ...filter, page, per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
  });

/** The consent records of visitors: the proof of consent. */
export function Records() {
  const { search, action, from, to, page = '1' } = route.useSearch();
  const change = useUrlState();
  const filter = { search, consent_action: action, date_from: from, date_to: to };
  const records = useQuery(recordsQuery(filter, Number(page)));
  const copied = useCopiedVisitor();
  const isFiltered = Boolean(search || action || from || to);
  return (
    <Page
      title="Consent records"
      intro="Proof of consent (GDPR Art. 7): each choice with its time and banner version."
      actions={
        <>
          <LinkButton variant="default" to="/consent/figures">
            View statistics
          </LinkButton>
          <Allowed>
            {(['csv', 'json'] as const).map((format) => (
              <Button
                key={format}
                component="a"
                variant="default"
                href={getDownloadUrl('/consent/records/export', { ...filter, format })}
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                {format.toUpperCase()}
              </Button>
            ))}
          </Allowed>
        </>
      }
    >
      <FilterBar name="consent-records">
        <SearchField label="Visitor ID (starts with)" value={search} tidy={(text) => text.trim()} />
        <SelectFilter
          name="action"
          label="Choice"
          value={action}
          options={Object.entries(CHOICES).map(([value, { label }]) => ({ value, label }))}
        />
        <DateFilter name="from" label="From" value={from} />
        <DateFilter name="to" label="To" value={to} />
      </FilterBar>
      <QueryResult query={records} lines={12}>
        {({ items, total }) =>
          total === 0 ? (
            <EmptyState
              icon={IconShieldCheck}
              title={isFiltered ? 'No matching records' : 'No consent records yet'}
              action={
                isFiltered ? (
                  <Button
                    variant="default"
                    onClick={() =>
                      change({
                        search: undefined,
                        action: undefined,
                        from: undefined,
                        to: undefined,
                      })
                    }
                  >
                    Clear filters
                  </Button>
                ) : (
                  <LinkButton to="/banner">Set up the banner</LinkButton>
                )
              }
            >
              {isFiltered
                ? 'Change or clear the filters.'
                : 'Add the banner to your site. Each choice of a visitor is recorded here.'}
            </EmptyState>
          ) : (
            <>
              <CopiedStatus copied={copied} />
              <CategoryLegend ids={listCategories(items)} />
              <DataTable
                label="Consent records"
                rows={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    title: 'Visitor',
                    cell: ({ visitor_id }) => <Visitor id={visitor_id} copied={copied} />,
                  },
                  {
                    title: 'Time',
                    cell: ({ created_at, day, anonymised }) =>
                      anonymised ? (
                        <>
                          <span className="number">{formatDay(day)}</span>{' '}
                          <Text span c="dimmed">
                            Time removed
                          </Text>
                        </>
                      ) : (
                        <span className="number">{formatMoment(created_at)}</span>
                      ),
                  },
                  {
                    title: 'Choice',
                    cell: ({ consent_action }) => (
                      <StatusBadge tone={CHOICES[consent_action].tone}>
                        {CHOICES[consent_action].label}
                      </StatusBadge>
                    ),
                  },
                  {
                    title: 'Categories',
                    cell: (record) => (
                      <>
                        <CategoryIcons
                          accepted={record.categories_accepted}
                          rejected={record.categories_rejected}
                        />
                        <ChosenVendors
                          accepted={record.vendors_accepted}
                          rejected={record.vendors_rejected}
                        />
                      </>
                    ),
                  },
                  {
                    title: 'Banner version',
                    cell: (record) =>
                      record.config_version === null ? (
                        <Text span c="dimmed" className="number">
                          Not stated
                        </Text>
                      ) : (
                        <>
                          <Link
                            className="number"
                            to="/banner/versions"
                            search={{ version: String(record.config_version) }}
                          >
                            Version {record.config_version}
                          </Link>{' '}
                          <ShownBanner record={record} />
                        </>
                      ),
                  },
                  {
                    title: 'Language',
                    cell: ({ language, gpc }) => (
                      <>
                        {language ? getLanguageName(language) : '–'}{' '}
                        {gpc && <StatusBadge tone="info">GPC</StatusBadge>}
                      </>
                    ),
                  },
                  { title: '', align: 'end', cell: (record) => <RecordProof record={record} /> },
                ]}
              />
              <TablePagination page={Number(page)} perPage={PER_PAGE} total={total} noun="record" />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}
