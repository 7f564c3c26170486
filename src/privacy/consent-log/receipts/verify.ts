import { toIsoMoment } from '../../../platform/clock.ts';
import {
  hashLeaf,
  isIncluded,
  NoteError,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  type VerifierKey,
} from '../../../platform/transparency-log/index.ts';
import { formatEntry, hashFacts, hashPersonal } from '../entries/hashing.ts';
import { parseObject, parseReceipt, type Statement } from './format.ts';

/** The signature type of keys of logs; witnesses have another. */
const LOG_KEY = 1;

/** A receipt of which everything was verified. */
export interface VerifiedReceipt {
  statement: Statement;
  personal: Record<string, unknown>;
  facts: Record<string, unknown>;
  /** See `ENTRY_KINDS`. */
  kind: number;
  /** Name of the log. */
  origin: string;
  index: number;
  /** Entries of the log at the checkpoint. */
  size: number;
  /** Whether it was read from a page, whose text was not verified. */
  isEmbedded: boolean;
  /** Whether the key of the log was given, and not only taken from the receipt. */
  isKeyKnown: boolean;
  /** Verified cosignatures of witnesses whose keys were given. `at` is ISO 8601. */
  witnesses: { name: string; at: string }[];
}

/**
 * Verifies a receipt without any server.
 * @param keys verifier keys of the log and of witnesses. Without a key of the log, the one in the receipt is used, which
 * shows that the receipt is intact, but not who issued it
 * @throws NoteError with the reason if anything is wrong
 */
export function verifyReceipt(text: string, keys: readonly string[]): VerifiedReceipt {
  const { proof, statement, note, isEmbedded } = parseReceipt(text);
  const given = keys.map(parseVerifierKey);
  const own = parseVerifierKey(statement['pavis:key']);
  const logKeys = given.filter((key) => key.type === LOG_KEY);
  if (own.type !== LOG_KEY) throw new NoteError('The receipt names no key of a log.');
  if (logKeys.length > 0 && !logKeys.some((key) => isSame(key, own)))
    throw new NoteError(`The receipt is signed with another key than the one given: ${own.text}`);
  const { text: head, signatures } = openNote(proof.checkpoint, [own, ...given]);
  if (!signatures.some(({ key }) => isSame(key, own)))
    throw new NoteError('The checkpoint is not signed with the key of the log.');
  const { origin, size, root } = parseCheckpoint(head);
  if (origin !== own.name)
    throw new NoteError(`The checkpoint is of the log ${origin}, the key of ${own.name}.`);
  openNote(note, [own]);

  const { kind, personal, facts, salt } = statement['pavis:entry'];
  const personalHash = hashPersonal(Buffer.from(salt, 'base64'), personal);
  const leaf = hashLeaf(formatEntry(kind, personalHash, hashFacts(facts)));
  const { index, path } = proof;
  if (!isIncluded({ leaf, index, size, proof: path, root }))
    throw new NoteError('The log does not have this record at this place.');
  const witnesses = signatures.flatMap(({ key, time }) =>
    time === undefined ? [] : [{ name: key.name, at: toIsoMoment(time * 1_000) }],
  );
  const isKeyKnown = logKeys.length > 0;
  const read = { personal: parseObject(personal) ?? {}, facts: parseObject(facts) ?? {} };
  if (!isRecord(read)) throw new NoteError('The entry is not that of a consent record.');
  return { statement, ...read, kind, origin, index, size, isEmbedded, isKeyKnown, witnesses };
}

/** A key signs entries about anything, so a valid signature does not make a consent record. */
function isRecord({ personal, facts }: Pick<VerifiedReceipt, 'personal' | 'facts'>): boolean {
  const { id, categories_accepted, categories_rejected, vendors_accepted, vendors_rejected } =
    facts;
  const vendors = [vendors_accepted, vendors_rejected].filter(Boolean);
  const lists = [categories_accepted, categories_rejected, ...vendors];
  const isList = (list: unknown) =>
    Array.isArray(list) && list.every((each) => typeof each === 'string');
  return typeof id === 'number' && typeof personal.created_at === 'string' && lists.every(isList);
}

const isSame = (one: VerifierKey, other: VerifierKey): boolean => one.text === other.text;
