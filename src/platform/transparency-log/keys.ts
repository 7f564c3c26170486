import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { getPublicBytes, PUBLIC_KEY_BYTES, toPublicKey } from '../crypto/ed25519.ts';
import { NoteError, parseBase64 } from './encoding.ts';

/** Signature types of C2SP signed-note: Ed25519 over a note, and timestamped cosignatures of checkpoints. */
export const ED25519 = 1;
export const COSIGNATURE = 4;
export type SignatureType = typeof ED25519 | typeof COSIGNATURE;

/** A key that verifies signatures of notes. */
export interface VerifierKey {
  name: string;
  /** 8 hexadecimal digits. */
  id: string;
  type: SignatureType;
  key: KeyObject;
  /** The verifier key in the format of C2SP signed-note ("vkey"). */
  text: string;
}

/** No spaces, no plus sign, no control characters (C2SP signed-note). */
export const KEY_NAME = /^[^\s+\p{Cc}]+$/u;

/** Whether a key and a log can have a name. */
export const isKeyName = (name: unknown): name is string =>
  typeof name === 'string' && KEY_NAME.test(name);

/** @throws NoteError if the name cannot be used */
export function toVerifierKey(name: string, type: SignatureType, privateKey: KeyObject) {
  return createVerifierKey(name, type, getPublicBytes(createPublicKey(privateKey)));
}

/**
 * Reads a verifier key: `name+id+key`.
 * @throws NoteError if it is not one, or of another signature type
 */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = encoded && parseBase64(encoded);
  if (!name || !bytes) {
    throw new NoteError(
      'A verifier key has the form NAME+ID+KEY, with 8 hexadecimal digits as ID.',
    );
  }
  const [type] = bytes;
  if ((type !== ED25519 && type !== COSIGNATURE) || bytes.length !== 1 + PUBLIC_KEY_BYTES) {
    throw new NoteError(
      'A verifier key must be an Ed25519 key (type 1) or a cosignature key (type 4).',
    );
  }
  const key = createVerifierKey(name, type, bytes.subarray(1));
  if (key.id !== id) {
    throw new NoteError(`The verifier key of ${name} is damaged: its ID should be ${key.id}.`);
  }
  return key;
}

function createVerifierKey(name: string, type: SignatureType, bytes: Uint8Array): VerifierKey {
  if (!KEY_NAME.test(name)) {
    throw new NoteError('The name of a key must not be empty or contain spaces or plus signs.');
  }
  const typed = Buffer.concat([Buffer.of(type), bytes]);
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'hex');
  const id = digest.slice(0, 8);
  return {
    name,
    id,
    type,
    key: toPublicKey(bytes),
    text: `${name}+${id}+${typed.toString('base64')}`,
  };
}
