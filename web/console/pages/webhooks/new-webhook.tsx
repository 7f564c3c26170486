import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import type { WebhookWithSecret } from './queries.ts';
import { EMPTY, WebhookForm } from './webhook-form.tsx';

export function NewWebhook() {
  const [made, setMade] = useState<WebhookWithSecret>();
  return (
    <Page
      title={made ? 'The webhook was created' : 'Create a webhook'}
      intro={
        made
          ? 'The receiver verifies the signature of each request with this secret.'
          : 'Pavis posts each event as JSON to the address, with a signature in the format of Standard Webhooks.'
      }
      back={{ to: '/webhooks', label: 'Webhooks' }}
    >
      {made ? (
        <Stack maw="44rem">
          <Secret label="Secret of the webhook" value={made.secret} storedAs="encrypted" />
          <Group gap="sm">
            <LinkButton variant="default" to="/webhooks/$id" params={{ id: String(made.id) }}>
              View webhook
            </LinkButton>
          </Group>
        </Stack>
      ) : (
        <WebhookForm
          initial={EMPTY}
          save="Create the webhook"
          done="The webhook was created."
          send={(fields) => write<WebhookWithSecret>('POST', '/webhooks', fields)}
          onDone={setMade}
        />
      )}
    </Page>
  );
}
