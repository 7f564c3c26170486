import { NoteError, parseBase64, parseDecimal } from './encoding.ts';
import { HASH_BYTES } from './hashing.ts';

/** The state of a log that its key signs (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** Name of the log. */
  origin: string;
  /** Number of entries. */
  size: number;
  root: Uint8Array;
}

/**
 * The text to sign.
 * @throws NoteError if the origin, the size or the root is not that of a log
 */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  const text = `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
  if (parseCheckpoint(text).origin !== origin) {
    throw new NoteError('The name of a log must be one line.');
  }
  return text;
}

/**
 * Reads the text of a checkpoint, without signatures. Extension lines are ignored.
 * @throws NoteError if it is not one
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, digits, encoded = '', ...rest] = text.split('\n');
  const size = parseDecimal(digits);
  const root = parseBase64(encoded);
  const isEnded = rest.at(-1) === '' && !rest.slice(0, -1).includes('');
  if (!origin || size === undefined || root?.length !== HASH_BYTES || !isEnded) {
    throw new NoteError(
      'A checkpoint has three lines: the name of the log, its size, and its root hash in base64.',
    );
  }
  return { origin, size, root };
}
