import { createHash } from 'node:crypto';
import { toIsoMoment } from '../../../platform/clock.ts';
import type { ZipFile } from '../../../platform/zip.ts';
import { listRemovedPictures, listUnrecorded, type Pack } from './pack.ts';

interface HashedFile {
  path: string;
  bytes: number;
  sha256: string;
}

export interface PackedWith {
  /** Version of Pavis. */
  version: string;
  /** SHA-256 of the built banner; null if there is none. */
  bannerBuild: string | null;
}

/** The files with a manifest of them and the hashes of all, in the format of `sha256sum`. */
export function withManifest(pack: Pack, files: readonly ZipFile[], packed: PackedWith): ZipFile[] {
  const hashed: HashedFile[] = [];
  const watched = files.map((file) => watch(file, hashed));
  const manifest = watch(
    { path: 'manifest.json', chunks: () => [json(toManifest(pack, hashed, packed))] },
    hashed,
  );
  const sums = {
    path: 'SHA256SUMS',
    chunks: () => hashed.map(({ path, sha256 }) => `${sha256}  ${path}\n`),
  };
  return [...watched, manifest, sums];
}

/** Hashes a file while it is read. */
function watch(file: ZipFile, hashed: HashedFile[]): ZipFile {
  return {
    ...file,
    async *chunks() {
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of file.chunks()) {
        hash.update(chunk);
        bytes += Buffer.byteLength(chunk);
        yield chunk;
      }
      hashed.push({ path: file.path, bytes, sha256: hash.digest('hex') });
    },
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function toManifest(pack: Pack, files: readonly HashedFile[], packed: PackedWith) {
  const { scan, counts, bannerVersion, createdAt } = pack;
  return {
    format: 'pavis-evidence-1',
    created_at: toIsoMoment(createdAt),
    created_at_comment:
      'The end of the scan. The pack is made from stored data, and made again from the same data it is the same.',
    scan: {
      id: scan.id,
      site_url: scan.siteUrl,
      status: scan.status,
      states: scan.states,
      depth: scan.depth,
      started_by: scan.startedBy,
      started_at: toIsoMoment(scan.startedAt),
      completed_at: scan.completedAt === null ? null : toIsoMoment(scan.completedAt),
      pages: counts.pages,
      pages_failed: counts.pagesFailed,
      findings: counts.findings,
    },
    browser: scan.engine,
    pavis_version: packed.version,
    banner: {
      version: bannerVersion,
      version_comment:
        'The version of the Pavis banner in force when the scan started; null if none was stored yet.',
      build_sha256: packed.bannerBuild,
      build_comment:
        'The banner.js of the server that made this pack, before the server adds its own settings.',
    },
    not_recorded: listUnrecorded(pack),
    removed_pictures: listRemovedPictures(pack),
    files: [...files],
  };
}
