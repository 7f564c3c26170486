import { Group, NativeSelect, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { isEmailAddress } from '../../components/email-address.ts';
import { EditForm } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { Secret } from '../../components/secret.tsx';
import { type CreatedUser, getPasswordMinLength, ROLES, STALE } from './queries.ts';

export function NewUser() {
  const navigate = useNavigate();
  const [made, setMade] = useState<CreatedUser>();
  const form = useForm({
    initialValues: { username: '', email: '', role: 'editor', password: '' },
    validate: {
      username: (value) =>
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(value)
          ? null
          : 'Use letters, digits, “.”, “_” and “-”. Start with a letter or digit.',
      email: isEmailAddress,
      password: (value, { role }) => {
        const minLength = getPasswordMinLength(role);
        const isLongEnough = value === '' || [...value].length >= minLength;
        return isLongEnough ? null : `At least ${minLength} characters.`;
      },
    },
  });
  return (
    <Page
      title={made ? `${made.username} can sign in` : 'New user'}
      intro={
        made
          ? 'Send this password over a secure channel. The user can change it in their account.'
          : 'Create an account for the console and the API.'
      }
      back={{ to: '/users', label: 'Users' }}
    >
      {made?.password !== undefined ? (
        <Stack style={{ maxWidth: '44rem' }}>
          <Secret label={`Password of ${made.username}`} value={made.password} />
          <Group gap="sm">
            <LinkButton variant="default" to="/users/$id" params={{ id: String(made.id) }}>
              View {made.username}
            </LinkButton>
          </Group>
        </Stack>
      ) : (
        <EditForm
          form={form}
          stale={STALE}
          send={({ role, password, ...fields }) =>
            write<CreatedUser>('POST', '/users', {
              ...fields,
              roles: [role],
              ...(password && { password }),
            })
          }
          save="Add user"
          done="The user was added."
          onDone={(user) =>
            user.password === undefined
              ? navigate({ to: '/users/$id', params: { id: String(user.id) } })
              : setMade(user)
          }
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Login"
              description="Cannot be changed later"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...REQUIRED}
              autoComplete="off"
              autoCapitalize="none"
              {...form.getInputProps('username')}
            />
            <TextInput
              label="Email"
              description="Can also be used to sign in"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="email"
              {...REQUIRED}
              autoComplete="off"
              {...form.getInputProps('email')}
            />
          </SimpleGrid>
          <NativeSelect label="Role" data={[...ROLES]} {...form.getInputProps('role')} />
          <PasswordInput
            label="Password"
            description="Leave empty to generate a password that is shown once"
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        </EditForm>
      )}
    </Page>
  );
}
