import { createPublicKey, type KeyObject } from 'node:crypto';

/** Bytes of a public key without its DER. */
export const PUBLIC_KEY_BYTES = 32;
/** DER around a public key (RFC 8410, section 4). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** @param bytes the 32 bytes of an Ed25519 public key (RFC 8032) */
export const toPublicKey = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, bytes]), format: 'der', type: 'spki' });

/** @returns the 32 bytes of an Ed25519 public key */
export const getPublicBytes = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
