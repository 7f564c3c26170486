import { sign, verify } from 'node:crypto';
import { toPrivateKey } from '../crypto/ed25519.ts';
import { parseCheckpoint } from './checkpoints.ts';
import { NoteError, parseBase64 } from './encoding.ts';
import { COSIGNATURE, ED25519, KEY_NAME, toVerifierKey, type VerifierKey } from './keys.ts';

const ID_BYTES = 4;
const TIME_BYTES = 8;
/** 9999-12-31T23:59:59Z. */
const TIME_MAX = 253_402_300_799n;
const SIGNATURES_MAX = 100;
/** The largest note that is read, in characters. */
const NOTE_MAX = 200_000;
const SIGNATURE_LINE = /^\u2014 (\S+) (\S+)$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a note must not have
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

interface NoteSignature {
  name: string;
  /** 8 hexadecimal digits. */
  id: string;
  bytes: Buffer;
  line: string;
}

/** A signature that was verified. */
export interface VerifiedSignature {
  key: VerifierKey;
  /** The time of a cosignature, in seconds since 1970. */
  time?: number;
  line: string;
}

export interface Signer {
  name: string;
  verifierKey: string;
  /**
   * @returns the note: the text with its signature
   * @throws NoteError if the text cannot be that of a note
   */
  sign: (text: string) => string;
}

export interface Cosigner {
  name: string;
  verifierKey: string;
  /**
   * @param text of the checkpoint, without signatures
   * @param time in seconds since 1970
   * @returns the line of the cosignature, with its newline
   * @throws NoteError if the text is not that of a checkpoint
   */
  cosign: (text: string, time: number) => string;
}

/**
 * @param seed Ed25519 private key, 32 bytes
 * @throws NoteError if the name cannot be used
 */
export function createSigner(name: string, seed: Uint8Array): Signer {
  const key = toPrivateKey(seed);
  const verifier = toVerifierKey(name, ED25519, key);
  return {
    name,
    verifierKey: verifier.text,
    sign(text) {
      const note = `${text}\n${formatLine(verifier, sign(null, Buffer.from(text), key))}`;
      splitNote(note);
      return note;
    },
  };
}

/**
 * Signs checkpoints of others (C2SP tlog-cosignature, `cosignature/v1`).
 * @param seed Ed25519 private key, 32 bytes; not one that signs a log
 * @throws NoteError if the name cannot be used
 */
export function createCosigner(name: string, seed: Uint8Array): Cosigner {
  const key = toPrivateKey(seed);
  const verifier = toVerifierKey(name, COSIGNATURE, key);
  return {
    name,
    verifierKey: verifier.text,
    cosign(text, time) {
      parseCheckpoint(text);
      const stamp = Buffer.alloc(TIME_BYTES);
      stamp.writeBigUInt64BE(BigInt(time));
      const signature = sign(null, toCosignedMessage(text, time), key);
      return formatLine(verifier, Buffer.concat([stamp, signature]));
    },
  };
}

/**
 * Verifies the signatures of a note by known keys; others are ignored (C2SP signed-note).
 * @throws NoteError if it is not a note, no known key has signed it, or a signature of a known key is wrong
 */
export function openNote(
  note: string,
  keys: readonly VerifierKey[],
): { text: string; signatures: VerifiedSignature[] } {
  const { text, signatures } = splitNote(note);
  const verified: VerifiedSignature[] = [];
  for (const signature of signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.id);
    if (!key) continue;
    const checked = verifySignature(text, signature, key);
    if (!verified.some((each) => each.key === key)) verified.push(checked);
  }
  if (verified.length === 0) throw new NoteError('No known key has signed the note.');
  return { text, signatures: verified };
}

/**
 * Separates the text of a note from its signatures, which are not verified.
 * @throws NoteError if it is not a note
 */
export function splitNote(note: string): { text: string; signatures: NoteSignature[] } {
  const end = note.lastIndexOf('\n\n');
  const isText = note.length <= NOTE_MAX && !CONTROL.test(note) && note.isWellFormed();
  if (end < 0 || !note.endsWith('\n') || !isText) {
    throw new NoteError('A signed note is a text, an empty line, and lines with signatures.');
  }
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) {
    throw new NoteError(`A signed note has at most ${SIGNATURES_MAX} signatures.`);
  }
  return { text: note.slice(0, end + 1), signatures: lines.map(parseLine) };
}

function parseLine(line: string): NoteSignature {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = encoded && parseBase64(encoded);
  if (!name || !KEY_NAME.test(name) || !bytes || bytes.length <= ID_BYTES) {
    throw new NoteError('The signed note has a line that is not a signature.');
  }
  return {
    name,
    id: bytes.toString('hex', 0, ID_BYTES),
    bytes: bytes.subarray(ID_BYTES),
    line: `${line}\n`,
  };
}

function verifySignature(
  text: string,
  { bytes, line }: NoteSignature,
  key: VerifierKey,
): VerifiedSignature {
  const wrong = () => new NoteError(`The signature of ${key.name} is wrong.`);
  if (key.type === ED25519) {
    if (!verify(null, Buffer.from(text), key.key, bytes)) throw wrong();
    return { key, line };
  }
  if (bytes.length <= TIME_BYTES) throw wrong();
  const stamp = bytes.readBigUInt64BE();
  if (stamp > TIME_MAX) throw wrong();
  const time = Number(stamp);
  const message = toCosignedMessage(text, time);
  if (!verify(null, message, key.key, bytes.subarray(TIME_BYTES))) throw wrong();
  return { key, time, line };
}

const toCosignedMessage = (text: string, time: number): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);

const formatLine = ({ name, id }: VerifierKey, signature: Uint8Array): string =>
  `\u2014 ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`;
