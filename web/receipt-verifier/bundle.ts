import {
  type Bytes,
  hashLeaf,
  hashPersonal,
  isIncluded,
  LOG_KEY,
  parseBase64,
  parseKey,
  sha256,
  toHex,
  type VerifiedCheckpoint,
  VerifyError,
  verifyCheckpoint,
} from './verify.ts';
import { type ReadFile, readZip } from './zip.ts';

/** What is wrong with a file of a bundle, or with a line of it. */
export type BundleFault =
  | 'unreadable'
  | 'missing'
  | 'unlisted'
  | 'checksum'
  | 'line'
  | 'entry'
  | 'count'
  | 'unlogged';

export interface BundleProblem {
  path: string;
  /** Counted from 1. */
  line?: number;
  fault: BundleFault;
}

/** What the check of a bundle found. It is intact if there are no problems. */
export interface VerifiedBundle extends Omit<VerifiedCheckpoint, 'root'> {
  /** The verifier key that comes with the bundle. */
  key: string;
  from: string;
  to: string;
  records: number;
  /** Of these, with removed personal data. */
  anonymised: number;
  /** Of these, from before the log: they are proven to have been so when it began. */
  earlier: number;
  /** Of these, without a proof, because the log did not have them at the checkpoint. */
  notLogged: number;
  versions: number;
  pictures: number;
  problems: BundleProblem[];
}

interface Line {
  facts: string;
  personal?: string;
  salt?: string;
  personal_hash?: string;
  index?: number;
  kind?: number;
  proof?: string[];
}

const MEMBERS = ['facts', 'personal', 'salt', 'personal_hash', 'index', 'kind', 'proof'];
const SUMS = 'SHA256SUMS';
const BANNER_VERSION = 2;
const EARLIER_DECISION = 7;

/** Whether a file is a ZIP, by its first bytes. */
export const isZip = async (file: Blob): Promise<boolean> =>
  (await file.slice(0, 4).text()) === 'PK\u0003\u0004';

/**
 * Verifies all files of a bundle. One file is in memory at once.
 * @param keys verifier keys of the log and of witnesses
 * @param onProgress receives the number of records that were checked
 * @throws VerifyError if the file is not a bundle, a key is wrong, or the checkpoint is not signed
 */
