import type { Generated } from 'kysely';
import type { LicenceMode } from './key.ts';
import type { RestrictionCause, RestrictionEffect } from './restrictions/rules.ts';
import type { Tier } from './tiers.ts';

export interface LicenceTable {
  id: Generated<number>;
  /** The identifier that is shown: `lic_…`. */
  public_id: string;
  customer_id: number;
  mode: LicenceMode;
  tier: Tier;
  sites_allowed: number;
  grace_days: Generated<number>;
  development_sites_free: Generated<0 | 1>;
  issued_at: number;
  expires_at: number;
  /** Since when, for whatever cause; see `licence_restrictions`. */
  suspended_at: number | null;
  revoked_at: number | null;
  /** When it was given to its customer by another one; null if it always was theirs. */
  transferred_at: number | null;
  /** What the vendor's staff note about it; its customer does not see them. */
  notes: Generated<string>;
}

/** A licence has one key in force; those it had before keep their row and, during an overlap, their use. */
export interface LicenceKeyTable {
  id: Generated<number>;
  licence_id: number;
  key_hash: string;
  masked_key: string;
  created_at: number;
  /** From when on the key is no longer known; null for the key in force. */
  retires_at: number | null;
}

/** What happened to a licence, by whom. Rows are only ever added. */
interface LicenceEventTable {
  id: Generated<number>;
  licence_id: number;
  /** Who had the licence then. */
  customer_id: number | null;
  at: number;
  actor: string;
  /** The user of the console who did it. */
  actor_id: number | null;
  action: string;
  /** JSON */
  details: string;
  anonymised_at: Generated<number | null>;
}

/** A cause for which a licence is suspended or revoked. */
interface LicenceRestrictionTable {
  id: Generated<number>;
  licence_id: number;
  effect: RestrictionEffect;
  cause: RestrictionCause;
  /** The purchase whose payments are the cause; null: it was done by hand. */
  purchase_id: number | null;
  since: number;
  actor: string;
  /** The user of the console who did it. */
  actor_id: number | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    licences: LicenceTable;
    licence_keys: LicenceKeyTable;
    licence_events: LicenceEventTable;
    licence_restrictions: LicenceRestrictionTable;
  }
}
