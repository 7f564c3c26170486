import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { write } from '../../api/client.ts';
import { isEmailAddress } from '../../components/email-address.ts';
import { EditForm } from '../../components/form.tsx';
import { REQUIRED } from '../../components/required.ts';
import { CurrentPassword } from './current-password.tsx';
import { ROLES, STALE, type User } from './queries.ts';

/** Email address and role. The own address is changed with the current password. */
export function UserForm({ user, isMe }: { user: User; isMe: boolean }) {
  const initial = {
    email: user.email,
    roles: user.roles[0] ?? 'subscriber',
    current_password: '',
  };
  const form = useForm({
    initialValues: initial,
    validate: {
      email: isEmailAddress,
      current_password: (value, { email }) =>
        isMe && email.trim().toLowerCase() !== user.email && !value
          ? 'Enter your current password.'
          : null,
    },
  });
  return (
    <EditForm
      form={form}
      initial={initial}
      stale={STALE}
      send={({ email, roles, current_password }, pickChanged) =>
        write<User>('PUT', `/users/${user.id}`, {
          // Unchanged, it would confirm the address for single sign-on.
          ...pickChanged({ email }),
          ...(isMe ? { current_password } : pickChanged({ roles: [roles] })),
        })
      }
      onDone={(_, sent) => {
        form.setFieldValue('current_password', '');
        form.resetDirty({ ...sent, current_password: '' });
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Email" type="email" {...REQUIRED} {...form.getInputProps('email')} />
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
          <CurrentPassword
            purpose="Needed to change your email address."
            {...form.getInputProps('current_password')}
          />
        )}
      </SimpleGrid>
    </EditForm>
  );
}
