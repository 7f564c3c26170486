import type { Platform } from '../../../platform/deps.ts';

/** The id by which authenticators know a user: the same for all their passkeys, and nobody can read the user from it. */
export const getUserHandle = ({ secret }: Platform, userId: number): Buffer =>
  Buffer.from(secret.hash('passkey user', String(userId)), 'base64url');
