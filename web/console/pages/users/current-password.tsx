import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from '../single-sign-on/queries.ts';

/** A field for the current password. Users with single sign-on may have none: it says how to get one. */
export function CurrentPassword({ purpose, ...input }: PasswordInputProps & { purpose?: string }) {
  const options = useQuery(signInOptionsQuery).data;
  const way = options?.password_reset
    ? 'set one with “Forgot your password?” on the sign-in page'
    : 'ask an administrator to reset your password';
  const hint =
    options?.single_sign_on && `If you have none, because you sign in with single sign-on, ${way}.`;
  return (
    <PasswordInput
      label="Current password"
      description={[purpose, hint].filter(Boolean).join(' ') || undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="current-password"
      {...input}
    />
  );
}
