import { MINUTE_MS } from '../../../platform/durations.ts';
import {
  createSigner,
  type Edge,
  readEdge,
  type Signer,
} from '../../../platform/transparency-log/index.ts';
import { createReader } from '../log/open.ts';
import { BUNDLE_WIDTH, ENTRY_BYTES } from '../log/rules.ts';
import { findHeadRow, findLastRange, listBundles, listGaps } from '../log/store.ts';
import type { LogDb, LogRange, LogSource } from '../log/tables.ts';
import { findGaps, type Gap, type PendingEntry } from './rules.ts';

/** How long an id that was passed over is looked for in each run. */
const GAP_MS = 10 * MINUTE_MS;
const SOURCES: readonly LogSource[] = [1, 2];

/** What of the log is needed to continue it at a size. */
export interface LogTail {
  size: number;
  signer: Signer;
  signedAt: number;
  /** Entries of the last bundle if it is partial. */
  bundle: Buffer;
  edge: Edge;
  lastRange: LogRange | undefined;
  lastIds: Record<LogSource, number>;
  gaps: Gap[];
  /** When it was read, in epoch milliseconds. */
  loadedAt: number;
}

export interface TailScope {
  log: LogDb;
  /** Name of a new log. */
  origin: string;
  /** Ed25519 seed, 32 bytes. */
  seed: Uint8Array;
  /** Whether an id can be committed after a higher one (PostgreSQL). */
  hasLateIds: boolean;
}

export async function loadTail(
  { log, origin, seed, hasLateIds }: TailScope,
  now: number,
): Promise<LogTail> {
  const head = await findHeadRow(log);
  const size = head?.size ?? 0;
  const last = Math.floor(size / BUNDLE_WIDTH);
  const [bundle = Buffer.alloc(0)] = await listBundles(log, last, last);
  const gaps: Gap[] = [];
  for (const source of hasLateIds ? SOURCES : []) {
    const found = await listGaps(log, source);
    gaps.push(...found.map((gap) => ({ source, since: now, ...gap })));
  }
  const reader = createReader(async () => log);
  return {
    size,
    signer: createSigner(head?.origin ?? origin, seed),
    signedAt: head?.signed_at ?? 0,
    // Another writer may have added to it since the head was read.
    bundle: bundle.subarray(0, (size % BUNDLE_WIDTH) * ENTRY_BYTES),
    edge: await readEdge(reader.readTile, size),
    lastRange: await findLastRange(log),
    lastIds: await reader.readLastIds(),
    gaps,
    loadedAt: now,
  };
}

/** The tail after entries were written at its end. */
export function advanceTail(
  scope: TailScope,
  tail: LogTail,
  written: readonly PendingEntry[],
  now: number,
  next: Pick<LogTail, 'edge' | 'bundle' | 'lastRange'>,
): LogTail | Promise<LogTail> {
  const { lastIds, gaps } = tail;
  // A late id ends a gap or divides it. The ranges in the log say how.
  if (written.some(({ source, id }) => id <= lastIds[source])) return loadTail(scope, now);
  const found = scope.hasLateIds ? findGaps(written, lastIds, now) : [];
  const getLastId = (source: LogSource) =>
    written.findLast((each) => each.source === source)?.id ?? lastIds[source];
  return {
    ...tail,
    ...next,
    size: next.edge.size,
    signedAt: now,
    lastIds: { 1: getLastId(1), 2: getLastId(2) },
    gaps: [...gaps.filter(({ since }) => now - since < GAP_MS), ...found],
  };
}
