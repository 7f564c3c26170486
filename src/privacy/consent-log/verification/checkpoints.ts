import {
  NoteError,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  splitNote,
  type VerifierKey,
} from '../../../platform/transparency-log/index.ts';

/** A checkpoint that was kept outside of the log, or cosigned by a witness. */
export interface KeptCheckpoint {
  /** Where it is from, for people. */
  name: string;
  /** Signed note. */
  note: string;
  /** The public key of the witness that cosigned it; undefined for one that only the log signed. */
  witnessKey?: string | undefined;
}

/** A checkpoint whose signature was verified. */
export interface VerifiedCheckpoint {
  name: string;
  origin: string;
  size: number;
  root: Buffer;
}

/** A checkpoint that the log was compared with. */
export interface ComparedCheckpoint {
  name: string;
  /** Where it was kept: by a person, by a witness with a copy beside the log, or in the main database. */
  source: 'file' | 'witness' | 'database';
  /** Undefined if it could not be read. */
  size: number | undefined;
  /** What is wrong with it, or with the log. */
  fault: string | undefined;
  /** Whether it is of a log that was lost and replaced, so that there is nothing to compare it with. */
  isOfLostLog?: boolean;
}

/**
 * Verifies the signature of a checkpoint by the key of the log, or of a witness.
 * @throws NoteError if it is not a checkpoint of this log
 */
export function openCheckpoint(
  { name, note, witnessKey }: KeptCheckpoint,
  { origin, key }: { origin: string; key: VerifierKey },
): VerifiedCheckpoint {
  const checkpoint = parseCheckpoint(splitNote(note).text);
  // Before the signature, because the name of the log is that of its key.
  if (checkpoint.origin !== origin) {
    throw new NoteError(`It is of the log ${checkpoint.origin}, and this one is ${origin}.`);
  }
  openNote(note, [witnessKey === undefined ? key : parseVerifierKey(witnessKey)]);
  return { name, ...checkpoint, root: Buffer.from(checkpoint.root) };
}

/** @returns why a log does not begin with the entries of a checkpoint; undefined if it does */
export function compareCheckpoint(
  { size, root }: Pick<VerifiedCheckpoint, 'size' | 'root'>,
  log: { size: number; roots: ReadonlyMap<number, Uint8Array> },
): string | undefined {
  if (size > log.size) {
    return `it has ${size} entries and the log only ${log.size}: entries were removed, or the log was replaced by an older one`;
  }
  const found = log.roots.get(size);
  if (!found) return 'the entries of the log cannot be read';
  return root.equals(found) ? undefined : 'the entries were replaced';
}
