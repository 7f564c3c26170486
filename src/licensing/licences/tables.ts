import type { Generated } from 'kysely';
import type { LicenceMode } from '../../platform/crypto/licence-key.ts';
import type { RestrictionCause, RestrictionEffect } from './restrictions/rules.ts';

export interface LicenceTable {
  id: Generated<number>;
  /** `lic_…` */
  public_id: string;
  customer_id: number;
  mode: LicenceMode;
  /** Default: the first product, which is the default product. */
  product_id: Generated<number>;
  tier: string;
  sites_allowed: number;
  grace_days: Generated<number>;
  development_sites_free: Generated<0 | 1>;
  issued_at: number;
  expires_at: number;
  /** The first restriction of this effect, see `licence_restrictions`. */
  suspended_at: number | null;
  revoked_at: number | null;
  transferred_at: number | null;
  notes: Generated<string>;
  /** 1 for a trial without a card, until it is bought. */
  is_trial: Generated<0 | 1>;
  /** JSON: names of features beside those of the plan. */
  features_added: Generated<string>;
  /** JSON: names of features that the plan has and the licence lacks. */
  features_removed: Generated<string>;
}

/** A licence has one current key. Rotated keys keep their row and work during an overlap. */
export interface LicenceKeyTable {
  id: Generated<number>;
  licence_id: number;
  key_hash: string;
  masked_key: string;
  created_at: number;
  /** When a rotated key stops working; null for the current key. */
  retires_at: number | null;
}

/** The audit log of a licence; append-only. */
interface LicenceEventTable {
  id: Generated<number>;
  licence_id: number;
  /** The owner at that time. */
  customer_id: number | null;
  at: number;
  actor: string;
  /** The user of the console, if any. */
  actor_id: number | null;
  action: string;
  /** JSON */
  details: string;
  anonymised_at: Generated<number | null>;
}

interface LicenceRestrictionTable {
  id: Generated<number>;
  licence_id: number;
  effect: RestrictionEffect;
  cause: RestrictionCause;
  /** The purchase whose payments are the cause; null if done by hand. */
  purchase_id: number | null;
  since: number;
  actor: string;
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
