import { Button, NativeSelect, NumberInput, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import { showFieldErrors, useChange } from '../../components/form.tsx';
import { formatMoment, toLabel } from '../../components/format.ts';
import { ConfirmWithReasonButton } from '../../components/reason.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable, TablePagination } from '../../components/table.tsx';
import { LiftedHolds } from './lifted-holds.tsx';
import { NoRetention } from './no-retention.tsx';
import { categoriesQuery, HOLDS_PER_PAGE, type Hold, holdsQuery } from './queries.ts';

const route = getRouteApi('/app/retention');

/** What is kept although it is due: for a dispute, an audit, a law. */
export function Holds() {
  const { page = '1' } = route.useSearch();
  const holds = useQuery(holdsQuery(Number(page)));
  const categories = useQuery(categoriesQuery);
  const labelOf = (slug: string) =>
    categories.data?.find((category) => category.slug === slug)?.label ?? toLabel(slug);
  const lifting = useChange({
    change: ({ id, reason }: { id: number; reason: string }) =>
      write('DELETE', `/retention/holds/${id}`, { reason }),
    stale: [['holds'], ['policy']],
    done: 'The hold was lifted.',
  });
  return (
    <QueryResult query={holds} lines={5} absent={<NoRetention />}>
      {({ items, total }) => (
        <div className="wide-narrow">
          <div className="stack">
            {total === 0 ? (
              <EmptyState icon={IconHourglass} title="Nothing is held">
                A hold keeps what is due, for as long as a dispute or an audit needs it: no policy
                and no erasure touches it. Place one here.
              </EmptyState>
            ) : (
              <div>
                <DataTable
                  label="Holds"
                  rows={items}
                  getKey={({ id }) => id}
                  columns={[
                    {
                      title: 'What',
                      cell: ({ data_category, record_id }) => (
                        <strong>
                          {labelOf(data_category)}
                          {record_id === null ? ', all of them' : `, number ${record_id}`}
                        </strong>
                      ),
                    },
                    { title: 'Why', cell: ({ reason }) => <span className="break">{reason}</span> },
                    { title: 'Placed by', cell: ({ placed_by }) => placed_by },
                    { title: 'Since', cell: ({ created_at }) => formatMoment(created_at) },
                    {
                      title: '',
                      align: 'end',
                      cell: (hold) => (
                        <ConfirmWithReasonButton
                          title="Lift this hold?"
                          text="Records that are due are processed by the next run."
                          label="Reason"
                          confirm="Lift"
                          maxLength={200}
                          isBusy={lifting.isPending}
                          onConfirm={(reason) => lifting.mutate({ id: hold.id, reason })}
                          button={(open) => (
                            <Button
                              size="compact-sm"
                              variant="default"
                              aria-label={`Lift the hold: ${hold.reason}`}
                              onClick={open}
                            >
                              Lift
                            </Button>
                          )}
                        />
                      ),
                    },
                  ]}
                />
                <TablePagination
                  page={Number(page)}
                  perPage={HOLDS_PER_PAGE}
                  total={total}
                  noun="hold"
                />
              </div>
            )}
            <LiftedHolds labelOf={labelOf} />
          </div>
          <NewHold options={(categories.data ?? []).map(({ slug }) => [slug, labelOf(slug)])} />
        </div>
      )}
    </QueryResult>
  );
}

function NewHold({ options }: { options: readonly (readonly [slug: string, label: string])[] }) {
  const form = useForm({
    initialValues: { data_category: '', record_id: '' as number | '', reason: '' },
    validate: {
      data_category: (value) => (value ? null : 'Please choose what is kept.'),
      reason: (value) => (value.trim() ? null : 'Please say why it must be kept.'),
    },
  });
  const placing = useChange({
    change: ({ record_id, ...fields }: typeof form.values) =>
      write<Hold>('POST', '/retention/holds', {
        ...fields,
        ...(record_id !== '' && { record_id: Number(record_id) }),
      }),
    stale: [['holds'], ['policy']],
    done: 'It is held from now on.',
    onDone: () => form.reset(),
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <form
      className="card stack"
      noValidate
      onSubmit={form.onSubmit((fields) => placing.mutate(fields))}
    >
      <h2 style={{ margin: 0 }}>New hold</h2>
      <NativeSelect
        label="Records"
        required
        data={[
          { value: '', label: 'Choose a kind of record' },
          ...options.map(([value, label]) => ({ value, label })),
        ]}
        {...form.getInputProps('data_category')}
      />
      <NumberInput
        label="Number of the record"
        description="Left empty, all of them are kept"
        min={1}
        allowDecimal={false}
        {...form.getInputProps('record_id')}
      />
      <Textarea
        label="Why"
        description="Name no person here"
        required
        autosize
        minRows={2}
        maxLength={200}
        {...form.getInputProps('reason')}
      />
      <div>
        <Button type="submit" loading={placing.isPending}>
          Hold
        </Button>
      </div>
    </form>
  );
}
