import {
  Fieldset,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import { getToday } from '../../api/site-time.ts';
import { EditForm } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { type Case, CHANNEL_OPTIONS, REQUEST_TYPE_OPTIONS } from './types.ts';

const initialValues = () => ({
  request_type: 'access',
  channel: 'letter',
  received_on: getToday(),
  first_name: '',
  last_name: '',
  representative: '',
  email: '',
  postal_address: '',
  phone: '',
  language: 'en',
  additional_info: '',
  verified: false,
  identity_proof: '',
});

type Fields = ReturnType<typeof initialValues>;

const hasContact = ({ email, postal_address, phone }: Fields): boolean =>
  Boolean(email.trim() || postal_address.trim() || phone.trim());

/** A request that arrived by letter, telephone or another way than the form. */
export function NewRequest() {
  const navigate = useNavigate();
  const form = useForm<Fields>({
    initialValues: initialValues(),
    validate: {
      received_on: (value) => (value ? null : 'Enter the day of receipt.'),
      postal_address: (_, fields) =>
        hasContact(fields) ? null : 'Enter an email address, a postal address or a phone number.',
      representative: (value, { channel }) =>
        channel !== 'representative' || value.trim() ? null : 'Enter who made the request.',
      identity_proof: (value, { verified }) =>
        !verified || value.trim() ? null : 'Enter how the identity was established.',
    },
  });
  const { channel, verified, email } = form.values;
  return (
    <Page
      title="Add request"
      intro="Enter a request that you received by letter, by telephone or in another way. The deadline counts from the day of receipt."
      back={{ to: '/requests', label: 'Requests' }}
    >
      <EditForm
        needs="manage_privacy_requests"
        form={form}
        stale={[['cases']]}
        send={(fields) => write<Case>('POST', '/dsar/cases', fields)}
        save="Add request"
        done="The request was added."
        onDone={({ id }) => navigate({ to: '/requests/$id', params: { id: String(id) } })}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label="Request type"
            data={REQUEST_TYPE_OPTIONS}
            {...form.getInputProps('request_type')}
          />
          <TextInput
            label="Received on"
            type="date"
            {...REQUIRED}
            max={getToday()}
            {...form.getInputProps('received_on')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect label="Channel" data={CHANNEL_OPTIONS} {...form.getInputProps('channel')} />
          <TextInput
            label="Representative"
            description="Who made the request for the person"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...(channel === 'representative' && REQUIRED)}
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('representative')}
          />
        </SimpleGrid>
        <Fieldset variant="unstyled" legend="Person">
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="First name"
                maxLength={100}
                autoComplete="off"
                {...form.getInputProps('first_name')}
              />
              <TextInput
                label="Last name"
                maxLength={100}
                autoComplete="off"
                {...form.getInputProps('last_name')}
              />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Email"
                description="Without an email address, no emails are sent"
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                type="email"
                autoComplete="off"
                {...form.getInputProps('email')}
              />
              <TextInput
                label="Phone"
                type="tel"
                maxLength={50}
                autoComplete="off"
                {...form.getInputProps('phone')}
              />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Textarea
                label="Postal address"
                description="Where the answer is sent without an email address"
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                minRows={3}
                maxLength={500}
                {...form.getInputProps('postal_address')}
              />
              {email.trim() !== '' && (
                <NativeSelect
                  label="Language of the emails"
                  data={[
                    { value: 'en', label: 'English' },
                    { value: 'de', label: 'German' },
                  ]}
                  {...form.getInputProps('language')}
                />
              )}
            </SimpleGrid>
          </Stack>
        </Fieldset>
        <Textarea
          label="Message"
          description="What the person asks for"
          minRows={3}
          maxLength={5_000}
          {...form.getInputProps('additional_info')}
        />
        <Switch
          label="Identity established"
          description={
            verified
              ? 'The request is in progress as soon as it is added.'
              : 'With an email address, the person gets a link to confirm it, if the request needs that.'
          }
          {...form.getInputProps('verified', { type: 'checkbox' })}
        />
        <Textarea
          label="Proof of identity"
          description="How the identity was established, for example by a passport or a known customer number"
          {...(verified && REQUIRED)}
          minRows={2}
          maxLength={5_000}
          {...form.getInputProps('identity_proof')}
        />
      </EditForm>
    </Page>
  );
}
