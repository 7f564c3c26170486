import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badges.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { type Webhook, webhooksQuery } from './queries.ts';

/** The endpoints that receive events. */
export function Webhooks() {
  const webhooks = useQuery(webhooksQuery);
  return (
    <Page
      title="Webhooks"
      intro="Addresses of other programs that receive signed events, for example about licences, payments and requests."
      actions={
        <LinkButton to="/webhooks/new" leftSection={<IconPlus size={16} aria-hidden />}>
          Create a webhook
        </LinkButton>
      }
    >
      <QueryResult query={webhooks} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconWebhook} title="No webhooks">
              Webhooks that you create are listed here with the state of their deliveries.
            </EmptyState>
          ) : (
            <DataTable
              label="Webhooks"
              rows={items}
              getKey={({ id }) => id}
              columns={[
                {
                  title: 'Address',
                  cell: ({ id, url, description }) => (
                    <>
                      <Link to="/webhooks/$id" params={{ id: String(id) }} className="break">
                        {url}
                      </Link>
                      {description && <div className="break">{description}</div>}
                    </>
                  ),
                  sort: ({ url }) => url,
                },
                {
                  title: 'Events',
                  cell: ({ event_types }) => (
                    <span className="break">{event_types.join(', ')}</span>
                  ),
                },
                { title: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
              ]}
            />
          )
        }
      </QueryResult>
    </Page>
  );
}

/** Whether a webhook is active, and whether its deliveries succeed. */
export function WebhookStatus({
  webhook: { is_active, failing_since },
}: {
  webhook: Pick<Webhook, 'is_active' | 'failing_since'>;
}) {
  if (!is_active) return <StatusBadge>Inactive</StatusBadge>;
  return failing_since === null ? (
    <StatusBadge tone="good">Active</StatusBadge>
  ) : (
    <StatusBadge tone="warn">Failing</StatusBadge>
  );
}
