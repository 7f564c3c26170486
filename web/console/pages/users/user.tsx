import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Facts } from '../../components/facts.tsx';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { formatCount, formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { signInOptionsQuery } from '../single-sign-on/queries.ts';
import { ApplicationPasswords } from './application-passwords.tsx';
import { EmailConfirmation } from './email-confirmation.tsx';
import { type PasswordReset, STALE, secondFactorQuery, type User, userQuery } from './queries.ts';
import { Sessions } from './sessions.tsx';
import { UserForm } from './user-form.tsx';

const route = getRouteApi('/app/users/$id');

/** The account of one user, for administrators. */
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
              <Stack>
                {reset && (
                  <Secret label={`New password of ${reset.username}`} value={reset.password}>
                    <Text>
                      {reset.username} is signed out everywhere and can sign in with this password.
                    </Text>
                  </Secret>
                )}
                <UserForm key={data.id} user={data} isMe={isMe} />
                <ApplicationPasswords who={id} login={data.username} />
              </Stack>
              <Stack>
                {data.locked_until && <Lockout user={data} until={data.locked_until} />}
                {!isMe && !data.email_confirmed && <EmailConfirmation user={data} />}
                <AccountFacts user={data} />
                {!isMe && <Sessions who={id} />}
                {isMe ? (
                  <Section title="Your account">
                    <Text>
                      Change your password in <Link to="/profile">your account</Link>. You cannot
                      delete your own user.
                    </Text>
                  </Section>
                ) : (
                  <Actions user={data} onReset={setReset} />
                )}
              </Stack>
            </div>
          );
        }}
      </QueryResult>
    </Page>
  );
}

function Lockout({ user, until }: { user: User; until: string }) {
  const unlocking = useChange({
    change: () => write<User>('POST', `/users/${user.id}/unlock`),
    stale: STALE,
    done: `${user.username} is unlocked.`,
  });
  return (
    <Section title="Locked">
      <Text>
        Too many failed sign-ins. At least one address or browser is blocked until{' '}
        {formatMoment(until)}.
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          loading={unlocking.isPending}
          onClick={() => unlocking.mutate(undefined)}
        >
          Unlock
        </Button>
      </Group>
    </Section>
  );
}

export function AccountFacts({ user }: { user: User }) {
  return (
    <Section title="Account">
      <Facts
        items={[
          ['Login', user.username],
          ['Created', formatMoment(user.registered_date)],
          ['Last seen', user.last_seen ? formatMoment(user.last_seen) : 'Never'],
          ['Active sessions', formatCount(user.sessions, 'session')],
        ]}
      />
    </Section>
  );
}

const describeNextLink = ({ email, email_confirmed }: User) =>
  email_confirmed
    ? `The next person who signs in with the provider as ${email} is linked: correct the address first if it is not that of the user, which unlinks as well.`
    : 'Confirm the address as well: until then nobody is linked by it.';

function Actions({ user, onReset }: { user: User; onReset: (reset: PasswordReset) => void }) {
  const navigate = useNavigate();
  const resetting = useChange({
    change: () => write<PasswordReset>('POST', `/users/${user.id}/reset-password`),
    stale: STALE,
    onDone: onReset,
  });
  const factor = useQuery(secondFactorQuery(String(user.id)));
  const hasFactor = factor.data?.authenticator_app || factor.data?.passkeys.length;
  const isMailSent = useQuery(sessionQuery).data?.is_mail_sent ?? true;
  // Identities of a former provider stay linked.
  const hasProvider = useQuery(signInOptionsQuery).data?.single_sign_on !== null;
  const resettingFactor = useChange({
    change: () => write('POST', `/users/${user.id}/reset-second-factor`),
    stale: STALE,
    done: `The second factor of ${user.username} was reset.`,
  });
  const unlinking = useChange({
    change: () => write<User>('POST', `/users/${user.id}/unlink-single-sign-on`),
    stale: STALE,
    done: `${user.username} is unlinked from single sign-on.`,
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
    onDone: () => navigate({ to: '/users', search: {}, ignoreBlocker: true }),
  });
  return (
    <Section title="Actions">
      <ConfirmButton
        title={`Reset the password of ${user.username}?`}
        text="A new password is generated and shown once. The user is signed out everywhere. Application passwords and passkeys stay valid."
        confirm="Reset"
        isBusy={resetting.isPending}
        onConfirm={() => resetting.mutate(undefined)}
        button={(open) => (
          <Button variant="default" loading={resetting.isPending} onClick={open}>
            Reset password
          </Button>
        )}
      />
      {hasFactor ? (
        <ConfirmButton
          title={`Reset the second factor of ${user.username}?`}
          text={`The authenticator app, passkeys and recovery codes are removed. The user then signs in with the password alone, and sets up another one if the role requires it. ${
            isMailSent
              ? 'The user gets an email.'
              : 'This server sends no email: tell the user yourself.'
          } Make sure that it is really them who asked.`}
          confirm="Reset"
          isBusy={resettingFactor.isPending}
          onConfirm={() => resettingFactor.mutate(undefined)}
          button={(open) => (
            <Button variant="default" loading={resettingFactor.isPending} onClick={open}>
              Reset second factor
            </Button>
          )}
        />
      ) : null}
      {user.single_sign_on && (
        <ConfirmButton
          title={`Unlink single sign-on of ${user.username}?`}
          text={`The linked identity no longer signs in to this account, and the user is signed out everywhere.${hasProvider ? ` ${describeNextLink(user)}` : ''}`}
          confirm="Unlink"
          isBusy={unlinking.isPending}
          onConfirm={() => unlinking.mutate(undefined)}
          button={(open) => (
            <Button variant="default" loading={unlinking.isPending} onClick={open}>
              Unlink single sign-on
            </Button>
          )}
        />
      )}
      <ConfirmButton
        title={`Sign ${user.username} out everywhere?`}
        text="All sessions of this user end. Application passwords and passkeys stay valid."
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
        text="The user and their application passwords are rejected from the next request on. Log entries stay. This cannot be undone."
        confirm="Delete"
        isBusy={removing.isPending}
        onConfirm={() => removing.mutate(undefined)}
        button={(open) => (
          <Button variant="subtle" color="red" onClick={open}>
            Delete user
          </Button>
        )}
      />
    </Section>
  );
}
