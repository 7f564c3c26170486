import { IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { formatCount, formatMoment, toLabel } from '../../components/format.ts';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { NoRetention } from './no-retention.tsx';
import { CHANGES_PER_PAGE, type Change, changesQuery, useCategoryLabel } from './queries.ts';

const route = getRouteApi('/app/retention');

const FIELDS: Record<string, string> = {
  name: 'Name',
  data_category: 'Records',
  period: 'Retention',
  action: 'Action',
  is_active: 'Status',
};

/** Changes of policies and legal holds, newest first. */
export function Changes() {
  const { page = '1' } = route.useSearch();
  const changes = useQuery(changesQuery(Number(page)));
  const getLabel = useCategoryLabel();
  return (
    <QueryResult query={changes} lines={6} absent={<NoRetention />}>
      {({ items, total }) =>
        total === 0 ? (
          <EmptyState icon={IconHourglass} title="No changes yet">
            Changes of policies and legal holds are listed here.
          </EmptyState>
        ) : (
          <>
            <DataTable
              label="Change history"
              rows={items}
              getKey={({ id }) => id}
              columns={[
                { title: 'Time', cell: ({ at }) => formatMoment(at) },
                { title: 'By', cell: ({ actor }) => actor },
                {
                  title: 'Subject',
                  cell: ({ subject, subject_id, action }) => (
                    <strong>{`${toLabel(subject)} ${subject_id} ${action}`}</strong>
                  ),
                },
                {
                  title: 'Change',
                  cell: (change) => <Difference change={change} getLabel={getLabel} />,
                },
                {
                  title: 'Reason',
                  cell: ({ reason }) => <span className="break">{reason}</span>,
                },
              ]}
            />
            <TablePagination
              page={Number(page)}
              perPage={CHANGES_PER_PAGE}
              total={total}
              noun="change"
            />
          </>
        )
      }
    </QueryResult>
  );
}

type Labelled = Record<string, string>;

/** The fields that differ; all fields of a subject that was created or deleted. */
function Difference({ change, getLabel }: { change: Change; getLabel: (slug: string) => string }) {
  const [before, after] = [change.before, change.after].map((each) =>
    each === null ? {} : toLabels(change.subject, each, getLabel),
  ) as [Labelled, Labelled];
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) => before[field] !== after[field],
  );
  return fields.map((field) => (
    <div key={field} className="break">
      {FIELDS[field] ?? toLabel(field)}:{' '}
      {[before[field], after[field]].filter((each) => each !== undefined).join(' → ')}
    </div>
  ));
}

function toLabels(
  subject: Change['subject'],
  said: Record<string, unknown>,
  getLabel: (slug: string) => string,
): Labelled {
  const records = getLabel(String(said.data_category));
  if (subject === 'hold') {
    const which = said.record_id === null ? 'all' : `ID ${said.record_id}`;
    return { data_category: `${records}, ${which}` };
  }
  const unit = String(said.period_unit);
  return {
    name: String(said.name),
    data_category: records,
    period: formatCount(Number(said.period_value), unit.slice(0, -1), unit),
    action: toLabel(String(said.action)),
    is_active: said.is_active ? 'Active' : 'Inactive',
  };
}
