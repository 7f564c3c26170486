import { createPublicKey, type KeyObject } from 'node:crypto';
import { toPrivateKey } from '../../platform/crypto/ed25519.ts';
import type { Secret } from '../../platform/crypto/secret.ts';

/** A key that signs licence files and leases. */
export interface SigningKey {
  /** Changes with the key. */
  kid: string;
  privateKey: KeyObject;
  /** `x` of its JSON Web Key (RFC 8037). */
  publicKey: string;
}

/** @param seed 32 bytes (RFC 8032, section 5.1.5) */
export function toSigningKey(secret: Secret, seed: Buffer): SigningKey {
  const privateKey = toPrivateKey(seed);
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { kid: secret.hash('licence-file-id', x).slice(0, 16), privateKey, publicKey: x };
}

/** The first key. It is derived from the secret, so it is the same on all nodes and needs no row. */
export const deriveFirstKey = (secret: Secret): SigningKey =>
  toSigningKey(secret, secret.key('licence-file'));
