import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Secret } from '../../platform/crypto/secret.ts';

/** The PKCS #8 prefix of an Ed25519 private key (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface SigningKey {
  /** Changes with the key. */
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** The signing key of licence files, derived from the secret and so the same on all nodes. */
export function deriveSigningKey(secret: Secret): SigningKey {
  const key = Buffer.concat([PKCS8_HEAD, secret.key('licence-file')]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { kid: secret.hash('licence-file-id', x).slice(0, 16), privateKey, publicKey };
}
