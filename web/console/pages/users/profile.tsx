import { Button, PasswordInput, SimpleGrid, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, signIn, write } from '../../api/client.ts';
import { queryClient, sessionQuery } from '../../api/queries.ts';
import { ConfirmButton, EditForm, useChange } from '../../components/form.tsx';
import { toLabel } from '../../components/format.ts';
import { notifySuccess } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { ApplicationPasswords } from './application-passwords.tsx';
import { CurrentPassword } from './current-password.tsx';
import { OwnEmail } from './own-email.tsx';
import { getPasswordMinLength, STALE, userQuery } from './queries.ts';
import { SignInSecurity } from './second-factor/sign-in-security.tsx';
import { Sessions } from './sessions.tsx';
import { AccountFacts } from './user.tsx';

/** The account of the signed-in user. */
export function Profile() {
  const me = useQuery(userQuery('me'));
  const navigate = useNavigate();
  const leaving = useChange({
    change: () => write('DELETE', '/users/me/sessions'),
    stale: [],
    async onDone() {
      await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true });
      queryClient.clear();
    },
  });
  return (
    <Page
      title="Your account"
      {...(me.data && { intro: `${toLabel(me.data.roles[0] ?? '')}, ${me.data.email}` })}
    >
      <QueryResult query={me}>
        {(user) => (
          <div className="wide-narrow">
            <Stack>
              <OwnPassword login={user.username} minLength={getPasswordMinLength(user.roles[0])} />
              <OwnEmail user={user} />
              <SignInSecurity />
              <ApplicationPasswords who="me" login={user.username} />
            </Stack>
            <Stack>
              <AccountFacts user={user} />
              <Sessions who="me">
                <ConfirmButton
                  needs="read"
                  title="Sign out everywhere?"
                  text="You will be signed out on this device too. Application passwords and passkeys stay valid."
                  confirm="Sign out"
                  isBusy={leaving.isPending}
                  onConfirm={() => leaving.mutate(undefined)}
                  button={(open) => (
                    <Button variant="default" loading={leaving.isPending} onClick={open}>
                      Sign out everywhere
                    </Button>
                  )}
                />
              </Sessions>
            </Stack>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

const EMPTY = { current_password: '', password: '' };

function OwnPassword({ login, minLength }: { login: string; minLength: number }) {
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      current_password: (value) => (value ? null : 'Enter your current password.'),
      password: (value) =>
        [...value].length >= minLength ? null : `At least ${minLength} characters.`,
    },
  });
  const change = async (fields: typeof EMPTY) => {
    await write('PUT', '/users/me', fields);
    // A new password ends all sessions, including this one.
    const session = await signIn(login, fields.password).catch(() => {
      notifySuccess('Your password was changed. Sign in again with it.');
      throw new ApiError(401, 'rest_not_logged_in', 'Sign in again.');
    });
    queryClient.setQueryData(sessionQuery.queryKey, session);
  };
  return (
    <EditForm
      needs="read"
      form={form}
      next={EMPTY}
      stale={STALE}
      send={change}
      save="Change password"
      done="Your password was changed. You are signed out everywhere else."
    >
      <Title order={2}>Change your password</Title>
      <input type="text" name="login" autoComplete="username" value={login} readOnly hidden />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <CurrentPassword
          visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description={`At least ${minLength} characters, for example four random words`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the new password', tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
    </EditForm>
  );
}
