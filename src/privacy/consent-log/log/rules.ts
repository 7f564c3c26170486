import {
  type Checkpoint,
  NoteError,
  parseCheckpoint,
  splitNote,
} from '../../../platform/transparency-log/index.ts';
import { LogDamagedError } from './damage.ts';
import type { LogHeadRow, LogRange } from './tables.ts';

/** Entries per bundle, and hashes per tile (C2SP tlog-tiles). */
export const BUNDLE_WIDTH = 256;

/** Version, kind and a SHA-256 hash. */
export const ENTRY_BYTES = 34;

/** Divides entries into bundles; the last one may be partial. */
export function splitBundles(entries: Buffer): Buffer[] {
  const bytes = BUNDLE_WIDTH * ENTRY_BYTES;
  const count = Math.ceil(entries.length / bytes);
  return Array.from({ length: count }, (_, at) => entries.subarray(at * bytes, (at + 1) * bytes));
}

/** Entries with their length before each, as two bytes (C2SP tlog-tiles). */
export function formatBundle(entries: Buffer): Buffer {
  const count = entries.length / ENTRY_BYTES;
  const bundle = Buffer.alloc(count * (ENTRY_BYTES + 2));
  for (let at = 0; at < count; at++) {
    const start = bundle.writeUInt16BE(ENTRY_BYTES, at * (ENTRY_BYTES + 2));
    entries.copy(bundle, start, at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES);
  }
  return bundle;
}

/**
 * The state that the checkpoint of a head states. Its signature is not verified.
 * @throws LogDamagedError if it is not a checkpoint, or is of another state than the head
 */
export function parseHead({
  origin,
  size,
  checkpoint,
}: Pick<LogHeadRow, 'origin' | 'size' | 'checkpoint'>): Checkpoint {
  try {
    const signed = parseCheckpoint(splitNote(checkpoint).text);
    if (signed.origin === origin && signed.size === size) return signed;
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
  throw new LogDamagedError('its checkpoint was changed');
}

/** The highest id of a range; 0 without one. */
export const getLastId = (range: LogRange | undefined): number =>
  range ? range.first_id + range.count - 1 : 0;
