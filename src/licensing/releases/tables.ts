import type { Generated } from 'kysely';

/** A key with which the vendor signs releases. Only its public half is known here. */
export interface ReleaseKeyTable {
  id: Generated<number>;
  product_id: number;
  /** 32 bytes in base64. */
  public_key: string;
  name: string;
  added_at: number;
  /** Since then it signs no new releases. */
  retired_at: number | null;
}

/** A file that is being uploaded, or one of a release. */
export interface ReleaseFileTable {
  id: Generated<number>;
  product_id: number;
  name: string;
  created_at: number;
  /** From then on it cannot be changed. */
  sealed_at: number | null;
}

export interface ReleaseFilePartTable {
  file_id: number;
  /** From 0, without gaps once the file is complete. */
  position: number;
  content: Uint8Array;
}

export interface ReleaseTable {
  id: Generated<number>;
  product_id: number;
  /** A semantic version. */
  version: string;
  channel: string;
  file_id: number;
  file_name: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** See `isSignedBy`. */
  signature: string;
  release_key_id: number;
  requires_wp: string | null;
  requires_php: string | null;
  tested_wp: string | null;
  update_uri: string | null;
  /** Plain text. */
  changelog: string;
  security: 0 | 1;
  rollout_percent: number;
  published_at: number;
  yanked_at: number | null;
  yank_reason: string | null;
  sbom_file_id: number | null;
  sbom_format: string | null;
  /** Completed downloads. */
  downloads: Generated<number>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    release_keys: ReleaseKeyTable;
    release_files: ReleaseFileTable;
    release_file_parts: ReleaseFilePartTable;
    releases: ReleaseTable;
  }
}
