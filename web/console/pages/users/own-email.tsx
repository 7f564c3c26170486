import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { write } from '../../api/client.ts';
import { isEmailAddress } from '../../components/email-address.ts';
import { REQUIRED } from '../../components/required.ts';
import { Section } from '../../components/section.tsx';
import { STALE, type User } from './queries.ts';
import { PasswordDialog } from './second-factor/password-dialog.tsx';

/** Changes the email address of the own account. */
export function OwnEmail({ user }: { user: User }) {
  const form = useForm({
    initialValues: { email: user.email },
    validate: {
      email: (value) =>
        isEmailAddress(value) ??
        (value.trim().toLowerCase() === user.email ? 'Enter another address.' : null),
    },
  });
  // The server has one spelling of an address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form stays the same
  useEffect(() => form.setValues({ email: user.email }), [user.email]);
  return (
    <Section title="Change your email address">
      <TextInput
        label="Email"
        description="Can also be used to sign in"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="email"
        autoComplete="email"
        {...REQUIRED}
        {...form.getInputProps('email')}
      />
      <div>
        <PasswordDialog
          title="Change your email address?"
          text={`Emails about your account then go to ${form.values.email.trim()}.`}
          confirm="Change"
          stale={STALE}
          done="Your email address was changed."
          send={(current_password) =>
            write<User>('PUT', '/users/me', { ...form.values, current_password })
          }
          button={(open) => (
            <Button variant="default" onClick={() => !form.validate().hasErrors && open()}>
              Change email address
            </Button>
          )}
        />
      </div>
    </Section>
  );
}
