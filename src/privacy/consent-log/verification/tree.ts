import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  appendHashes,
  EMPTY_EDGE,
  EMPTY_ROOT,
  HASH_BYTES,
  hashLeaves,
  type ReadTile,
  TILE_WIDTH,
} from '../../../platform/transparency-log/index.ts';
import { LogDamagedError } from '../log/damage.ts';
import type { ConsentLog } from '../log/open.ts';
import { ENTRY_BYTES } from '../log/rules.ts';

/** Entries that are read at once. */
const STEP = 16 * TILE_WIDTH;

/** What a log turned out to be, computed from its entries. */
export interface TreeCheck {
  /** Roots by size; without the sizes that the log does not reach. */
  roots: Map<number, Buffer>;
  /** Why the log cannot be read as a whole: a `LogDamagedError`, or what failed while it was read. */
  error: Error | undefined;
}

/**
 * Computes the roots of a log from its entries and compares its tiles.
 * @param sizes the sizes at which roots are needed
 * @param onProgress receives the number of entries that were read since the last call
 */
export async function checkTree(
  log: Pick<ConsentLog, 'readEntries' | 'readTile'>,
  size: number,
  sizes: readonly number[],
  onProgress: (entries: number) => void,
): Promise<TreeCheck> {
  const roots = new Map<number, Buffer>([[0, EMPTY_ROOT]]);
  const stops = [...new Set([...sizes, size])].filter((each) => each > 0 && each <= size);
  stops.sort((a, b) => a - b);
  let edge = EMPTY_EDGE;
  try {
    for (const stop of stops) {
      while (edge.size < stop) {
        const count = Math.min(STEP, stop - edge.size);
        const leaves = hashLeaves(await log.readEntries(edge.size, count), ENTRY_BYTES);
        const next = appendHashes(edge, leaves);
        edge = next.edge;
        if (edge.size === stop) roots.set(stop, next.root);
        for (const { level, number, hashes } of next.tiles) {
          const isFull = hashes.length === TILE_WIDTH * HASH_BYTES;
          if (isFull) await compareTile(log.readTile, level, number, hashes);
        }
        onProgress(count);
        await letOthersRun();
      }
    }
    for (const [level, hashes] of edge.partial.entries()) {
      const number = Math.floor(size / TILE_WIDTH ** (level + 1));
      if (level > 0 && hashes.length > 0) await compareTile(log.readTile, level, number, hashes);
    }
    return { roots, error: undefined };
  } catch (error) {
    return { roots, error: error as Error };
  }
}

async function compareTile(
  read: ReadTile,
  level: number,
  number: number,
  hashes: Buffer,
): Promise<void> {
  const stored = await read(level, number, hashes.length / HASH_BYTES);
  if (!stored.equals(hashes)) {
    throw new LogDamagedError(`tile ${number} on level ${level} does not match the entries`);
  }
}
