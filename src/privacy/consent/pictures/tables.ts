import type { Generated } from 'kysely';

/** Pictures of the banner. Rows are only added. A version that looks like an earlier one shares its files. */
export interface BannerPictureTable {
  id: Generated<number>;
  /** The version in `consent_configs`. */
  version: number;
  language: string;
  layer: string;
  viewport: string;
  scheme: string;
  /** SHA-256 of what the banner shows in this language. */
  shown_hash: string;
  /** SHA-256 of the banner file that was used. */
  build_hash: string;
  /** The hash of the picture, in hexadecimal. */
  sha256: string;
  taken_at: number;
}

interface BannerPictureFileTable {
  sha256: string;
  png: Uint8Array;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    banner_pictures: BannerPictureTable;
    banner_picture_files: BannerPictureFileTable;
  }
}
