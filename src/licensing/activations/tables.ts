import type { Generated } from 'kysely';

/** A site's use of a licence. Rows stay after the site has gone: they are the history. */
export interface ActivationTable {
  id: Generated<number>;
  licence_id: number;
  /** Who had the licence when the site was activated: a transfer does not change it. */
  customer_id: number | null;
  /** What tells one site from another, see `siteKey`. */
  site_key: string;
  /** As it was sent. */
  site_url: string;
  /** 0 for development sites of licences that give them for free. */
  takes_slot: 0 | 1;
  activated_at: number;
  deactivated_at: number | null;
  anonymised_at: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    activations: ActivationTable;
  }
}
