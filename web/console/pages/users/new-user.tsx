import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { EditForm } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
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
          : 'Letters, digits, “.”, “_” and “-”; it starts with a letter or digit.',
      email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Please give an e-mail address.'),
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
          ? 'Give them this password by a way that you trust; they can change it under their own account.'
          : 'Somebody who may sign in here.'
      }
      back={{ to: '/users', label: 'Users' }}
    >
      {made?.password !== undefined ? (
        <div className="stack" style={{ maxWidth: '44rem' }}>
          <Secret label={`Password of ${made.username}`} value={made.password} />
          <div className="row">
            <LinkButton variant="default" to="/users/$id" params={{ id: String(made.id) }}>
              To {made.username}
            </LinkButton>
          </div>
        </div>
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
          <div className="two">
            <TextInput
              label="Login"
              description="It stays as it is"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              autoComplete="off"
              autoCapitalize="none"
              {...form.getInputProps('username')}
            />
            <TextInput
              label="E-mail"
              description="Signs in as well"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="email"
              required
              autoComplete="off"
              {...form.getInputProps('email')}
            />
          </div>
          <NativeSelect label="Role" data={[...ROLES]} {...form.getInputProps('role')} />
          <PasswordInput
            label="Password"
            description="Leave it empty to have one made up and shown once"
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
            {...form.getInputProps('password')}
          />
        </EditForm>
      )}
    </Page>
  );
}
