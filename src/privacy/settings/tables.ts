import type { Generated } from 'kysely';

/** Banner versions. Rows are only added, so that a consent record leads to the text that was shown. */
export interface ConsentConfigTable {
  version: Generated<number>;
  /** SHA-256 of `config`, in hexadecimal. */
  hash: string;
  /** JSON */
  config: string;
  /** JSON; null for versions from before it was stored. */
  asked: Generated<string | null>;
  /** The oldest version to which consent is valid; null if it is this one. */
  asked_since: Generated<number | null>;
  /** 0: no pictures are taken, because the version is from before there were any, or its banner is turned off. */
  is_pictured: Generated<0 | 1>;
  created_at: number;
}

interface SettingsTable {
  section: string;
  /** JSON; empty for `consent`, which is stored in `consent_configs`. */
  fields: string;
  /** Null for changes from before it was stored. */
  changed_at: Generated<number | null>;
  /** The id of a user; null for users of WordPress. */
  changed_by: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    consent_configs: ConsentConfigTable;
    settings: SettingsTable;
  }
}
