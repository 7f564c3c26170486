import type { Generated } from 'kysely';

/** The licence of the site: at most one row, with the id 1. */
export interface SiteLicenceTable {
  id: number;
  sealed_key: string;
  key_hash: string;
  masked_key: string;
  site: string;
  /** Whether this site was ever activated with this key. */
  is_activated: 0 | 1;
  /** JSON of the last answer of the licence server; null before the first one. */
  verdict: string | null;
  /** The time of that answer. */
  checked_at: number | null;
  tried_at: number;
  /** The first of the attempts since then that failed. */
  failing_since: number | null;
  saved_at: number;
}

/** Pending deactivations: removed keys for which the licence server still has to deactivate the site. */
interface SiteFarewellTable {
  id: Generated<number>;
  sealed_key: string;
  key_hash: string;
  site: string;
  created_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    site_licence: SiteLicenceTable;
    site_farewells: SiteFarewellTable;
  }
}
