import { IconWorldSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ScanDetail } from '../../api/types.ts';
import { formatCount, formatMoment, toLabel } from '../../components/format.ts';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, SelectFilter } from '../../components/table.tsx';
import { scanQuery, scansQuery } from './queries.ts';

const route = getRouteApi('/app/scanner/$id');
type Thing = NonNullable<ScanDetail['comparison']>['new'][number];

/** What is new and what is gone since another scan. */
export function Changes({ scan }: { scan: ScanDetail }) {
  const search = route.useSearch();
  const scans = useQuery(scansQuery());
  const others = scans.data?.items.filter(({ scan_id }) => scan_id !== scan.scan_id) ?? [];
  const other =
    search.with ?? String(others.find(({ scan_id }) => scan_id < scan.scan_id)?.scan_id ?? '');
  const compared = useQuery({
    ...scanQuery(String(scan.scan_id), other),
    enabled: other !== '',
    placeholderData: keepPreviousData,
  });
  if (scans.data && others.length === 0) {
    return (
      <EmptyState icon={IconWorldSearch} title="This is the only scan">
        After the next one, you see here what is new and what is gone.
      </EmptyState>
    );
  }
  return (
    <>
      <div className="filters">
        <SelectFilter
          name="with"
          label="Compared with"
          value={other}
          all="Choose a scan"
          options={others.map(({ scan_id, started_at }) => ({
            value: String(scan_id),
            label: formatMoment(started_at),
          }))}
        />
      </div>
      {other !== '' && (
        <QueryResult query={compared}>
          {({ comparison }) => (
            <div className="stack">
              <Things title="New" things={comparison?.new ?? []} />
              <Things title="Gone" things={comparison?.gone ?? []} />
              <p className="soft">{formatCount(comparison?.same ?? 0, 'thing')} in both.</p>
            </div>
          )}
        </QueryResult>
      )}
    </>
  );
}

function Things({ title, things }: { title: string; things: readonly Thing[] }) {
  return (
    <section className="section">
      <h2>
        {title} ({things.length})
      </h2>
      {things.length === 0 ? (
        <p className="card soft">Nothing.</p>
      ) : (
        <DataTable
          label={title}
          rows={things}
          getKey={({ resource_type, url, name }) => `${resource_type} ${url} ${name}`}
          columns={[
            {
              title: 'What',
              cell: ({ name, host, url }) => (
                <>
                  <strong>{name || host}</strong>
                  <div className="soft small break">{url}</div>
                </>
              ),
            },
            { title: 'Type', cell: ({ resource_type }) => toLabel(resource_type) },
            { title: 'Host', cell: ({ host }) => host },
            { title: 'Pages', align: 'end', cell: ({ pages }) => pages },
          ]}
        />
      )}
    </section>
  );
}
