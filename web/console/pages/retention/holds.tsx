import { Button, NativeSelect, Stack, Textarea, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import { EditForm, useChange } from '../../components/form.tsx';
import { formatMoment } from '../../components/format.ts';
import { ConfirmWithReasonButton } from '../../components/reason.tsx';
import { REQUIRED } from '../../components/required.ts';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { NoRetention } from './no-retention.tsx';
import {
  categoriesQuery,
  HOLDS_PER_PAGE,
  type Hold,
  holdsQuery,
  useCategoryLabel,
} from './queries.ts';
import { ReleasedHolds } from './released-holds.tsx';

const route = getRouteApi('/app/retention');

/** Legal holds: records that are kept although they are due for deletion. */
export function Holds() {
  const { page = '1' } = route.useSearch();
  const holds = useQuery(holdsQuery(Number(page)));
  const categories = useQuery(categoriesQuery);
  const getLabel = useCategoryLabel();
  const releasing = useChange({
    change: ({ id, reason }: { id: number; reason: string }) =>
      write('DELETE', `/retention/holds/${id}`, { reason }),
    stale: [['holds'], ['policy'], ['retention-changes']],
    done: 'The legal hold was released.',
  });
  return (
    <QueryResult query={holds} lines={5} absent={<NoRetention />}>
      {({ items, total }) => (
        <div className="wide-narrow">
          <Stack gap="lg">
            {total === 0 ? (
              <EmptyState icon={IconHourglass} title="No legal holds">
                A legal hold keeps records that a dispute or an audit needs. Retention policies and
                erasure requests do not touch them.
              </EmptyState>
            ) : (
              <div>
                <DataTable
                  label="Legal holds"
                  rows={items}
                  getKey={({ id }) => id}
                  columns={[
                    {
                      title: 'Records',
                      cell: ({ data_category, record_id }) => (
                        <strong>
                          {getLabel(data_category)}
                          {record_id === null ? ', all' : `, ID ${record_id}`}
                        </strong>
                      ),
                    },
                    {
                      title: 'Reason',
                      cell: ({ reason }) => <span className="break">{reason}</span>,
                    },
                    { title: 'Placed by', cell: ({ placed_by }) => placed_by },
                    { title: 'Since', cell: ({ created_at }) => formatMoment(created_at) },
                    {
                      title: '',
                      align: 'end',
                      cell: (hold) => (
                        <ConfirmWithReasonButton
                          field={`release ${hold.id}`}
                          title="Release this legal hold?"
                          text="The next run processes records that are due."
                          label="Reason"
                          confirm="Release"
                          maxLength={200}
                          isBusy={releasing.isPending}
                          onConfirm={(reason, then) =>
                            releasing.mutate({ id: hold.id, reason }, then)
                          }
                          button={(open) => (
                            <Button
                              size="compact-sm"
                              variant="default"
                              aria-label={`Release hold: ${hold.reason}`}
                              onClick={open}
                            >
                              Release
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
                  noun="legal hold"
                />
              </div>
            )}
            <ReleasedHolds getLabel={getLabel} />
          </Stack>
          <NewHold options={(categories.data ?? []).map(({ slug }) => [slug, getLabel(slug)])} />
        </div>
      )}
    </QueryResult>
  );
}

const EMPTY = { data_category: '', record_id: '' as number | string, reason: '' };

function NewHold({ options }: { options: readonly (readonly [slug: string, label: string])[] }) {
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      data_category: (value) => (value ? null : 'Select a type of record.'),
      record_id: (value) =>
        value === '' || (Number.isSafeInteger(value) && Number(value) > 0)
          ? null
          : 'Enter a whole number, for example 12.',
      reason: (value) => (value.trim() ? null : 'Enter a reason.'),
    },
  });
  return (
    <EditForm
      form={form}
      next={EMPTY}
      stale={[['holds'], ['policy'], ['retention-changes']]}
      send={({ record_id, ...fields }) =>
        write<Hold>('POST', '/retention/holds', {
          ...fields,
          ...(record_id !== '' && { record_id: Number(record_id) }),
        })
      }
      save={form.values.record_id === '' ? 'Hold all records' : 'Place hold'}
      done="The legal hold was placed."
    >
      <Title order={2}>New legal hold</Title>
      <NativeSelect
        label="Records"
        {...REQUIRED}
        data={[
          { value: '', label: 'Select a type of record' },
          ...options.map(([value, label]) => ({ value, label })),
        ]}
        {...form.getInputProps('data_category')}
      />
      <WholeNumberInput
        label="Record ID"
        description="Leave empty to hold all records of this type"
        {...form.getInputProps('record_id')}
      />
      <Textarea
        label="Reason"
        description="Do not name a person"
        {...REQUIRED}
        minRows={2}
        maxLength={200}
        {...form.getInputProps('reason')}
      />
    </EditForm>
  );
}
