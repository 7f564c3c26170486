export { appendHashes, type Edge, EMPTY_EDGE, readEdge } from './append.ts';
export { type Checkpoint, formatCheckpoint, parseCheckpoint } from './checkpoints.ts';
export { NoteError } from './encoding.ts';
export { EMPTY_ROOT, HASH_BYTES, hashChildren, hashLeaf, hashLeaves } from './hashing.ts';
export { isKeyName, parseVerifierKey, type VerifierKey } from './keys.ts';
export {
  type Cosigner,
  createCosigner,
  createSigner,
  openNote,
  type Signer,
  splitNote,
  type VerifiedSignature,
} from './notes.ts';
export { formatProof, type ProofFile, parseProof } from './proof-files.ts';
export {
  computeRoot,
  isConsistent,
  isIncluded,
  proveConsistency,
  proveInclusion,
} from './proofs.ts';
export {
  formatTilePath,
  getTileWidth,
  parseTilePath,
  type ReadTile,
  TILE_WIDTH,
  type TileName,
} from './tiles.ts';
