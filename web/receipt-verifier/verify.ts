/** What a receipt says, after everything in it was verified. */
export interface Verified {
  statement: Record<string, unknown> & { 'pavis:key': string };
  personal: Record<string, unknown>;
  facts: Record<string, unknown>;
  kind: number;
  origin: string;
  index: number;
  size: number;
  /** Whether it was read from a page, whose text was not verified. */
  isEmbedded: boolean;
  /** Whether the key of the log was given, and not only taken from the receipt. */
  isKeyKnown: boolean;
  /** Verified cosignatures of witnesses whose keys were given; times in epoch seconds. */
  witnesses: { name: string; time: number }[];
}

/** Why a receipt is refused; the page has a text for each. */
export type Fault =
  | 'no_receipt'
  | 'wrong_key_text'
  | 'other_key'
  | 'checkpoint'
  | 'signature'
  | 'inclusion'
  | 'no_bundle';

export class VerifyError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Key {
  text: string;
  name: string;
  id: string;
  type: number;
  bytes: Bytes;
}

export const LOG_KEY = 1;
const WITNESS_KEY = 4;
/** 9999-12-31T23:59:59Z. */
const TIME_MAX = 253_402_300_799;
const HEADER = 'c2sp.org/tlog-proof@v1';
const EMBEDDED = /<pre id="proof">([^<]*)<\/pre>/;
const SIGNATURE = 'pavis:signature';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a note must not have
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

const encoder = new TextEncoder();
const toBytes = (text: string) => encoder.encode(text) as Bytes;
export const sha256 = async (...parts: Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', join(parts)));
const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/**
 * Verifies a receipt, without a server: C2SP tlog-proof, signed-note and tlog-cosignature, RFC 9162 section 2.1.3.2.
 * @param keys verifier keys of the log and of witnesses
 * @throws VerifyError if anything is wrong
 */
export async function verifyReceipt(file: string, keys: readonly string[]): Promise<Verified> {
  // Mail programs and editors can turn the line ends into those of Windows, and change how the text begins and ends.
  const lines = file.replaceAll('\r\n', '\n');
  const embedded = EMBEDDED.exec(lines)?.[1];
  const given = await Promise.all(keys.map(parseKey));
  const { extra, index, path, checkpoint } = parseProof(`${(embedded ?? lines).trim()}\n`);
  const { statement, signature } = parseStatement(extra);
  const own = await parseKey(statement['pavis:key']);
  if (own.type !== LOG_KEY) throw new VerifyError('no_receipt');
  const { origin, size, root, isKeyKnown, witnesses } = await verifyCheckpoint(
    checkpoint,
    own,
    given,
  );

  const digest = toBase64(await sha256(toBytes(toCanonicalJson(statement))));
  const signed = splitNote(`pavis-consent-receipt-v1\n${digest}\n\n${signature}\n`);
  const isSigned = await verifySignatures(signed, [own]).catch(() => []);
  if (isSigned.length === 0) throw new VerifyError('signature');

  const { kind, personal, facts, salt } = statement['pavis:entry'];
  const leaf = await hashLeaf(kind, await hashPersonal(salt, personal), facts);
  if (!(await isIncluded(leaf, index, size, path, root))) throw new VerifyError('inclusion');
  const read = { personal: JSON.parse(personal), facts: JSON.parse(facts) };
  const isEmbedded = embedded !== undefined;
  return { statement, ...read, kind, origin, index, size, isEmbedded, isKeyKnown, witnesses };
}

/** A state of the log whose signatures were verified. */
export interface VerifiedCheckpoint
  extends Pick<Verified, 'origin' | 'size' | 'isKeyKnown' | 'witnesses'> {
  root: Bytes;
}

/**
 * Verifies a checkpoint.
 * @param own the key that comes with it, of a log
 * @param given keys of the log and of witnesses that the person trusts
 * @throws VerifyError `other_key`, `checkpoint`
 */
export async function verifyCheckpoint(
  checkpoint: string,
  own: Key,
  given: readonly Key[],
): Promise<VerifiedCheckpoint> {
  const logKeys = given.filter(({ type }) => type === LOG_KEY);
  if (logKeys.length > 0 && !logKeys.some((key) => key.text === own.text))
    throw new VerifyError('other_key');
  const note = splitNote(checkpoint);
  const lines = note.text.split('\n');
  const [origin = '', sizeText, rootText = ''] = lines;
  const size = parseDecimal(sizeText);
  const root = parseBase64(rootText);
  const isComplete = lines.length > 3 && lines.indexOf('') === lines.length - 1;
  if (origin !== own.name || size === undefined || root?.length !== 32 || !isComplete)
    throw new VerifyError('checkpoint');
  const signers = await verifySignatures(note, [own, ...given]);
  if (!signers.some(({ key }) => key.text === own.text)) throw new VerifyError('checkpoint');
  const witnesses = signers.flatMap(({ key, time }) =>
    time === undefined ? [] : [{ name: key.name, time }],
  );
  return { origin, size, root, isKeyKnown: logKeys.length > 0, witnesses };
}

export const hashPersonal = async (salt: string, personal: string): Promise<Bytes> =>
  sha256(toBytes('pavis-consent-p/v1\n'), parseBase64(salt) ?? new Uint8Array(), toBytes(personal));

/** The entry of the consent log as a leaf (RFC 6962). */
export async function hashLeaf(
  kind: number,
  personalHash: Uint8Array,
  facts: string,
): Promise<Bytes> {
  const factsHash = await sha256(toBytes(`pavis-consent-f/v1\n${facts}`));
  const both = await sha256(toBytes('pavis-consent/v1\n'), personalHash, factsHash);
  return sha256(Uint8Array.of(0, 1, kind), both);
}

export async function isIncluded(
  leaf: Bytes,
  index: number,
  size: number,
  path: readonly Bytes[],
  root: Bytes,
): Promise<boolean> {
  if (index >= size) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = await sha256(Uint8Array.of(1), hash, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && isEqual(hash, root);
}

function parseProof(text: string) {
  const end = text.indexOf('\n\n');
  const [header, extraLine = '', indexLine = '', ...hashes] = text
    .slice(0, Math.max(end, 0))
    .split('\n');
  const extra = extraLine.startsWith('extra ') ? parseBase64(extraLine.slice(6)) : undefined;
  const index = indexLine.startsWith('index ') ? parseDecimal(indexLine.slice(6)) : undefined;
  const path = hashes.map(parseBase64);
  if (
    header !== HEADER ||
    !extra ||
    index === undefined ||
    path.some((each) => each?.length !== 32)
  )
    throw new VerifyError('no_receipt');
  return { extra, index, path: path as Bytes[], checkpoint: text.slice(end + 2) };
}

interface Entry {
  kind: number;
  personal: string;
  facts: string;
  salt: string;
}
type Statement = Record<string, unknown> & { 'pavis:key': string; 'pavis:entry': Entry };

function parseStatement(extra: Bytes): { statement: Statement; signature: string } {
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(extra);
    const { [SIGNATURE]: signature, ...statement } = JSON.parse(json);
    const entry: Entry = statement['pavis:entry'];
    const texts = [signature, statement['pavis:key'], entry.personal, entry.facts, entry.salt];
    const isValid =
      toCanonicalJson({ ...statement, [SIGNATURE]: signature }) === json &&
      texts.every((each) => typeof each === 'string') &&
      Number.isInteger(entry.kind) &&
      entry.kind >= 0 &&
      entry.kind < 256 &&
      parseBase64(entry.salt)?.length === 16;
    if (isValid) return { statement, signature };
  } catch {
    // Refused below.
  }
  throw new VerifyError('no_receipt');
}

/** RFC 8785, for what JSON holds. */
function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${toCanonicalJson(each)}`)}}`;
}

