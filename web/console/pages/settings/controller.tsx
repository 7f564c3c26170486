import { Textarea, TextInput } from '@mantine/core';
import type { Tagged } from '../../api/client.ts';
import type { Settings } from '../../api/types.ts';
import { isAddressOrEmpty, SettingsCard } from './card.tsx';

const LABELS = {
  name: 'Name',
  address: 'Postal address',
  email: 'Email',
  dpo_name: 'Data protection officer',
  dpo_email: 'Email of the data protection officer',
};

/** The controller (GDPR Art. 4(7)). */
export const ControllerForm = ({ settings }: { settings: Tagged<Settings> }) => (
  <SettingsCard
    section="controller"
    settings={settings}
    title="Controller"
    intro="The controller under GDPR Art. 4(7). Shown in emails about requests, in the request form and in the record of processing activities."
    labels={LABELS}
    validate={{ email: isAddressOrEmpty, dpo_email: isAddressOrEmpty }}
    save="Save controller"
    done="The controller was saved."
  >
    {(form) => (
      <>
        <TextInput
          label={LABELS.name}
          description="The organisation or person responsible. Up to 200 characters."
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <Textarea
          label={LABELS.address}
          description="Where people can write to you. Up to 500 characters."
          minRows={2}
          maxLength={500}
          {...form.getInputProps('address')}
        />
        <TextInput
          label={LABELS.email}
          description="Where people reach you about their data. One address, or empty."
          type="email"
          {...form.getInputProps('email')}
        />
        <TextInput
          label={LABELS.dpo_name}
          description="Leave empty if there is none. Up to 200 characters."
          maxLength={200}
          {...form.getInputProps('dpo_name')}
        />
        <TextInput
          label={LABELS.dpo_email}
          description="One address, or empty."
          type="email"
          {...form.getInputProps('dpo_email')}
        />
      </>
    )}
  </SettingsCard>
);