export async function verifyBundle(
  file: Blob,
  keys: readonly string[],
  onProgress: (records: number) => void = () => {},
): Promise<VerifiedBundle> {
  const given = await Promise.all(keys.map(parseKey));
  const files = await readZip(file);
  if (!files) throw new VerifyError('no_bundle');
  const own = await parseKey((await readText(files, 'log-key.txt')).trim());
  if (own.type !== LOG_KEY) throw new VerifyError('no_bundle');
  const note = await readText(files, 'checkpoint.txt');
  const checkpoint = await verifyCheckpoint(note, own, given);
  const manifest = readManifest(await readText(files, 'manifest.json'));
  const problems: BundleProblem[] = [];
  const sums = readSums(await readText(files, SUMS), problems);

  let [records, anonymised, earlier, notLogged, lastId] = [0, 0, 0, 0, 0];
  const shown = new Set<number>();
  const digests = new Map<string, string>();
  for (const path of sums.keys()) if (!files.has(path)) problems.push({ path, fault: 'missing' });

  async function checkLines(
    path: string,
    bytes: Bytes,
    take: (line: Line, facts: Record<string, unknown>) => BundleFault | undefined,
  ): Promise<void> {
    const texts = splitLines(path, new TextDecoder().decode(bytes), problems);
    for (const [at, text] of texts.entries()) {
      const fault = await checkLine(text, checkpoint, take);
      if (fault) problems.push({ path, line: at + 1, fault });
    }
  }

  for (const [path, read] of files) {
    if (path === SUMS) continue;
    const bytes = await read().catch(() => undefined);
    if (!bytes) {
      problems.push({ path, fault: 'unreadable' });
      continue;
    }
    const digest = toHex(await sha256(bytes));
    digests.set(path, digest);
    if (!sums.has(path)) problems.push({ path, fault: 'unlisted' });
    else if (sums.get(path) !== digest) problems.push({ path, fault: 'checksum' });
    if (!path.startsWith('records/')) continue;
    await checkLines(path, bytes, (line, facts) => {
      records++;
      // The banner version of such a record need not be logged either.
      if (line.index === undefined) notLogged++;
      else if (typeof facts.config_version === 'number') shown.add(facts.config_version);
      if (line.personal_hash !== undefined) anonymised++;
      if (line.kind === EARLIER_DECISION) earlier++;
      const isNext = typeof facts.id === 'number' && facts.id > lastId;
      lastId = Number(facts.id);
      const { from, to } = manifest;
      const isWithin = typeof facts.day === 'string' && facts.day >= from && facts.day <= to;
      const isDecision = line.kind === undefined || [1, EARLIER_DECISION].includes(line.kind);
      return isNext && isWithin && isDecision ? undefined : 'line';
    });
    onProgress(records);
  }
  if (records !== manifest.records) problems.push({ path: 'manifest.json', fault: 'count' });

  /** The files that the log commits to, by path. */
  const committed = new Map<string, unknown>();
  const versions = await files
    .get('versions.jsonl')?.()
    .catch(() => undefined);
  if (versions)
    await checkLines('versions.jsonl', versions, (line, facts) => {
      if (line.index === undefined) return 'unlogged';
      if (line.kind === BANNER_VERSION)
        committed.set(`versions/${facts.version}.json`, facts.config_hash);
      for (const { sha256: hash } of (facts.pictures ?? []) as { sha256: string }[])
        committed.set(`pictures/${hash}.png`, hash);
      return undefined;
    });
  for (const version of shown)
    if (!committed.has(`versions/${version}.json`))
      problems.push({ path: `versions/${version}.json`, fault: 'unlogged' });
  for (const path of files.keys())
    if (/^(versions|pictures)\//.test(path) && !committed.has(path))
      problems.push({ path, fault: 'unlogged' });
  for (const [path, hash] of committed) {
    if (!files.has(path)) problems.push({ path, fault: 'missing' });
    else if (digests.get(path) !== hash) problems.push({ path, fault: 'entry' });
  }
  const pictures = [...committed.keys()].filter((path) => path.startsWith('pictures/')).length;
  const { root, ...state } = checkpoint;
  const { from, to } = manifest;
  return {
    ...state,
    ...{ key: own.text, from, to, records, anonymised, earlier, notLogged },
    ...{ versions: shown.size, pictures, problems: problems.filter(isFirst) },
  };
}

/** A path can be wrong in two ways that say the same. */
const isFirst = (problem: BundleProblem, at: number, all: BundleProblem[]): boolean =>
  all.findIndex((other) => JSON.stringify(other) === JSON.stringify(problem)) === at;

async function checkLine(
  text: string,
  { size, root }: VerifiedCheckpoint,
  take: (line: Line, facts: Record<string, unknown>) => BundleFault | undefined,
): Promise<BundleFault | undefined> {
  try {
    const line: Line = JSON.parse(text);
    const fault = take(line, JSON.parse(line.facts)) ?? findUnproven(line, text);
    if (fault || line.index === undefined) return fault;
    const personalHash =
      line.personal_hash === undefined
        ? await hashPersonal(line.salt ?? '', line.personal ?? '')
        : parseBase64(line.personal_hash);
    const path = (line.proof ?? []).map(parseBase64);
    const hashes = path.filter((hash) => hash !== undefined);
    if (!personalHash || hashes.length < path.length || line.kind === undefined) return 'line';
    const leaf = await hashLeaf(line.kind, personalHash, line.facts);
    return (await isIncluded(leaf, line.index, size, hashes, root)) ? undefined : 'entry';
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return 'line';
    throw error;
  }
}

/** A line must have nothing that a reader could take for proven beside what its entry is computed from. */
function findUnproven(line: Line, text: string): BundleFault | undefined {
  const isKnown = Object.keys(line).every((name) => MEMBERS.includes(name));
  const hasBoth = line.personal_hash !== undefined && (line.personal ?? line.salt) !== undefined;
  // With a member that is there twice, the line reads otherwise.
  return isKnown && !hasBoth && JSON.stringify(line) === text ? undefined : 'line';
}

/** @throws VerifyError if it is not there, or damaged */
async function readText(files: Map<string, ReadFile>, path: string): Promise<string> {
  const bytes = await files
    .get(path)?.()
    .catch(() => undefined);
  if (!bytes) throw new VerifyError('no_bundle');
  return new TextDecoder().decode(bytes);
}

function readManifest(text: string): { from: string; to: string; records: number } {
  try {
    const { format, from, to, records } = JSON.parse(text);
    if (format === 'pavis-bundle-1') return { from, to, records: records.total };
  } catch {
    // Refused below.
  }
  throw new VerifyError('no_bundle');
}

/** Lines with an end. Anything after the last of them is a problem: it would not be checked. */
function splitLines(path: string, text: string, problems: BundleProblem[]): string[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') problems.push({ path, line: lines.length + 1, fault: 'line' });
  return lines;
}

/** The hashes of files by path. */
const readSums = (text: string, problems: BundleProblem[]): Map<string, string> =>
  new Map(splitLines(SUMS, text, problems).map((line) => [line.slice(66), line.slice(0, 64)]));