interface Note {
  text: string;
  signatures: { name: string; id: string; bytes: Bytes }[];
}

function splitNote(note: string): Note {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || CONTROL.test(note)) throw new VerifyError('checkpoint');
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map((line) => {
      const [, name, encoded] = /^\u2014 ([^\s+]+) (\S+)$/u.exec(line) ?? [];
      const bytes = encoded && parseBase64(encoded);
      if (!name || !bytes || bytes.length < 5) throw new VerifyError('checkpoint');
      return { name, id: toHex(bytes.subarray(0, 4)), bytes: bytes.slice(4) };
    });
  return { text: note.slice(0, end + 1), signatures };
}

/** The known keys that have signed a note. A wrong signature of one of them is an error. */
async function verifySignatures({ text, signatures }: Note, keys: readonly Key[]) {
  const found: { key: Key; time?: number }[] = [];
  for (const { name, id, bytes } of signatures) {
    const key = keys.find((each) => each.name === name && each.id === id);
    if (!key || found.some((each) => each.key.text === key.text)) continue;
    if (key.type === LOG_KEY) {
      if (!(await isSigned(key, bytes, text))) throw new VerifyError('checkpoint');
      found.push({ key });
    } else {
      if (bytes.length <= 8) throw new VerifyError('checkpoint');
      const time = Number(new DataView(bytes.buffer).getBigUint64(0));
      if (time > TIME_MAX) throw new VerifyError('checkpoint');
      const isRight = await isSigned(key, bytes.slice(8), `cosignature/v1\ntime ${time}\n${text}`);
      if (!isRight) throw new VerifyError('checkpoint');
      found.push({ key, time });
    }
  }
  return found;
}

async function isSigned(key: Key, signature: Bytes, text: string): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key.bytes, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', imported, signature, toBytes(text));
}

/** Reads a verifier key: `name+id+key`. */
export async function parseKey(text: string): Promise<Key> {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? [];
  const bytes = encoded && parseBase64(encoded);
  if (!name || !id || !bytes || bytes.length !== 33) throw new VerifyError('wrong_key_text');
  const type = bytes[0] as number;
  const digest = await sha256(toBytes(`${name}\n`), bytes);
  if ((type !== LOG_KEY && type !== WITNESS_KEY) || toHex(digest.subarray(0, 4)) !== id)
    throw new VerifyError('wrong_key_text');
  return { text, name, id, type, bytes: bytes.slice(1) };
}

/** Undefined unless it is base64 in its only spelling. */
export function parseBase64(text: string): Bytes | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(''));

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('');

function parseDecimal(text = ''): number | undefined {
  const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
}

function join(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, each) => length + each.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
