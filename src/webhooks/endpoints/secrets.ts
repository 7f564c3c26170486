import type { Secret } from '../../platform/crypto/secret.ts';

const PURPOSE = 'webhook';

/** Encrypts the secret of an endpoint for the database. It cannot be hashed: it signs. */
export const sealSecret = (secret: Secret, text: string): string => secret.seal(PURPOSE, text);

export const unsealSecret = (secret: Secret, sealed: string): string =>
  secret.unseal(PURPOSE, sealed);
