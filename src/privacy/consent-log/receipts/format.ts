import { hash } from 'node:crypto';
import {
  formatProof,
  NoteError,
  type ProofFile,
  parseProof,
  type Signer,
  splitNote,
} from '../../../platform/transparency-log/index.ts';
import { SALT_BYTES } from '../entries/hashing.ts';
import { type JsonValue, toCanonicalJson } from '../records/canonical-json.ts';

/** What anyone needs to compute the entry of a consent record. */
export interface EntryInput {
  kind: number;
  /** The hashed texts: personal data and facts, as canonical JSON. */
  personal: string;
  facts: string;
  /** Base64. */
  salt: string;
}

/** What a receipt states: a consent record by ISO/IEC TS 27560, with the terms of the Data Privacy Vocabulary. */
export type Statement = { readonly [name: string]: JsonValue | undefined } & {
  'pavis:entry': EntryInput & { readonly [name: string]: JsonValue | undefined };
  /** The verifier key of the log. It says who signed only to somebody who knows it from elsewhere. */
  'pavis:key': string;
};

const SIGNATURE = 'pavis:signature';
/** In a readable receipt, the element that holds the proof. */
const EMBEDDED = /<pre id="proof">([^<]*)<\/pre>/;

/** What the operator signs. The name of a log contains a slash, so no checkpoint has this first line. */
const toSignedText = (statement: string): string =>
  `pavis-consent-receipt-v1\n${hash('sha256', statement, 'base64')}\n`;

/** The receipt as a C2SP tlog-proof. */
export function formatReceipt(
  statement: Statement,
  proof: Omit<ProofFile, 'extra'>,
  signer: Signer,
): string {
  const note = signer.sign(toSignedText(toCanonicalJson(statement)));
  const signature = note.slice(note.lastIndexOf('\n\n') + 2).trimEnd();
  const extra = Buffer.from(toCanonicalJson({ ...statement, [SIGNATURE]: signature }));
  return formatProof({ ...proof, extra });
}

/** A receipt that is read, not verified. */
export interface ParsedReceipt {
  proof: ProofFile;
  statement: Statement;
  /** The signed note about the statement. */
  note: string;
  /** Whether it is in a page, whose text is not part of it. */
  isEmbedded: boolean;
}

/**
 * Reads a receipt: the proof, or the readable page with the proof in it. Mail programs and editors can turn its line ends
 * into those of Windows, change how it ends, and begin it with a byte order mark.
 * @throws NoteError if it is not one
 */
export function parseReceipt(text: string): ParsedReceipt {
  const lines = text.replaceAll('\r\n', '\n');
  const embedded = EMBEDDED.exec(lines)?.[1];
  const proof = parseProof(`${(embedded ?? lines).trim()}\n`);
  const wrong = () => new NoteError('The proof has no statement of a Pavis consent receipt.');
  if (!proof.extra) throw wrong();
  const json = Buffer.from(proof.extra).toString();
  const all = parseObject(json);
  const isCanonical = all && toCanonicalJson(all) === json && Buffer.from(json).equals(proof.extra);
  if (!isCanonical) throw wrong();
  const { [SIGNATURE]: signature, ...statement } = all;
  if (typeof signature !== 'string' || !isStatement(statement)) throw wrong();
  const note = `${toSignedText(toCanonicalJson(statement))}\n${signature}\n`;
  splitNote(note);
  return { proof, statement, note, isEmbedded: embedded !== undefined };
}

/** Whether a text is a receipt, valid or not. */
export function isReceipt(text: string): boolean {
  try {
    parseReceipt(text);
    return true;
  } catch (error) {
    if (error instanceof NoteError) return false;
    throw error;
  }
}

/** Undefined unless it is a JSON object. */
export function parseObject(json: string): Record<string, JsonValue> | undefined {
  try {
    const value = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStatement(value: Record<string, unknown>): value is Statement {
  const entry = value['pavis:entry'] as Partial<EntryInput> | undefined;
  return (
    typeof value['pavis:key'] === 'string' &&
    typeof entry?.kind === 'number' &&
    Uint8Array.of(entry.kind)[0] === entry.kind &&
    typeof entry.personal === 'string' &&
    typeof entry.facts === 'string' &&
    typeof entry.salt === 'string' &&
    isSalt(entry.salt)
  );
}

function isSalt(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === SALT_BYTES && bytes.toString('base64') === text;
}
