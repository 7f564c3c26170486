import { HASH_BYTES } from './hashing.ts';

/** Hashes of a full tile, and entries of a full bundle (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
const LEVEL_MAX = 63;

/**
 * Reads the first `width` hashes of a tile. At level 0 they are leaf hashes, above they are roots of full tiles of the
 * level below.
 */
export type ReadTile = (level: number, number: number, width: number) => Promise<Buffer>;

/** A tile, or a bundle of entries, as its path names it. */
export interface TileName {
  level: number | 'entries';
  number: number;
  /** 1 to `TILE_WIDTH`. */
  width: number;
}

/** The path after `tile/` (C2SP tlog-tiles): `0/x001/234.p/8`. */
export function formatTilePath({ level, number, width }: TileName): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${path}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

const PATH = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** @returns undefined unless it is a path as `formatTilePath` writes it */
export function parseTilePath(path: string): TileName | undefined {
  const [, level = '', number = '', width] = PATH.exec(path) ?? [];
  const tile: TileName = {
    level: level === 'entries' ? level : Number(level),
    number: Number(number.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  if (level === '' || (tile.level !== 'entries' && tile.level > LEVEL_MAX)) return undefined;
  // One spelling per tile: caches and witnesses compare paths.
  return formatTilePath(tile) === path ? tile : undefined;
}

/** The number of hashes that a tree of this size has at a level. */
export const countTileHashes = (size: number, level: number): number =>
  Math.floor(size / TILE_WIDTH ** level);

/** How many hashes a tile has in a tree of this size; 0 if it does not exist. */
export const getTileWidth = (size: number, level: number, number: number): number =>
  Math.max(0, Math.min(TILE_WIDTH, countTileHashes(size, level) - number * TILE_WIDTH));

/**
 * Reads the hashes of a tile.
 * @throws RangeError if there are more or fewer than asked for
 */
export async function readHashes(
  read: ReadTile,
  level: number,
  number: number,
  width: number,
): Promise<Buffer> {
  const hashes = await read(level, number, width);
  if (hashes.length === width * HASH_BYTES) return hashes;
  throw new RangeError(
    `tile ${number} on level ${level} has ${hashes.length} bytes instead of ${width} hashes`,
  );
}

/** Successive hashes of several. */
export const sliceHashes = (hashes: Buffer, from: number, count = 1): Buffer =>
  hashes.subarray(from * HASH_BYTES, (from + count) * HASH_BYTES);
