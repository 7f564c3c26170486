import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertTriangle, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { putChanged, write } from '../../api/client.ts';
import { ConfirmButton, useChange, useRemoval } from '../../components/form.tsx';
import { formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import { QueryResult } from '../../components/states.tsx';
import { Deliveries } from './deliveries.tsx';
import { STALE, type Webhook, type WebhookWithSecret, webhookQuery } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhooks.tsx';

const route = getRouteApi('/app/webhooks/$id');

const REASONS: Record<NonNullable<Webhook['inactive_reason']>, string> = {
  by_hand: 'It was deactivated by hand.',
  gone: 'It answered 410, which says that it is gone for good.',
  failing: 'Every attempt failed for five days.',
};

/** A webhook with its deliveries. */
export function WebhookScreen() {
  const { id } = route.useParams();
  const { status, page = '1' } = route.useSearch();
  const webhook = useQuery(webhookQuery(id));
  const [rotated, setRotated] = useState<string>();
  const remove = useRemoval({
    path: `/webhooks/${id}`,
    noun: 'webhook',
    stale: STALE,
    to: '/webhooks',
  });
  return (
    <Page
      title="Webhook"
      {...(webhook.data && {
        intro: <span className="break">{webhook.data.description || webhook.data.url}</span>,
      })}
      back={{ to: '/webhooks', label: 'Webhooks' }}
      actions={webhook.data && <Actions webhook={webhook.data} onRotated={setRotated} />}
    >
      <QueryResult query={webhook} lines={8}>
        {(data) => (
          <Stack>
            {rotated && (
              <Secret label="New secret of the webhook" value={rotated} storedAs="encrypted">
                <p>
                  Requests carry a signature of the earlier secret as well until a day after it was
                  replaced, so that you can change it in the receiver.
                </p>
              </Secret>
            )}
            <State webhook={data} />
            <Deliveries webhook={data} status={status} page={Number(page)} />
            <WebhookForm
              key={data.id}
              hasSwitch
              initial={{
                url: data.url,
                description: data.description,
                event_types: data.event_types,
                is_active: data.is_active,
              }}
              etag={data.etag}
              send={(fields, pickChanged, tag) =>
                putChanged<Webhook>(`/webhooks/${id}`, pickChanged(fields), data, tag)
              }
              remove={remove(`the webhook ${data.description || data.url}`)}
            />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const { is_active, inactive_reason, failing_since } = webhook;
  if (is_active && failing_since === null) {
    return (
      <div>
        <WebhookStatus webhook={webhook} />
      </div>
    );
  }
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle size={22} aria-hidden />}
      title={is_active ? 'Failing' : 'Inactive'}
    >
      {is_active
        ? `Attempts have failed since ${formatMoment(failing_since)}. After five days without a success, the last attempt of an event deactivates the webhook.`
        : `It receives no events. ${inactive_reason ? REASONS[inactive_reason] : ''} Activate it below, then send the failed events again.`}
    </Alert>
  );
}

function Actions({
  webhook: { id, is_active },
  onRotated,
}: {
  webhook: Webhook;
  onRotated: (secret: string) => void;
}) {
  const testing = useChange({
    change: () => write('POST', `/webhooks/${id}/test`),
    stale: STALE,
    done: 'The test event is queued.',
  });
  const rotating = useChange({
    change: () => write<WebhookWithSecret>('POST', `/webhooks/${id}/secret`),
    stale: STALE,
    onDone: ({ secret }) => onRotated(secret),
  });
  return (
    <Group gap="sm">
      {is_active && (
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={testing.isPending}
          onClick={() => testing.mutate(undefined)}
        >
          Send test event
        </Button>
      )}
      <ConfirmButton
        title="Rotate the secret?"
        text="The webhook gets a new secret, and the current one signs as well for a day. If you have rotated it within the last day, the secret before it signs until its day ends, and the current one stops at once."
        confirm="Rotate secret"
        isBusy={rotating.isPending}
        onConfirm={() => rotating.mutate(undefined)}
        button={(open) => (
          <Button variant="default" onClick={open}>
            Rotate secret
          </Button>
        )}
      />
    </Group>
  );
}
