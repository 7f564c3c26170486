import type { Generated } from 'kysely';

/** What visitors were asked, version by version. Rows are only ever added: a consent leads to its text. */
export interface ConsentConfigTable {
  version: Generated<number>;
  /** SHA-256 of `config`, in hexadecimal. */
  hash: string;
  /** JSON */
  config: string;
  /** JSON; null for versions from before it was kept. */
  asked: Generated<string | null>;
  /** The oldest version whose choices hold; null if it is this one. */
  asked_since: Generated<number | null>;
  created_at: number;
}

interface SettingsTable {
  section: string;
  /** JSON; of `consent`, which is kept in versions, an empty object. */
  fields: string;
  /** Null where it was changed before this was kept. */
  changed_at: Generated<number | null>;
  /** The id of a user; null for others, as those of a WordPress. */
  changed_by: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    consent_configs: ConsentConfigTable;
    settings: SettingsTable;
  }
}
