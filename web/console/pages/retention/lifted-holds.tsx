import { useQuery } from '@tanstack/react-query';
import { formatMoment } from '../../components/format.ts';
import { DataTable } from '../../components/table.tsx';
import { liftedHoldsQuery } from './queries.ts';

/** The latest holds that were lifted; the change history has all of them. */
export function LiftedHolds({ labelOf }: { labelOf: (slug: string) => string }) {
  const lifted = useQuery(liftedHoldsQuery);
  if (!lifted.data || lifted.data.total === 0) return null;
  return (
    <section className="section">
      <h2>Lifted holds</h2>
      <DataTable
        label="Lifted holds"
        rows={lifted.data.items}
        getKey={({ id }) => id}
        columns={[
          {
            title: 'Records',
            cell: ({ data_category, record_id }) =>
              `${labelOf(data_category)}${record_id === null ? ', all of them' : `, number ${record_id}`}`,
          },
          { title: 'Lifted by', cell: ({ lifted_by }) => lifted_by },
          { title: 'Lifted', cell: ({ lifted_at }) => formatMoment(lifted_at) },
          {
            title: 'Reason for lifting',
            cell: ({ lifted_reason }) => (
              <span className="break">{lifted_reason ?? 'Not stated'}</span>
            ),
          },
        ]}
      />
    </section>
  );
}
