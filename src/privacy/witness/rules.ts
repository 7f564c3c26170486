import {
  type Checkpoint,
  EMPTY_ROOT,
  HASH_BYTES,
  isConsistent,
  NoteError,
  openNote,
  parseCheckpoint,
  splitNote,
  type VerifierKey,
} from '../../platform/transparency-log/index.ts';

const PROOF_MAX = 63;

/** The body of `add-checkpoint` (C2SP tlog-witness). */
export interface Submission {
  /** Size of the tree that the proof starts from. */
  old: number;
  proof: Buffer[];
  /** The checkpoint as a signed note. */
  note: string;
}

/** @throws NoteError if it is not a submission */
export function parseSubmission(body: string): Submission {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const old = /^old (0|[1-9]\d{0,15})$/.exec(first)?.[1];
  if (old === undefined || !Number.isSafeInteger(Number(old))) {
    throw new NoteError('The request must start with a line "old SIZE" and lines of the proof.');
  }
  if (lines.length > PROOF_MAX) {
    throw new NoteError(`A consistency proof has at most ${PROOF_MAX} lines.`);
  }
  const proof = lines.map((line) => {
    const hash = Buffer.from(line, 'base64');
    if (hash.length === HASH_BYTES && hash.toString('base64') === line) return hash;
    throw new NoteError('Each line of the consistency proof must be a SHA-256 hash in base64.');
  });
  return { old: Number(old), proof, note: body.slice(end + 2) };
}

/**
 * The state of the log that a note is about, before its signatures are verified.
 * @throws NoteError if it is not a checkpoint
 */
export const readCheckpoint = (note: string): Checkpoint => parseCheckpoint(splitNote(note).text);

/** What a witness knows of a log. */
interface KnownLog {
  key: VerifierKey;
  size: number;
  root: Uint8Array;
}

/** Why a checkpoint is not cosigned, as an HTTP status. */
export type Refusal =
  | { status: 400 | 403 | 422; message: string }
  /** `isOtherHistory`: the log shows a second history of this size, and is not only behind or ahead of the witness. */
  | { status: 409; message: string; size: number; isOtherHistory: boolean };

/**
 * Decides on a submission for a known log, in the order of C2SP tlog-witness.
 * @returns the text to cosign and the line of the log's signature, or why it is refused
 */
export function verifySubmission(
  { old, proof, note }: Submission,
  log: KnownLog,
): { text: string; signature: string } | Refusal {
  let opened: ReturnType<typeof openNote>;
  try {
    opened = openNote(note, [log.key]);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { status: 403, message: error.message };
  }
  const { text, signatures } = opened;
  const { size, root } = parseCheckpoint(text);
  if (old > size) {
    return { status: 400, message: `The old size ${old} is above the size ${size}.` };
  }
  if (old !== log.size) {
    const message = `The witness has cosigned the size ${log.size}, not ${old}.`;
    return { status: 409, message, size: log.size, isOtherHistory: false };
  }
  if (old === size && Buffer.compare(root, log.root) !== 0) {
    const message = `The witness has cosigned another root hash for the size ${size}.`;
    return { status: 409, message, size: log.size, isOtherHistory: true };
  }
  const claim = { fromSize: old, fromRoot: log.root, toSize: size, toRoot: root, proof };
  const isRootOfSize = size > 0 || Buffer.compare(root, EMPTY_ROOT) === 0;
  if (isConsistent(claim) && isRootOfSize) {
    return { text, signature: signatures.map(({ line }) => line).join('') };
  }
  return {
    status: 422,
    message: `The checkpoint does not continue the log of ${old} entries that the witness has cosigned.`,
  };
}
