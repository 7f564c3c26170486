import { EMPTY_ROOT, HASH_BYTES, hashChildren, hashSubtrees } from './hashing.ts';
import { countTileHashes, getTileWidth, type ReadTile, readHashes, TILE_WIDTH } from './tiles.ts';

/** The partial tiles at the right of a tree: all that is needed to append to it. */
export interface Edge {
  size: number;
  /** By level from 0; a level whose last tile is full has an empty buffer. */
  partial: readonly Buffer[];
}

/** A tile above level 0 that has to be stored, in place of a narrower one if there is one. */
export interface ChangedTile {
  level: number;
  number: number;
  hashes: Buffer;
}

export const EMPTY_EDGE: Edge = { size: 0, partial: [] };

/** Reads the edge of a stored tree. */
export async function readEdge(read: ReadTile, size: number): Promise<Edge> {
  const partial: Buffer[] = [];
  for (let level = 0; countTileHashes(size, level) > 0; level++) {
    const number = Math.floor(countTileHashes(size, level) / TILE_WIDTH);
    const width = getTileWidth(size, level, number);
    partial.push(
      width > 0 ? Buffer.from(await readHashes(read, level, number, width)) : Buffer.alloc(0),
    );
  }
  return { size, partial };
}

/**
 * Appends leaf hashes to a tree.
 * @param leaves `HASH_BYTES` each
 * @returns the new edge, its root, and the tiles above level 0 that have changed
 * @throws RangeError if the last hash is not whole
 */
export function appendHashes(
  { size, partial }: Edge,
  leaves: Buffer,
): { edge: Edge; root: Buffer; tiles: ChangedTile[] } {
  if (leaves.length % HASH_BYTES > 0) throw new RangeError('leaf hashes have 32 bytes each');
  const edge: Buffer[] = [];
  const tiles: ChangedTile[] = [];
  let added = leaves;
  for (let level = 0; added.length > 0 || level < partial.length; level++) {
    const all = Buffer.concat([partial[level] ?? Buffer.alloc(0), added]);
    const first = Math.floor(countTileHashes(size, level) / TILE_WIDTH);
    const full = Math.floor(all.length / HASH_BYTES / TILE_WIDTH);
    const roots = Buffer.allocUnsafe(full * HASH_BYTES);
    const tileBytes = TILE_WIDTH * HASH_BYTES;
    for (let at = 0; at * tileBytes < all.length; at++) {
      const hashes = all.subarray(at * tileBytes, (at + 1) * tileBytes);
      if (at < full) roots.set(hashSubtrees(hashes), at * HASH_BYTES);
      if (level > 0 && added.length > 0) tiles.push({ level, number: first + at, hashes });
    }
    // A copy, so that the edge does not keep all of the batch in memory.
    edge.push(Buffer.from(all.subarray(full * tileBytes)));
    added = roots;
  }
  const next = { size: size + leaves.length / HASH_BYTES, partial: edge };
  return { edge: next, root: computeEdgeRoot(next), tiles };
}

/** The root of the tree that has this edge. */
function computeEdgeRoot({ partial }: Edge): Buffer {
  let root: Buffer | undefined;
  // From the right: each level's partial tile is the left part of what is above the levels below it.
  for (const hashes of partial) {
    for (const [from, to] of listPerfectSpans(hashes.length / HASH_BYTES)) {
      const left = hashSubtrees(hashes.subarray(from * HASH_BYTES, to * HASH_BYTES));
      root = root ? hashChildren(left, root) : left;
    }
  }
  return root ?? EMPTY_ROOT;
}

/** The perfect subtrees of a partial tile, from the right (smallest) to the left. */
function listPerfectSpans(width: number): [from: number, to: number][] {
  const spans: [number, number][] = [];
  let to = width;
  for (let span = 1; to > 0; span *= 2) {
    if (to % (span * 2) === 0) continue;
    spans.push([to - span, to]);
    to -= span;
  }
  return spans;
}
