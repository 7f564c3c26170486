import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendHashes, type Edge, EMPTY_EDGE, readEdge } from './append.ts';
import { hashLeaf, hashLeaves } from './hashing.ts';
import {
  computeRoot,
  isConsistent,
  isIncluded,
  proveConsistency,
  proveInclusion,
} from './proofs.ts';
import { formatTilePath, parseTilePath, type ReadTile } from './tiles.ts';

/** RFC 6962 section 2.1, word for word. */
function hashTree(leaves: readonly Buffer[]): Buffer {
  const sha = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const [only] = leaves;
  if (!only) return sha();
  if (leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha(Buffer.of(1), hashTree(leaves.slice(0, split)), hashTree(leaves.slice(split)));
}

const LEAVES = Array.from({ length: 1_100 }, (_, at) => hashLeaf(Buffer.from(`entry ${at}`)));
const getRoot = (size: number) => hashTree(LEAVES.slice(0, size));

/** A tree in memory that is stored as the log stores it. */
function createTree() {
  let edge: Edge = EMPTY_EDGE;
  const tiles = new Map<string, Buffer>();
  const read: ReadTile = async (level, number, width) => {
    const tile =
      level === 0
        ? Buffer.concat(LEAVES.slice(number * 256, number * 256 + width))
        : tiles.get(`${level}/${number}`);
    if (!tile || tile.length < width * 32) throw new Error(`no tile ${level}/${number}`);
    return tile.subarray(0, width * 32);
  };
  return {
    read,
    append(count: number): Buffer {
      const added = Buffer.concat(LEAVES.slice(edge.size, edge.size + count));
      const grown = appendHashes(edge, added);
      edge = grown.edge;
      for (const { level, number, hashes } of grown.tiles) tiles.set(`${level}/${number}`, hashes);
      return grown.root;
    },
    reload: async () => {
      edge = await readEdge(read, edge.size);
    },
    get size() {
      return edge.size;
    },
  };
}

const flip = (bytes: Uint8Array, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  const at = bit % (changed.length * 8);
  changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7));
  return changed;
};

describe('A leaf', () => {
  it('is the SHA-256 of 0x00 and the entry, alone and among others', () => {
    const entries = fc.integer({ min: 1, max: 100 }).chain((length) => {
      const entry = fc.uint8Array({ minLength: length, maxLength: length });
      return fc.tuple(fc.array(entry, { maxLength: 20 }), fc.constant(length));
    });
    fc.assert(
      fc.property(entries, ([list, length]) => {
        const expected = list.map((entry) =>
          createHash('sha256').update(Buffer.of(0)).update(entry).digest(),
        );
        expect(list.map(hashLeaf)).toEqual(expected);
        expect(hashLeaves(Buffer.concat(list), length)).toEqual(Buffer.concat(expected));
      }),
    );
  });
});

