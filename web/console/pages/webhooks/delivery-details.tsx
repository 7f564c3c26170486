import { Button, Code, Group, Modal, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { Facts } from '../../components/facts.tsx';
import { useChange } from '../../components/form.tsx';
import { formatMoment, toLabel } from '../../components/format.ts';
import { QueryResult } from '../../components/states.tsx';
import { type Delivery, deliveryQuery, STALE } from './queries.ts';

const WRAPPED = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', flexShrink: 0 } as const;

/** A dialog with the request and the response of a delivery. */
export function DeliveryDetails({
  id,
  canReplay,
  onClose,
}: {
  /** Undefined: closed. */
  id: number | undefined;
  /** Whether the webhook is active. */
  canReplay: boolean;
  onClose: () => void;
}) {
  return (
    <Modal opened={id !== undefined} onClose={onClose} title="Delivery" size="lg">
      {id !== undefined && <Details id={id} canReplay={canReplay} onClose={onClose} />}
    </Modal>
  );
}

function Details({
  id,
  canReplay,
  onClose,
}: {
  id: number;
  canReplay: boolean;
  onClose: () => void;
}) {
  const delivery = useQuery(deliveryQuery(id));
  const replaying = useChange({
    change: () => write<Delivery>('POST', `/webhook-deliveries/${id}/replay`),
    stale: STALE,
    done: 'The event will be sent again, under the same id.',
    onDone: onClose,
  });
  return (
    <QueryResult query={delivery} lines={8}>
      {(data) => (
        <Stack>
          <Facts
            items={[
              [
                'Event',
                <span className="mono break" key="type">
                  {data.type}
                </span>,
              ],
              [
                'Id',
                <span className="mono break" key="id">
                  {data.message_id}
                </span>,
              ],
              ['Status', toLabel(data.status)],
              ['Attempts', data.attempts],
              ['Latest attempt', data.last_attempt_at && formatMoment(data.last_attempt_at)],
              ['Next attempt', data.next_attempt_at && formatMoment(data.next_attempt_at)],
              ['Delivered', data.delivered_at && formatMoment(data.delivered_at)],
              ['Response status', data.last_status],
              ['Error', data.last_error],
            ]}
          />
          <Title order={3}>Payload</Title>
          {data.payload === null ? (
            <p>The data of the event was removed.</p>
          ) : (
            <Code block style={WRAPPED}>
              {JSON.stringify(data.payload, null, 2)}
            </Code>
          )}
          {data.last_response && (
            <>
              <Title order={3}>Response</Title>
              <Code block style={WRAPPED}>
                {data.last_response}
              </Code>
            </>
          )}
          {canReplay && data.payload !== null && (
            <Group justify="flex-end">
              <Button loading={replaying.isPending} onClick={() => replaying.mutate(undefined)}>
                Send again
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </QueryResult>
  );
}
