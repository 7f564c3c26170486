import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { ConfirmButton, EditForm, useChange } from '../../components/form.tsx';
import { formatCount, formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import { QueryResult } from '../../components/states.tsx';
import { ApplicationPasswords } from './application-passwords.tsx';
import { type PasswordReset, ROLES, STALE, type User, userQuery } from './queries.ts';

const route = getRouteApi('/inside/users/$id');

/** One user, as administrators look after them. */
export function UserScreen() {
  const { id } = route.useParams();
  const user = useQuery(userQuery(id));
  const session = useQuery(sessionQuery);
  const [reset, setReset] = useState<PasswordReset>();
  return (
    <Page title={user.data?.username ?? 'User'} back={{ to: '/users', label: 'Users' }}>
      <QueryResult query={user}>
        {(data) => {
          const isMe = data.username === session.data?.user.login;
          return (
            <div className="wide-narrow">
              <div className="stack">
                {reset && (
                  <Secret label={`New password of ${reset.username}`} value={reset.password}>
                    <p style={{ margin: 0 }}>
                      {reset.username} is signed out everywhere, and comes back in with it.
                    </p>
                  </Secret>
                )}
                <UserForm key={data.id} user={data} isMe={isMe} />
                <ApplicationPasswords who={id} login={data.username} />
              </div>
              <div className="stack">
                {data.locked_until && <Lockout user={data} until={data.locked_until} />}
                <Facts user={data} />
                {isMe ? (
                  <section className="card">
                    <h2>This is you</h2>
                    <p style={{ margin: 0 }}>
                      You change your password under <Link to="/profile">your account</Link>. Nobody
                      can delete themselves.
                    </p>
                  </section>
                ) : (
                  <Actions user={data} onReset={setReset} />
                )}
              </div>
            </div>
          );
        }}
      </QueryResult>
    </Page>
  );
}

function UserForm({ user, isMe }: { user: User; isMe: boolean }) {
  const form = useForm({
    initialValues: { email: user.email, roles: user.roles[0] ?? 'subscriber' },
    validate: {
      email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Please give an e-mail address.'),
    },
  });
  return (
    <EditForm
      form={form}
      stale={STALE}
      send={({ email, roles }) =>
        write<User>('PUT', `/users/${user.id}`, { email, ...(!isMe && { roles: [roles] }) })
      }
    >
      <div className="two">
        <TextInput label="E-mail" type="email" required {...form.getInputProps('email')} />
        <NativeSelect
          label="Role"
          description={isMe ? 'Nobody changes their own' : 'Holds from the next request on'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[...ROLES]}
          disabled={isMe}
          {...form.getInputProps('roles')}
        />
      </div>
    </EditForm>
  );
}

function Lockout({ user, until }: { user: User; until: string }) {
  const unlocking = useChange({
    change: () => write<User>('POST', `/users/${user.id}/unlock`),
    stale: STALE,
    done: `${user.username} is unlocked.`,
  });
  return (
    <section className="card stack">
      <h2 style={{ margin: 0 }}>Locked</h2>
      <p style={{ margin: 0 }}>
        Too many wrong passwords were sent for this account. At least one address or browser is
        refused until {formatMoment(until)}.
      </p>
      <div className="row">
        <Button
          variant="default"
          loading={unlocking.isPending}
          onClick={() => unlocking.mutate(undefined)}
        >
          Unlock
        </Button>
      </div>
    </section>
  );
}

export function Facts({ user }: { user: User }) {
  return (
    <section className="card">
      <h2>Account</h2>
      <dl className="facts">
        <dt>Login</dt>
        <dd>{user.username}</dd>
        <dt>Made</dt>
        <dd>{formatMoment(user.registered_date)}</dd>
        <dt>Last seen</dt>
        <dd>{user.last_seen ? formatMoment(user.last_seen) : 'Never'}</dd>
        <dt>Signed in</dt>
        <dd>{user.sessions === 0 ? 'Nowhere' : `In ${formatCount(user.sessions, 'place')}`}</dd>
      </dl>
    </section>
  );
}

function Actions({ user, onReset }: { user: User; onReset: (reset: PasswordReset) => void }) {
  const navigate = useNavigate();
  const resetting = useChange({
    change: () => write<PasswordReset>('POST', `/users/${user.id}/reset-password`),
    stale: STALE,
    onDone: onReset,
  });
  const signingOut = useChange({
    change: () => write('DELETE', `/users/${user.id}/sessions`),
    stale: STALE,
    done: `${user.username} is signed out everywhere.`,
  });
  const removing = useChange({
    change: () => write('DELETE', `/users/${user.id}`),
    stale: [['users'], ['user-events']],
    done: 'The user was deleted.',
    onDone: () => navigate({ to: '/users', search: {} }),
  });
  return (
    <section className="card stack actions-list">
      <h2 style={{ margin: 0 }}>What next</h2>
      <ConfirmButton
        title={`Reset the password of ${user.username}?`}
        text="A new one is made up and shown to you once. They are signed out everywhere; their application passwords go on working."
        confirm="Reset"
        isBusy={resetting.isPending}
        onConfirm={() => resetting.mutate(undefined)}
        button={(open) => (
          <Button variant="default" loading={resetting.isPending} onClick={open}>
            Reset the password
          </Button>
        )}
      />
      <ConfirmButton
        title={`Sign ${user.username} out everywhere?`}
        text="Every browser they are signed in with has to sign in again. Their application passwords go on working."
        confirm="Sign out"
        isBusy={signingOut.isPending}
        onConfirm={() => signingOut.mutate(undefined)}
        button={(open) => (
          <Button variant="default" loading={signingOut.isPending} onClick={open}>
            Sign out everywhere
          </Button>
        )}
      />
      <ConfirmButton
        title={`Delete ${user.username}?`}
        text="They and their programs are refused from the next request on. What they did stays in the logs. This cannot be undone."
        confirm="Delete"
        isBusy={removing.isPending}
        onConfirm={() => removing.mutate(undefined)}
        button={(open) => (
          <Button variant="subtle" color="red" onClick={open}>
            Delete this user
          </Button>
        )}
      />
    </section>
  );
}
