import { NativeSelect, PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { write } from '../../api/client.ts';
import { EditForm } from '../../components/form.tsx';
import { ROLES, STALE, type User } from './queries.ts';

/** Email address and role. The own address is changed with the current password. */
export function UserForm({ user, isMe }: { user: User; isMe: boolean }) {
  const form = useForm({
    initialValues: {
      email: user.email,
      roles: user.roles[0] ?? 'subscriber',
      current_password: '',
    },
    validate: {
      email: (value) =>
        /^\S+@\S+$/.test(value.trim())
          ? null
          : 'Enter an email address, for example ada@example.com.',
      current_password: (value, { email }) =>
        isMe && email.trim().toLowerCase() !== user.email && !value
          ? 'Enter your current password.'
          : null,
    },
  });
  return (
    <EditForm
      form={form}
      stale={STALE}
      send={({ email, roles, current_password }) =>
        write<User>('PUT', `/users/${user.id}`, {
          email,
          ...(isMe ? { current_password } : { roles: [roles] }),
        })
      }
      onDone={() => {
        const saved = { ...form.getValues(), current_password: '' };
        form.setValues(saved);
        form.resetDirty(saved);
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Email" type="email" required {...form.getInputProps('email')} />
        <NativeSelect
          label="Role"
          description={
            isMe ? 'You cannot change your own role' : 'Takes effect with the next request'
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[...ROLES]}
          disabled={isMe}
          {...form.getInputProps('roles')}
        />
        {isMe && (
          <PasswordInput
            label="Current password"
            description="Needed to change your email address"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
            {...form.getInputProps('current_password')}
          />
        )}
      </SimpleGrid>
    </EditForm>
  );
}
