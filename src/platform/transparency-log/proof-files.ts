import { NoteError, parseBase64, parseDecimal } from './encoding.ts';
import { HASH_BYTES } from './hashing.ts';

const HEADER = 'c2sp.org/tlog-proof@v1';

/** The proof that a log has an entry, which can be verified offline (C2SP tlog-proof). */
export interface ProofFile {
  /** What the reader needs to compute the entry. It is not signed. */
  extra?: Uint8Array | undefined;
  index: number;
  /** The audit path, from the sibling of the leaf up. */
  path: readonly Uint8Array[];
  /** The checkpoint as a signed note, with cosignatures. */
  checkpoint: string;
}

export function formatProof({ extra, index, path, checkpoint }: ProofFile): string {
  const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const lines = [HEADER, ...(extra ? [`extra ${toText(extra)}`] : []), `index ${index}`];
  return `${[...lines, ...path.map(toText)].join('\n')}\n\n${checkpoint}`;
}

/** @throws NoteError if it is not a proof. The checkpoint is not opened. */
export function parseProof(text: string): ProofFile {
  const end = text.indexOf('\n\n');
  const [header, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  if (header !== HEADER) throw new NoteError(`A proof starts with the line ${HEADER}.`);
  const extra = lines[0]?.startsWith('extra ') ? parseBase64(lines[0].slice(6)) : undefined;
  if (extra) lines.shift();
  const [named, ...rest] = lines;
  const index = named?.startsWith('index ') ? parseDecimal(named.slice(6)) : undefined;
  if (index === undefined)
    throw new NoteError('The proof has no line with the index of its entry.');
  const path = rest.map((line) => {
    const hash = parseBase64(line);
    if (hash?.length !== HASH_BYTES) throw new NoteError('The proof has a damaged hash.');
    return hash;
  });
  return { extra, index, path, checkpoint: text.slice(end + 2) };
}
