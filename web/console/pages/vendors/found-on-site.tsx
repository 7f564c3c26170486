import { Card, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Vendor } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, formatDay } from '../../components/format.ts';
import { TextLink } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { allResourcesQuery, lastScanQuery, type Resource } from '../scanner/queries.ts';

/** The fields of `details` that cookies have. */
type CookieDetails = Partial<Record<'pattern' | 'duration', string>>;

const toCookie = ({ id, name, details, pages, consent_state }: Resource) => {
  const { pattern = name, duration = '–' } = details as CookieDetails;
  return { id, pattern, duration, pages, isEarly: consent_state === 'before' };
};

/** The cookies of a vendor that the latest complete scan found, and how long each lasts. */
export function FoundOnSite({ vendor }: { vendor: Vendor }) {
  const scans = useQuery(lastScanQuery);
  const last = scans.data?.last;
  const resources = useQuery({
    ...allResourcesQuery(String(last?.scan_id), { vendor: vendor.slug }),
    enabled: last !== undefined,
  });
  if (!last) return null;
  return (
    <Card component="section">
      <Title order={2}>On your site</Title>
      <QueryResult query={resources} lines={4}>
        {(all) => {
          const cookies = all.filter(({ resource_type }) => resource_type === 'cookie');
          return (
            <>
              <Text c="dimmed" mb="sm">
                {all.length > 0
                  ? `${formatCount(all.length, 'finding')} in the scan of ${formatDay(last.started_at)}. `
                  : `Not found by the scan of ${formatDay(last.started_at)}.`}
                {all.length > 0 && (
                  <TextLink
                    to="/scanner/$id"
                    params={{ id: String(last.scan_id) }}
                    search={{ view: 'findings', vendor: vendor.slug }}
                  >
                    View findings
                  </TextLink>
                )}
              </Text>
              {cookies.length > 0 && (
                <DataTable
                  label="Cookies on your site"
                  rows={cookies.map(toCookie)}
                  getKey={({ id }) => id}
                  columns={[
                    {
                      title: 'Cookie',
                      cell: ({ pattern, isEarly }) => (
                        <>
                          <code className="break">{pattern}</code>{' '}
                          {isEarly && <StatusBadge tone="bad">Before consent</StatusBadge>}
                        </>
                      ),
                      sort: ({ pattern }) => pattern,
                    },
                    { title: 'Duration', cell: ({ duration }) => duration },
                    { title: 'Pages', align: 'end', cell: ({ pages }) => pages },
                  ]}
                />
              )}
            </>
          );
        }}
      </QueryResult>
    </Card>
  );
}
