export { createFile, type FileLimits, PART_BYTES, storeFile, writeFilePart } from './files.ts';
export { releaseRoutes } from './routes.ts';
export { CHANNELS, type Release, sortReleases } from './rules.ts';
export {
  FileCreate,
  FilePart,
  FileRecord,
  ReleaseCreate,
  ReleaseRecord,
  ReleaseUpdate,
  SigningKeyCreate,
  SigningKeyRecord,
  toReleaseRecord,
  toSigningKeyRecord,
} from './schemas.ts';
export { getReleaseTag, type NewRelease, publishRelease, updateRelease } from './service.ts';
export { createSigningKey, signFile } from './signatures.ts';
export { addSigningKey, retireSigningKey } from './signing-keys.ts';
export { findRelease, listReleases, listSigningKeys } from './store.ts';
