import { createHash } from 'node:crypto';
import type { Platform } from '../../src/platform/deps.ts';
import { insertPictures, listPictures } from '../../src/privacy/consent/pictures/store.ts';

/** A picture of 1 × 1 pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Stores a tiny picture of a banner version, as if a browser had taken it. @returns its id */
export async function makeBannerPicture({ datastore }: Platform, version: number): Promise<number> {
  const sha256 = createHash('sha256').update(PNG).digest('hex');
  const picture = {
    language: 'en',
    layer: 'banner',
    viewport: 'phone',
    scheme: 'light',
    shown_hash: sha256,
    build_hash: sha256,
    sha256,
    taken_at: Date.parse('2026-11-21T09:30:00.000Z'),
  };
  const files = new Map([[sha256, PNG]]);
  await datastore.transaction((trx) =>
    insertPictures(trx, version, [picture], { files, at: picture.taken_at }),
  );
  const [made] = await listPictures(datastore.db, version);
  return made?.id as number;
}
