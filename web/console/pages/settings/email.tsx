import { TextInput } from '@mantine/core';
import type { Tagged } from '../../api/client.ts';
import type { Settings } from '../../api/types.ts';
import { isAddressOrEmpty, SettingsCard } from './card.tsx';
import { Fixed } from './environment.tsx';
import { TestMail } from './test-mail.tsx';

const LABELS = { from_name: 'Sender name', reply_to: 'Reply address' };

/** The sender of emails, the reply address of those about requests, and whether emails are sent. */
export const EmailForm = ({ settings }: { settings: Tagged<Settings> }) => (
  <SettingsCard
    section="mail"
    settings={settings}
    title="Emails"
    labels={LABELS}
    validate={{ reply_to: isAddressOrEmpty }}
    save="Save email settings"
    done="The email settings were saved."
    more={<TestMail />}
  >
    {(form) => (
      <>
        <TextInput
          label={LABELS.from_name}
          description="The name that recipients see, except in emails about licences. Up to 100 characters. Empty (default): the name of the controller."
          maxLength={100}
          {...form.getInputProps('from_name')}
        />
        <TextInput
          label={LABELS.reply_to}
          description="Where answers to emails about requests go. One address. Empty (default): the email of the controller, then PAVIS_MAIL_FROM unless it is a no-reply address. Without any of them, these emails do not ask for a reply by email."
          type="email"
          {...form.getInputProps('reply_to')}
        />
        <Fixed names={['PAVIS_SMTP_URL', 'PAVIS_MAIL_FROM']} />
      </>
    )}
  </SettingsCard>
);
