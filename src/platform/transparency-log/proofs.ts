import { EMPTY_ROOT, HASH_BYTES, hashChildren, hashSubtrees } from './hashing.ts';
import { getTileWidth, type ReadTile, readHashes, sliceHashes, TILE_WIDTH } from './tiles.ts';

/** Levels of the tree per level of tiles. */
const TILE_HEIGHT = Math.log2(TILE_WIDTH);

/** The root of the first `size` leaves of a stored tree (RFC 6962 section 2.1). */
export const computeRoot = async (read: ReadTile, size: number): Promise<Buffer> =>
  size === 0 ? EMPTY_ROOT : hashSpan(remember(read), 0, size, size);

interface Spans {
  get(span: string): Buffer | undefined;
  set(span: string, hash: Buffer): unknown;
}

/**
 * The audit path of a leaf, from its sibling up (RFC 6962 section 2.1.1).
 * @param spans keeps hashes from proof to proof of the same size: neighbours have most in common
 * @throws RangeError unless `index` < `size`
 */
export async function proveInclusion(
  read: ReadTile,
  index: number,
  size: number,
  spans: Spans = new Map<string, Buffer>(),
): Promise<Buffer[]> {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} of ${size}`);
  const tiles = remember(read);
  const path: Buffer[] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + getSplit(end - begin);
    const isLeft = index < middle;
    const [from, to] = isLeft ? [middle, end] : [begin, middle];
    const span = `${from}-${to}`;
    const hash = spans.get(span) ?? (await hashSpan(tiles, from, to, size));
    spans.set(span, hash);
    path.push(hash);
    if (isLeft) end = middle;
    else begin = middle;
  }
  return path.reverse();
}

/**
 * The proof that a tree begins with the leaves of a smaller one (RFC 6962 section 2.1.2).
 * @throws RangeError unless `from` <= `size`
 */
export async function proveConsistency(
  read: ReadTile,
  from: number,
  size: number,
): Promise<Buffer[]> {
  if (!(from >= 0 && from <= size)) throw new RangeError(`no tree of ${from} in one of ${size}`);
  if (from === 0 || from === size) return [];
  const tiles = remember(read);
  const path: Buffer[] = [];
  let [begin, end] = [0, size];
  while (from < end) {
    const middle = begin + getSplit(end - begin);
    if (from <= middle) {
      path.push(await hashSpan(tiles, middle, end, size));
      end = middle;
    } else {
      path.push(await hashSpan(tiles, begin, middle, size));
      begin = middle;
    }
  }
  // The verifier knows the root of the smaller tree if it is this span.
  if (begin > 0) path.push(await hashSpan(tiles, begin, end, size));
  return path.reverse();
}

export interface Inclusion {
  /** Hash of the leaf. */
  leaf: Uint8Array;
  index: number;
  size: number;
  proof: readonly Uint8Array[];
  root: Uint8Array;
}

/** Whether an audit path leads from a leaf to the root (RFC 9162 section 2.1.3.2). */
export function isIncluded({ leaf, index, size, proof, root }: Inclusion): boolean {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size))) return false;
  if (!(index >= 0 && index < size)) return false;
  if (![leaf, ...proof].every(isHash)) return false;
  let [at, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = hashChildren(sibling, hash);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else hash = hashChildren(hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && Buffer.compare(hash, root) === 0;
}

export interface Consistency {
  fromSize: number;
  fromRoot: Uint8Array;
  toSize: number;
  toRoot: Uint8Array;
  proof: readonly Uint8Array[];
}

/** Whether a proof shows that one tree begins with the leaves of another (RFC 9162 section 2.1.4.2). */
export function isConsistent({ fromSize, fromRoot, toSize, toRoot, proof }: Consistency): boolean {
  if (!(Number.isSafeInteger(fromSize) && Number.isSafeInteger(toSize))) return false;
  if (!(fromSize >= 0 && fromSize <= toSize)) return false;
  if (![fromRoot, ...proof].every(isHash)) return false;
  if (fromSize === 0 && Buffer.compare(fromRoot, EMPTY_ROOT) !== 0) return false;
  if (fromSize === toSize) return proof.length === 0 && Buffer.compare(fromRoot, toRoot) === 0;
  if (fromSize === 0) return proof.length === 0;
  const path = isPowerOfTwo(fromSize) ? [fromRoot, ...proof] : [...proof];
  let [at, last] = [fromSize - 1, toSize - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  const [first, ...rest] = path;
  if (!first) return false;
  let [from, to] = [first, first];
  for (const each of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      from = hashChildren(each, from);
      to = hashChildren(each, to);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else to = hashChildren(to, each);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && Buffer.compare(from, fromRoot) === 0 && Buffer.compare(to, toRoot) === 0;
}

const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES;

// Sizes may exceed 32 bits, so no bit operators.
const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);

function isPowerOfTwo(value: number): boolean {
  let power = 1;
  while (power < value) power *= 2;
  return power === value;
}

/** The number of leaves on the left: the largest power of two below `count` (RFC 6962 section 2.1). */
function getSplit(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The root over the leaves from `begin` to before `end`, which are a subtree of RFC 6962's recursion. */
async function hashSpan(read: ReadTile, begin: number, end: number, size: number): Promise<Buffer> {
  const count = end - begin;
  if (isPowerOfTwo(count)) return readSubtree(read, Math.log2(count), begin / count, size);
  const middle = begin + getSplit(count);
  const left = await hashSpan(read, begin, middle, size);
  return hashChildren(left, await hashSpan(read, middle, end, size));
}

/** The root of a full subtree, by its height and its number from the left. */
async function readSubtree(
  read: ReadTile,
  height: number,
  index: number,
  size: number,
): Promise<Buffer> {
  const level = Math.floor(height / TILE_HEIGHT);
  const count = 2 ** (height - level * TILE_HEIGHT);
  const first = index * count;
  const number = Math.floor(first / TILE_WIDTH);
  const tile = await read(level, number, getTileWidth(size, level, number));
  return hashSubtrees(sliceHashes(tile, first - number * TILE_WIDTH, count));
}

/** Reads each tile once, and checks its length. */
function remember(read: ReadTile): ReadTile {
  const tiles = new Map<string, Promise<Buffer>>();
  return (level, number, width) => {
    const name = `${level}/${number}`;
    const tile = tiles.get(name) ?? readHashes(read, level, number, width);
    tiles.set(name, tile);
    return tile;
  };
}
