import type { Generated } from 'kysely';

/** The licence of the site: at most one row, with the id 1. */
export interface SiteLicenceTable {
  id: number;
  sealed_key: string;
  /** Tells one key from another. */
  key_hash: string;
  masked_key: string;
  site: string;
  /** Whether the licence server has ever given this site a slot for this key. */
  is_activated: 0 | 1;
  /** JSON of what the licence server said last; null: nothing yet. */
  verdict: string | null;
  /** When it said so. */
  checked_at: number | null;
  tried_at: number;
  /** Since when it has not answered. */
  failing_since: number | null;
  saved_at: number;
}

/** Keys that the site has given up, and the licence server does not know yet. */
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
