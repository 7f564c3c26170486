import type { Db } from '../../../platform/db/index.ts';
import { zipFiles } from '../../../platform/zip.ts';
import { listPackFiles } from './files.ts';
import { type PackedWith, withManifest } from './manifest.ts';
import { readPack } from './pack.ts';
import { toReadme } from './readme.ts';

/**
 * The evidence pack of a scan that has ended, as a ZIP file.
 * @throws NotFoundError; DomainError `scan_queued`, `scan_started`
 */
export async function openEvidencePack(
  db: Db,
  scanId: number,
  packed: PackedWith,
): Promise<{ fileName: string; chunks: AsyncIterable<Buffer> }> {
  const pack = await readPack(db, scanId);
  const files = [toReadme(pack), ...listPackFiles(db, pack, packed.version)];
  return {
    fileName: `scan-${scanId}-evidence.zip`,
    chunks: zipFiles(withManifest(pack, files, packed), pack.createdAt),
  };
}
