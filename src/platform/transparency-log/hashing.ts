import { hash } from 'node:crypto';

/** SHA-256. */
export const HASH_BYTES = 32;

const NODE_PREFIX = 1;

/** The root of an empty tree (RFC 6962 section 2.1). */
export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer');

// Entries of a log are mostly of one length, so the buffer is made once.
let leaf = Buffer.alloc(1);

/** The hash of a leaf (RFC 6962 section 2.1). */
export function hashLeaf(entry: Uint8Array): Buffer {
  if (leaf.length !== 1 + entry.length) leaf = Buffer.alloc(1 + entry.length);
  leaf.set(entry, 1);
  return hash('sha256', leaf, 'buffer');
}

const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE_PREFIX);

/** The hash of a node with two children (RFC 6962 section 2.1). */
export function hashChildren(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return hash('sha256', node, 'buffer');
}

/**
 * The root over the hashes of successive subtrees of one height.
 * @param hashes at least one, `HASH_BYTES` each
 */
export function hashSubtrees(hashes: Buffer): Buffer {
  let level = hashes;
  let count = hashes.length / HASH_BYTES;
  if (count === 1) return Buffer.from(hashes);
  // A hash without a sibling moves up unchanged, which gives RFC 6962's tree for any number of leaves.
  while (count > 1) {
    const parents = Math.ceil(count / 2);
    const next = Buffer.allocUnsafe(parents * HASH_BYTES);
    for (let at = 0; at < count; at += 2) {
      const left = level.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
      const parent =
        at + 1 < count
          ? hashChildren(left, level.subarray((at + 1) * HASH_BYTES, (at + 2) * HASH_BYTES))
          : left;
      next.set(parent, (at / 2) * HASH_BYTES);
    }
    level = next;
    count = parents;
  }
  return level;
}
