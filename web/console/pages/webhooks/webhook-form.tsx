import { Checkbox, Fieldset, SimpleGrid, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { EditForm, type Saving } from '../../components/form.tsx';
import { toLabel } from '../../components/format.ts';
import { REQUIRED } from '../../components/required.ts';
import { QueryResult } from '../../components/states.tsx';
import { type EventTypeName, eventTypesQuery, STALE } from './queries.ts';

export interface WebhookFields extends Record<string, unknown> {
  url: string;
  description: string;
  event_types: EventTypeName[];
  is_active: boolean;
}

export const EMPTY: WebhookFields = {
  url: '',
  description: '',
  event_types: [],
  is_active: true,
};

/** The part of an event name before the dot: `licence` of `licence.created`. */
const getSubject = ({ type }: { type: string }): string => type.replace(/\..*/, '');

/** The fields of a webhook. */
export function WebhookForm<Saved>({
  hasSwitch,
  ...saving
}: Saving<WebhookFields, Saved> & {
  /** Of an existing webhook, which can be activated and deactivated. */
  hasSwitch?: boolean;
}) {
  const form = useForm<WebhookFields>({
    initialValues: saving.initial,
    validate: {
      url: (value) =>
        /^https?:\/\/\S+$/.test(value.trim())
          ? null
          : 'Enter an https URL, for example https://example.com/webhooks.',
      event_types: (value) => (value.length > 0 ? null : 'Choose at least one event.'),
    },
  });
  const types = useQuery(eventTypesQuery);
  return (
    <EditForm {...saving} form={form} stale={STALE}>
      {hasSwitch && <Title order={2}>Settings</Title>}
      <TextInput
        label="Address"
        description="An https URL that does not redirect"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="url"
        {...REQUIRED}
        placeholder="https://example.com/webhooks"
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Description"
        placeholder="CRM"
        maxLength={200}
        {...form.getInputProps('description')}
      />
      <QueryResult query={types} lines={6}>
        {(all) => (
          <Checkbox.Group label="Events" required {...form.getInputProps('event_types')}>
            <Stack mt="xs">
              {Object.entries(Object.groupBy(all, getSubject)).map(([subject, types = []]) => (
                <Fieldset key={subject} legend={toLabel(subject)}>
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    {types.map(({ type, description }) => (
                      <Checkbox
                        key={type}
                        value={type}
                        label={<span className="mono">{type}</span>}
                        description={description}
                      />
                    ))}
                  </SimpleGrid>
                </Fieldset>
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      </QueryResult>
      {hasSwitch && (
        <Switch
          label="Active"
          description="An inactive webhook receives no events, also not later"
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
      )}
    </EditForm>
  );
}
