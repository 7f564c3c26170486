import { toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { noteWritten, toChecksums, type WrittenFile, type ZipFile } from '../../../platform/zip.ts';
import { listRemovedPictures, listUnrecorded, type Pack } from './pack.ts';

export interface PackedWith {
  /** Version of Pavis. */
  version: string;
  /** SHA-256 of the built banner; null if there is none. */
  bannerBuild: string | null;
}

/** The files with a manifest of them and the hashes of all. */
export function withManifest(pack: Pack, files: readonly ZipFile[], packed: PackedWith): ZipFile[] {
  const written: WrittenFile[] = [];
  const manifest: ZipFile = {
    path: 'manifest.json',
    chunks: () => [json(toManifest(pack, written, packed))],
  };
  const noted = [...files, manifest].map((file) => noteWritten(file, written));
  return [...noted, toChecksums(written)];
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function toManifest(pack: Pack, files: readonly WrittenFile[], packed: PackedWith) {
  const { scan, counts, bannerVersion, createdAt } = pack;
  return {
    format: 'pavis-evidence-1',
    created_at: toIsoMoment(createdAt),
    created_at_comment:
      'The end of the scan, or its start if it was not completed. The pack is made from stored data, and made again from the same data it is the same.',
    scan: {
      id: scan.id,
      site_url: scan.siteUrl,
      status: scan.status,
      states: scan.states,
      depth: scan.depth,
      started_by: scan.startedBy,
      started_at: toIsoMoment(scan.startedAt),
      completed_at: toIsoMomentOrNull(scan.completedAt),
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
