import { createHash } from 'node:crypto';
import type { Db } from '../../../../platform/db/index.ts';
import { findBannerVersion, findPictureFile, listPictures } from './store.ts';

/** What identifies a picture, with the hash of its file. */
interface PictureFacts {
  language: string;
  layer: string;
  viewport: string;
  scheme: string;
  build_hash: string;
  sha256: string;
}

/** Whether a banner version is as facts state. */
export async function isSameVersion(
  db: Db,
  { version, config_hash }: { version: number; config_hash: string },
): Promise<boolean> {
  const row = await findBannerVersion(db, version);
  return (
    row !== undefined && row.hash === config_hash && sha256(String(row.config)) === config_hash
  );
}

/**
 * Whether the pictures of a banner version are as facts state.
 * @param isDeep whether the files are read
 */
export async function hasPictures(
  db: Db,
  { version, pictures }: { version: number; pictures: PictureFacts[] },
  isDeep: boolean,
): Promise<boolean> {
  const describe = ({
    language,
    layer,
    viewport,
    scheme,
    build_hash,
    sha256: file,
  }: PictureFacts) => JSON.stringify([language, layer, viewport, scheme, build_hash, file]);
  const found = new Set((await listPictures<PictureFacts>(db, version)).map(describe));
  if (found.size !== pictures.length || !pictures.every((each) => found.has(describe(each))))
    return false;
  if (!isDeep) return true;
  for (const { sha256: name } of pictures) {
    const png = await findPictureFile(db, name);
    if (!png || sha256(png) !== name) return false;
  }
  return true;
}

export const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');
