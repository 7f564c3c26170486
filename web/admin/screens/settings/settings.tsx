import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { queryClient, settingsQuery } from '../../api/queries.ts';
import type { Settings } from '../../api/types.ts';
import { SavedForm } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';

const save = async (update: Partial<Settings>) => {
  const settings = await write<Settings>('PUT', '/settings', update);
  queryClient.setQueryData(settingsQuery.queryKey, settings);
  return settings;
};

/** Empty or one email address, as far as a browser tells; the server has the last word. */
const isAddressOrEmpty = (text: string): string | null =>
  text.trim() === '' || /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(text.trim())
    ? null
    : 'Enter one email address, for example privacy@example.com.';

/** Who is responsible for the processing, and how requests of data subjects are answered. */
export function SettingsScreen() {
  const settings = useQuery(settingsQuery);
  return (
    <Page
      title="Settings"
      intro="Who is responsible for the processing, and how subject requests are answered."
    >
      <Shown query={settings} lines={10}>
        {(all) => (
          <div className="stack">
            <ControllerForm settings={all} />
            <EmailForm settings={all} />
            <RequestsForm settings={all} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function ControllerForm({ settings: { controller } }: { settings: Settings }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: controller,
    validate: { email: isAddressOrEmpty, dpo_email: isAddressOrEmpty },
  });
  return (
    <SavedForm
      form={form}
      stale={[['settings']]}
      send={(fields) => save({ controller: fields })}
      save="Save controller"
      done="The controller was saved."
    >
      <h2 style={{ margin: 0 }}>Controller</h2>
      <p className="soft" style={{ margin: 0 }}>
        Signs the emails about requests and stands in the notice of the request form and in the
        records of processing activities.
      </p>
      <TextInput
        label="Name"
        description="The organisation or person"
        maxLength={200}
        {...form.getInputProps('name')}
        key={form.key('name')}
      />
      <Textarea
        label="Postal address"
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps('address')}
        key={form.key('address')}
      />
      <TextInput
        label="Email"
        description="Where people reach you about their data"
        type="email"
        {...form.getInputProps('email')}
        key={form.key('email')}
      />
      <TextInput
        label="Data protection officer"
        description="Leave empty if there is none"
        maxLength={200}
        {...form.getInputProps('dpo_name')}
        key={form.key('dpo_name')}
      />
      <TextInput
        label="Email of the data protection officer"
        type="email"
        {...form.getInputProps('dpo_email')}
        key={form.key('dpo_email')}
      />
    </SavedForm>
  );
}

function EmailForm({ settings: { mail } }: { settings: Settings }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: mail,
    validate: { reply_to: isAddressOrEmpty },
  });
  return (
    <SavedForm
      form={form}
      stale={[['settings']]}
      send={(fields) => save({ mail: fields })}
      save="Save email settings"
      done="The email settings were saved."
    >
      <h2 style={{ margin: 0 }}>Emails about requests</h2>
      <TextInput
        label="Sender name"
        description="Empty: the name of the controller"
        maxLength={100}
        {...form.getInputProps('from_name')}
        key={form.key('from_name')}
      />
      <TextInput
        label="Reply address"
        description="Where answers go. Empty: the email of the controller. With neither, emails do not ask for a reply by email."
        type="email"
        {...form.getInputProps('reply_to')}
        key={form.key('reply_to')}
      />
    </SavedForm>
  );
}

const REGIMES = [
  { value: 'gdpr', label: 'GDPR: one month' },
  { value: 'ccpa', label: 'CCPA: 45 days' },
  { value: 'lgpd', label: 'LGPD: 15 days' },
];

function RequestsForm({ settings: { dsar } }: { settings: Settings }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: dsar });
  return (
    <SavedForm
      form={form}
      stale={[['settings']]}
      send={(fields) => save({ dsar: fields })}
      save="Save request settings"
      done="The request settings were saved."
    >
      <h2 style={{ margin: 0 }}>Requests</h2>
      <Switch
        label="Accept requests"
        description="By the form at /privacy/ and by the API"
        {...form.getInputProps('enabled', { type: 'checkbox' })}
        key={form.key('enabled')}
      />
      <Switch
        label="Erase without approval"
        description="Erasures begin once the requestor has confirmed the email address"
        {...form.getInputProps('auto_erase', { type: 'checkbox' })}
        key={form.key('auto_erase')}
      />
      <NativeSelect
        label="Deadline"
        description="Of new requests"
        data={REGIMES}
        {...form.getInputProps('regime')}
        key={form.key('regime')}
      />
    </SavedForm>
  );
}
