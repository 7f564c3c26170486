import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { signInOptionsQuery } from '../single-sign-on/queries.ts';
import { STALE, type User } from './queries.ts';

/** Confirms the address that a user has entered. Only single sign-on asks whether it is confirmed. */
export function EmailConfirmation({
  user: { id, username, email, single_sign_on },
}: {
  user: User;
}) {
  const provider = useQuery(signInOptionsQuery).data?.single_sign_on;
  const confirming = useChange({
    // The unchanged address confirms it.
    change: () => write<User>('PUT', `/users/${id}`, { email }),
    stale: STALE,
    done: `The address of ${username} is confirmed.`,
  });
  if (!provider) return null;
  return (
    <Section title="Email address not confirmed">
      <Text>
        {username} has entered this address, and nobody has confirmed that it is theirs. Sign-in
        with {provider.name} does not use it.
      </Text>
      <ConfirmButton
        title={`Confirm the address of ${username}?`}
        text={`The person who has ${email} at ${provider.name} can then sign in to this account, which gets their role if roles come from there.${single_sign_on ? ` While another identity of ${provider.name} is linked, they cannot: unlink it as well.` : ''} Ask them first whether the account is theirs.`}
        confirm="Confirm"
        isBusy={confirming.isPending}
        onConfirm={() => confirming.mutate(undefined)}
        button={(open) => (
          <Button variant="default" loading={confirming.isPending} onClick={open}>
            Confirm address
          </Button>
        )}
      />
    </Section>
  );
}
