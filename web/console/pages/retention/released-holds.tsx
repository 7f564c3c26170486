import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatMoment } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';
import { liftedHoldsQuery } from './queries.ts';

/** The latest released holds; the change history lists all of them. */
export function ReleasedHolds({ getLabel }: { getLabel: (slug: string) => string }) {
  const lifted = useQuery(liftedHoldsQuery);
  if (!lifted.data || lifted.data.total === 0) return null;
  return (
    <section>
      <Title order={2} mb="sm">
        Released holds
      </Title>
      <DataTable
        label="Released holds"
        rows={lifted.data.items}
        getKey={({ id }) => id}
        columns={[
          {
            title: 'Records',
            cell: ({ data_category, record_id }) =>
              `${getLabel(data_category)}${record_id === null ? ', all' : `, ID ${record_id}`}`,
          },
          { title: 'Released by', cell: ({ lifted_by }) => lifted_by },
          { title: 'Released', cell: ({ lifted_at }) => formatMoment(lifted_at) },
          {
            title: 'Reason for release',
            cell: ({ lifted_reason }) => (
              <span className="break">{lifted_reason ?? 'Not stated'}</span>
            ),
          },
        ]}
      />
    </section>
  );
}
