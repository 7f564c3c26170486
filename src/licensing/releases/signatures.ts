import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { getPublicBytes, PUBLIC_KEY_BYTES, toPublicKey } from '../../platform/crypto/ed25519.ts';

/**
 * Signatures as WordPress checks those of its own packages (`verify_file_signature`): Ed25519 over the raw SHA-384 of
 * the file, in base64. Keys are 32 bytes in base64, as in `wp_trusted_keys`.
 */

const SIGNATURE_BYTES = 64;

function decode(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined;
}

export const isPublicKey = (text: string): boolean => decode(text, PUBLIC_KEY_BYTES) !== undefined;

const digest = (file: Uint8Array): Buffer => createHash('sha384').update(file).digest();

/**
 * @param signature in base64
 * @param publicKey in base64
 */
export function isSignedBy(file: Uint8Array, signature: string, publicKey: string): boolean {
  const [key, bytes] = [decode(publicKey, PUBLIC_KEY_BYTES), decode(signature, SIGNATURE_BYTES)];
  if (!key || !bytes) return false;
  return verify(null, digest(file), toPublicKey(key), bytes);
}

const toPublicText = (key: KeyObject): string => getPublicBytes(key).toString('base64');

/** A new pair: the private key as PEM (PKCS #8), the public one in base64. */
export function createReleaseKey(): { privateKey: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519');
  return {
    privateKey: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: toPublicText(pair.publicKey),
  };
}

/**
 * @param privateKey as PEM
 * @returns the signature and the public key, in base64; undefined if the key is not an Ed25519 private key
 */
export function signFile(
  file: Uint8Array,
  privateKey: string,
): { signature: string; publicKey: string } | undefined {
  let key: KeyObject;
  try {
    key = createPrivateKey(privateKey);
  } catch {
    return undefined;
  }
  if (key.asymmetricKeyType !== 'ed25519') return undefined;
  return {
    signature: sign(null, digest(file), key).toString('base64'),
    publicKey: toPublicText(createPublicKey(key)),
  };
}
