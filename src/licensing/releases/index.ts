export { createFile, type FileLimits, PART_BYTES, storeFile, writeFilePart } from './files.ts';
export { addReleaseKey, retireReleaseKey } from './release-keys.ts';
export { releaseRoutes } from './routes.ts';
export { CHANNELS, type Release, sortReleases } from './rules.ts';
export {
  FileCreate,
  FilePart,
  FileRecord,
  ReleaseCreate,
  ReleaseKeyCreate,
  ReleaseKeyRecord,
  ReleaseRecord,
  ReleaseUpdate,
  toReleaseKeyRecord,
  toReleaseRecord,
} from './schemas.ts';
export { getReleaseTag, type NewRelease, publishRelease, updateRelease } from './service.ts';
export { createReleaseKey, signFile } from './signatures.ts';
export { findRelease, listReleaseKeys, listReleases } from './store.ts';
