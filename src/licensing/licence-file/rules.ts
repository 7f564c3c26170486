import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Secret } from '../../platform/crypto/secret.ts';

/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface SigningKey {
  /** Changes with the key. */
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** The installation's key for licence files: every node has the same, and it lasts as long as the secret. */
export function deriveSigningKey(secret: Secret): SigningKey {
  const key = Buffer.concat([PKCS8_HEAD, secret.key('licence-file')]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { kid: secret.hash('licence-file-id', x).slice(0, 16), privateKey, publicKey };
}
