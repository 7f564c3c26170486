import type { TooManyFailures } from './sign-in.ts';

/** The same for a login that nobody has. */
export function describeLockout({
  retryAfterSeconds,
  isKnownDevice,
  canBeUnlocked,
}: TooManyFailures): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const remedies = [
    ...(isKnownDevice ? [] : ['use a browser in which you have signed in before']),
    ...(canBeUnlocked ? ['ask an administrator to unlock your account'] : []),
  ];
  return `Too many failed sign-ins. Try again in ${wait}. To sign in earlier, ${remedies.join(', or ')}.`;
}
