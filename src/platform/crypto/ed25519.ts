import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Bytes of a public key without its DER. */
export const PUBLIC_KEY_BYTES = 32;
/** DER around a public key (RFC 8410, section 4). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** DER around a seed (RFC 8410, section 7). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed the private key, 32 bytes (RFC 8032, section 5.1.5) */
export const toPrivateKey = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });

/** @param bytes the 32 bytes of an Ed25519 public key (RFC 8032) */
export const toPublicKey = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, bytes]), format: 'der', type: 'spki' });

/** @returns the 32 bytes of an Ed25519 public key */
export const getPublicBytes = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
