import type { SecondFactor } from '../queries.ts';

/** Whether the role of the user requires a second factor and there is only one, which the server does not remove then. */
export const isOnlyRequiredFactor = ({
  required,
  authenticator_app,
  passkeys,
}: SecondFactor): boolean =>
  required && passkeys.length + (authenticator_app === null ? 0 : 1) === 1;
