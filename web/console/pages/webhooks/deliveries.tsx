import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { FilterBar, SelectFilter } from '../../components/filters.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, formatMoment, toLabel } from '../../components/format.ts';
import { notifySuccess } from '../../components/notify.ts';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import {
  DELIVERIES_PER_PAGE,
  type Delivery,
  deliveriesQuery,
  STALE,
  type Webhook,
} from './queries.ts';

const TONES: Record<Delivery['status'], Tone> = {
  pending: 'warn',
  sending: 'info',
  delivered: 'good',
  failed: 'bad',
};

/** The delivery log of a webhook. */
export function Deliveries({
  webhook: { id, is_active },
  status,
  page,
}: {
  webhook: Webhook;
  status: string | undefined;
  page: number;
}) {
  const deliveries = useQuery(deliveriesQuery({ webhook: id, status }, page));
  const [shown, setShown] = useState<number>();
  const replaying = useChange({
    change: () => write<{ queued: number }>('POST', `/webhooks/${id}/replay`, {}),
    stale: STALE,
    onDone: ({ queued }) =>
      notifySuccess(
        queued === 0
          ? 'There are no failed deliveries.'
          : `${formatCount(queued, 'delivery', 'deliveries')} will be sent again.`,
      ),
  });
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between" align="flex-end">
        <Title order={2}>Deliveries</Title>
        {is_active && (
          <Button
            variant="default"
            loading={replaying.isPending}
            onClick={() => replaying.mutate(undefined)}
          >
            Send all failed again
          </Button>
        )}
      </Group>
      <FilterBar mb={0}>
        <SelectFilter
          name="status"
          label="Status"
          value={status}
          options={Object.keys(TONES).map((value) => ({ value, label: toLabel(value) }))}
        />
      </FilterBar>
      <QueryResult query={deliveries} lines={5}>
        {({ items, total }) =>
          total === 0 ? (
            <Text c="dimmed">
              {status
                ? 'No deliveries have this status.'
                : 'No events yet. They are listed here for 30 days unless the retention policy says otherwise.'}
            </Text>
          ) : (
            <>
              <DataTable
                label="Deliveries"
                rows={items}
                getKey={(delivery) => delivery.id}
                columns={[
                  {
                    title: 'Event',
                    cell: (delivery) => (
                      <Button
                        variant="transparent"
                        size="compact-sm"
                        px={0}
                        className="mono"
                        onClick={() => setShown(delivery.id)}
                        aria-label={`Details of ${delivery.type}, ${formatMoment(delivery.created_at)}`}
                      >
                        {delivery.type}
                      </Button>
                    ),
                  },
                  { title: 'Time', cell: ({ created_at }) => formatMoment(created_at) },
                  {
                    title: 'Status',
                    cell: (delivery) => (
                      <StatusBadge tone={TONES[delivery.status]}>
                        {toLabel(delivery.status)}
                      </StatusBadge>
                    ),
                  },
                  { title: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
                  {
                    title: 'Result',
                    cell: (delivery) => <span className="break">{describe(delivery)}</span>,
                  },
                ]}
              />
              <TablePagination
                page={page}
                perPage={DELIVERIES_PER_PAGE}
                total={total}
                noun="delivery"
                nouns="deliveries"
              />
            </>
          )
        }
      </QueryResult>
      <DeliveryDetails id={shown} canReplay={is_active} onClose={() => setShown(undefined)} />
    </Stack>
  );
}

function describe({ status, last_error, last_status, next_attempt_at }: Delivery): string {
  if (status === 'delivered') return `Answered ${last_status}.`;
  const next =
    status === 'pending' && last_error !== null
      ? ` Next attempt ${formatMoment(next_attempt_at)}.`
      : '';
  return `${last_error ?? '–'}${next}`;
}
