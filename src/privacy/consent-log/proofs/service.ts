import type { Db } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { CliError } from '../../../platform/errors.ts';
import {
  formatProof,
  hashLeaf,
  isIncluded,
  parseCheckpoint,
  proveInclusion,
  splitNote,
} from '../../../platform/transparency-log/index.ts';
import { LogDamagedError } from '../log/damage.ts';
import { type ConsentLog, openLog } from '../log/open.ts';
import { parseHead } from '../log/rules.ts';
import { explainEmptyLog, findLoss } from '../noted-head/service.ts';
import { addCosignatures, findCosignedCheckpoint } from '../witnesses/service.ts';

/** A checkpoint with the cosignatures that it has got. */
interface SignedCheckpoint {
  /** Number of entries. */
  size: number;
  /** Signed note. */
  note: string;
}

/** A checkpoint that proofs lead to. */
export interface ProvenCheckpoint extends SignedCheckpoint {
  root: Uint8Array;
}

/**
 * The checkpoint to prove an entry with: the newest that witnesses have cosigned, if it covers the entry, else the
 * newest.
 * @returns undefined if the log does not have the entry
 * @throws LogDamagedError if the newest checkpoint was changed
 */
export async function findCheckpointOf(
  db: Db,
  log: ConsentLog,
  index: number,
): Promise<ProvenCheckpoint | undefined> {
  const head = await log.readHead();
  if (!head || index >= head.size) return undefined;
  const cosigned = await findCosignedCheckpoint(db, head.origin);
  if (cosigned !== null) {
    const { origin, size, ...signed } = parseCheckpoint(splitNote(cosigned).text);
    const root = Buffer.from(signed.root);
    // The log may have been rewritten, restored or damaged since.
    const isThere = index < size && (await findLoss({ origin, size, root }, log)) === undefined;
    if (isThere) return { size, root, note: cosigned };
  }
  // The root that the proof states: who changes the log can leave another beside it.
  const { root } = parseHead(head);
  return { size: head.size, root, note: await addCosignatures(db, head.checkpoint) };
}

/**
 * The entry at an index, and its path to the root of a checkpoint.
 * @throws LogDamagedError if it does not lead there: a proof that nobody accepts would be taken for one
 */
export async function proveEntry(
  log: ConsentLog,
  index: number,
  { size, root }: ProvenCheckpoint,
): Promise<{ entry: Buffer; path: Buffer[] }> {
  const entry = await log.readEntries(index, 1);
  const path = await proveInclusion(log.readTile, index, size);
  assertIncluded({ entry, index, path }, { size, root });
  return { entry, path };
}

/** @throws LogDamagedError if a path does not lead from an entry to the root of a checkpoint */
export function assertIncluded(
  { entry, index, path: proof }: { entry: Buffer; index: number; path: Buffer[] },
  { size, root }: Pick<ProvenCheckpoint, 'size' | 'root'>,
): void {
  if (isIncluded({ leaf: hashLeaf(entry), index, size, proof, root })) return;
  throw new LogDamagedError(`entry ${index} does not lead to its checkpoint`);
}

interface Installation {
  dataDir: string;
}

/**
 * The newest checkpoint.
 * @throws CliError while the log is empty; LogDamagedError if the checkpoint was changed
 */
export const readNewestCheckpoint = (
  platform: Pick<Platform, 'datastore'>,
  installation: Installation,
): Promise<SignedCheckpoint & { origin: string; signedAt: number }> =>
  withLog(platform, installation, async (log) => {
    const head = await log.readHead();
    if (!head) {
      const why = await explainEmptyLog(platform.datastore.db, 'Start the server to write it');
      throw new CliError(`the consent log ${why}`);
    }
    parseHead(head);
    const { size, origin, signedAt } = head;
    return {
      size,
      origin,
      signedAt,
      note: await addCosignatures(platform.datastore.db, head.checkpoint),
    };
  });

/** The proof of the entry of a consent record. */
export interface RecordProof {
  index: number;
  size: number;
  /** 34 bytes. */
  entry: Buffer;
  /** C2SP tlog-proof, with the entry as its extra data. */
  text: string;
}

/**
 * Proves that the entry of a consent record is in the log. The proof holds no personal data.
 * @returns undefined if the record has no entry
 * @throws LogDamagedError if the log cannot prove it
 */
export async function findRecordProof(
  db: Db,
  log: ConsentLog,
  id: number,
): Promise<RecordProof | undefined> {
  const index = await log.findIndex(1, id);
  const checkpoint = index === undefined ? undefined : await findCheckpointOf(db, log, index);
  if (index === undefined || !checkpoint) return undefined;
  const { size, note } = checkpoint;
  const { entry, path } = await proveEntry(log, index, checkpoint);
  return {
    index,
    size,
    entry,
    text: formatProof({ extra: entry, index, path, checkpoint: note }),
  };
}

/**
 * As `findRecordProof`, for commands.
 * @throws CliError if the record has no entry
 */
export const proveRecord = (
  platform: Pick<Platform, 'datastore'>,
  installation: Installation,
  id: number,
): Promise<RecordProof> =>
  withLog(platform, installation, async (log) => {
    const proof = await findRecordProof(platform.datastore.db, log, id);
    if (proof) return proof;
    throw new CliError(
      `consent record ${id} has no entry in the consent log: check the id. A new record gets one within seconds while the server runs`,
    );
  });

async function withLog<T>(
  platform: Pick<Platform, 'datastore'>,
  installation: Installation,
  work: (log: ConsentLog) => Promise<T>,
): Promise<T> {
  const log = openLog(platform, installation);
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}