describe('A tree of tiles', () => {
  it('has the root of RFC 6962 at any size, appended in any portions, also after a reload', async () => {
    const portions = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(portions, fc.boolean(), async (counts, reloads) => {
        const tree = createTree();
        for (const count of counts) {
          const root = tree.append(count);
          expect(root).toEqual(getRoot(tree.size));
          expect(await computeRoot(tree.read, tree.size)).toEqual(root);
          if (reloads) await tree.reload();
        }
      }),
      { numRuns: 20 },
    );
  });

  it('proves that each leaf is included, and no other leaf, index, size or root', async () => {
    const tree = createTree();
    tree.append(1_100);
    const sized = fc
      .integer({ min: 1, max: 1_100 })
      .chain((size) =>
        fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 }), fc.nat(10_000)),
      );
    await fc.assert(
      fc.asyncProperty(sized, async ([size, index, bit]) => {
        const leaf = LEAVES[index] as Buffer;
        const root = getRoot(size);
        const proof = await proveInclusion(tree.read, index, size);
        const claim = { leaf, index, size, proof, root };
        expect(isIncluded(claim)).toBe(true);
        expect(isIncluded({ ...claim, leaf: flip(leaf, bit) })).toBe(false);
        expect(isIncluded({ ...claim, root: flip(root, bit) })).toBe(false);
        expect(isIncluded({ ...claim, proof: [...proof, root] })).toBe(false);
        if (size > 1) {
          expect(isIncluded({ ...claim, index: (index + 1 + (bit % (size - 1))) % size })).toBe(
            false,
          );
        }
        for (const at of proof.keys()) {
          const changed = proof.with(at, flip(proof[at] as Buffer, bit));
          expect(isIncluded({ ...claim, proof: changed })).toBe(false);
          expect(isIncluded({ ...claim, proof: proof.toSpliced(at, 1) })).toBe(false);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('proves that it begins with each smaller tree, and with no other', async () => {
    const tree = createTree();
    tree.append(1_100);
    const sizes = fc
      .integer({ min: 1, max: 1_100 })
      .chain((toSize) =>
        fc.tuple(fc.integer({ min: 0, max: toSize }), fc.constant(toSize), fc.nat(10_000)),
      );
    await fc.assert(
      fc.asyncProperty(sizes, async ([fromSize, toSize, bit]) => {
        const [fromRoot, toRoot] = [getRoot(fromSize), getRoot(toSize)];
        const proof = await proveConsistency(tree.read, fromSize, toSize);
        const claim = { fromSize, fromRoot, toSize, toRoot, proof };
        expect(isConsistent(claim)).toBe(true);
        expect(isConsistent({ ...claim, fromRoot: flip(fromRoot, bit) })).toBe(false);
        if (fromSize > 0) expect(isConsistent({ ...claim, toRoot: flip(toRoot, bit) })).toBe(false);
        expect(isConsistent({ ...claim, proof: [...proof, toRoot] })).toBe(false);
        for (const at of proof.keys()) {
          const changed = proof.with(at, flip(proof[at] as Buffer, bit));
          expect(isConsistent({ ...claim, proof: changed })).toBe(false);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('A proof', () => {
  const [leaf, sibling] = [LEAVES[0] as Buffer, LEAVES[1] as Buffer];
  const EMPTY = getRoot(0);

  it('is refused when a hash has the wrong length, also after a right one was checked', () => {
    const claim = { leaf, index: 0, size: 2, proof: [sibling], root: getRoot(2) };
    for (const wrong of [Buffer.alloc(0), sibling.subarray(0, 31), Buffer.alloc(33, sibling)]) {
      expect(isIncluded(claim)).toBe(true);
      expect(isIncluded({ ...claim, proof: [wrong] })).toBe(false);
      expect(isIncluded(claim)).toBe(true);
      expect(isIncluded({ ...claim, leaf: wrong })).toBe(false);
    }
    const grown = { fromSize: 1, fromRoot: leaf, toSize: 2, toRoot: getRoot(2), proof: [sibling] };
    expect(isConsistent(grown)).toBe(true);
    expect(isConsistent({ ...grown, proof: [sibling.subarray(0, 31)] })).toBe(false);
  });

  it('of an empty tree needs its root on both sides', () => {
    const claim = { fromSize: 0, fromRoot: EMPTY, toSize: 0, toRoot: EMPTY, proof: [] };
    expect(isConsistent(claim)).toBe(true);
    expect(isConsistent({ ...claim, toRoot: leaf })).toBe(false);
    expect(isConsistent({ ...claim, fromRoot: leaf })).toBe(false);
    expect(isConsistent({ ...claim, toSize: 2, toRoot: getRoot(2) })).toBe(true);
    expect(isConsistent({ ...claim, toSize: 2, toRoot: getRoot(2), proof: [leaf] })).toBe(false);
  });

  it('is not made of tiles of the wrong length, or for a leaf or tree that does not exist', async () => {
    const tree = createTree();
    tree.append(300);
    const short: ReadTile = async (level, number, width) =>
      (await tree.read(level, number, width)).subarray(1);
    await expect(proveInclusion(short, 5, 300)).rejects.toThrow(RangeError);
    await expect(computeRoot(short, 300)).rejects.toThrow(RangeError);
    await expect(readEdge(short, 300)).rejects.toThrow(RangeError);
    await expect(proveInclusion(tree.read, 300, 300)).rejects.toThrow(RangeError);
    await expect(proveConsistency(tree.read, 301, 300)).rejects.toThrow(RangeError);
    expect(() => appendHashes(EMPTY_EDGE, Buffer.alloc(33))).toThrow(RangeError);
  });
});

describe('The path of a tile', () => {
  it('is that of C2SP tlog-tiles, and has one spelling', () => {
    expect(formatTilePath({ level: 0, number: 1_234_067, width: 8 })).toBe('0/x001/x234/067.p/8');
    expect(formatTilePath({ level: 'entries', number: 5, width: 256 })).toBe('entries/005');
    for (const wrong of [
      '0/5',
      '0/x000/005',
      '00/005',
      '64/005',
      '0/005.p/0',
      '0/005.p/256',
      '0/0005',
      '0/005.p/08',
      '',
    ]) {
      expect(parseTilePath(wrong), wrong).toBeUndefined();
    }
  });

  it('is read back', () => {
    const names = fc.record({
      level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
      number: fc.integer({ min: 0, max: 999_999_999_999 }),
      width: fc.integer({ min: 1, max: 256 }),
    });
    fc.assert(
      fc.property(names, (name) => {
        expect(parseTilePath(formatTilePath(name))).toEqual(name);
      }),
    );
  });
});
