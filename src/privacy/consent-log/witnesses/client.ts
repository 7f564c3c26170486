import {
  NoteError,
  openNote,
  parseVerifierKey,
  proveConsistency,
  type ReadTile,
} from '../../../platform/transparency-log/index.ts';
import { postText, type WitnessResponse } from './network.ts';

/** A witness as the settings name it. */
export interface WitnessAddress {
  /** The prefix before `/add-checkpoint`. */
  url: string;
  /** Verifier key. */
  key: string;
}

/** A checkpoint of this log that is to be cosigned. */
export interface OwnCheckpoint {
  size: number;
  /** Signed note. */
  note: string;
  readTile: ReadTile;
}

export type CosignResult =
  | { cosignature: string; time: number }
  /** The witness has cosigned something that this log does not continue. */
  | { contradiction: string }
  | { error: string };

/**
 * Asks a witness for its cosignature (C2SP tlog-witness).
 * @param from number of entries that it has last cosigned, as far as is known
 * @throws WitnessUnreachableError if there is no response
 */
export async function cosignCheckpoint(
  witness: WitnessAddress,
  own: OwnCheckpoint,
  from: number,
  options: { allowsPrivate: boolean; signal: AbortSignal },
): Promise<CosignResult> {
  const url = new URL(`${witness.url.replace(/\/+$/, '')}/add-checkpoint`);
  const submit = async (old: number) => postText(url, await formatSubmission(own, old), options);
  const first = Math.min(from, own.size);
  const response = await submit(first);
  if (response.status !== 409) return readResponse(response, witness, own);
  const size = readSize(response.text);
  if (first === own.size && (size ?? first) === first) return OTHER_ENTRIES;
  if (size === undefined) return { error: 'The witness answered 409 without a size.' };
  if (size > own.size) {
    return {
      contradiction: `The witness has cosigned ${size} entries, but this log has only ${own.size}: entries were removed, or the log was restored from a backup.`,
    };
  }
  if (size === first) return { error: BUSY };
  const second = await submit(size);
  const isOther =
    second.status === 409 && size === own.size && (readSize(second.text) ?? size) === size;
  return isOther ? OTHER_ENTRIES : readResponse(second, witness, own);
}

/** The size in a response with status 409. A witness that names none, or that of the request, knows another root hash. */
function readSize(text: string): number | undefined {
  const known = /^(0|[1-9]\d{0,15})\n$/.exec(text)?.[1];
  return known === undefined ? undefined : Number(known);
}

const BUSY = 'The witness is busy with another request.';
const OTHER_ENTRIES = {
  contradiction:
    'The witness has cosigned entries that are not in this log: entries were changed or removed.',
};

async function formatSubmission({ size, note, readTile }: OwnCheckpoint, old: number) {
  const proof = await proveConsistency(readTile, old, size);
  return [`old ${old}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');
}

function readResponse(
  { status, text }: WitnessResponse,
  { key }: WitnessAddress,
  { note }: OwnCheckpoint,
): CosignResult {
  if (status === 422) return OTHER_ENTRIES;
  if (status === 404) {
    return {
      error: 'The witness does not know this log. Ask its operator to add the verifier key.',
    };
  }
  if (status === 403) return { error: 'The witness knows this log with another verifier key.' };
  if (status === 409) return { error: BUSY };
  if (status !== 200) return { error: `The witness answered with status ${status}.` };
  try {
    const { signatures } = openNote(note + text, [parseVerifierKey(key)]);
    const [signature] = signatures;
    if (signature?.time !== undefined) {
      return { cosignature: signature.line, time: signature.time };
    }
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
  return { error: 'The response is not signed with the verifier key of the witness.' };
}
