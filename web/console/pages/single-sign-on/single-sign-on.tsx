import { Alert, Button } from '@mantine/core';

/** Why a provider did not sign the user in, by the reason that the server puts into the address. */
const REASONS: Record<string, string> = {
  provider_unavailable:
    'The sign-in provider does not respond. Sign in with your password, or try again in a moment.',
  provider_refused: 'The provider did not sign you in. Try again, or sign in with your password.',
  sign_in_expired: 'The sign-in took too long, or was started in another browser. Try again.',
  sign_in_failed: 'The response of the provider is not valid. Try again, or tell an administrator.',
  too_many_attempts: 'Too many sign-ins from your network. Try again in 15 minutes.',
  email_not_verified:
    'The provider does not say that your email address is verified. Verify it there, then try again. If it is verified, an administrator can set up the provider to send “email_verified”. If the provider cannot do so, sign in with your password.',
  email_not_confirmed:
    'A user has entered this address for their account, and nobody has confirmed that it is theirs. Ask an administrator to check whose account it is.',
  other_identity:
    'The account with your email address is linked to another identity of the provider. If the account is yours, ask an administrator to choose “Unlink single sign-on” on the page of your user.',
  no_role: 'The provider grants you no role in Pavis. Ask an administrator.',
  no_account: 'You have no account with this email address. Ask an administrator to create one.',
  last_administrator:
    'The provider would take away the role of the last administrator. Sign in with your password, and make someone else an administrator.',
};

export const ProviderError = ({ reason }: { reason: string }) => (
  <Alert color="red" role="alert">
    {REASONS[reason] ?? 'You could not be signed in. Try again.'}
  </Alert>
);

/** The button that leads to the provider. */
export const ProviderSignIn = ({ name, next }: { name: string; next: string | undefined }) => (
  <Button
    variant="default"
    component="a"
    href={`/console/single-sign-on${next ? `?${new URLSearchParams({ next })}` : ''}`}
  >
    Sign in with {name}
  </Button>
);
