import type { Generated } from 'kysely';

/** A site that uses or used a licence. Rows of deactivated sites are the history. */
export interface ActivationTable {
  id: Generated<number>;
  licence_id: number;
  /** The owner of the licence at the time of activation. A transfer does not change it. */
  customer_id: number | null;
  /** See `toSiteKey`. */
  site_key: string;
  /** In the spelling of the request. */
  site_url: string;
  /** 0 for free development sites. */
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
