import type { Generated } from 'kysely';

/**
 * That an email address and a site have had their trial of a product. It names neither: both are hashes with the
 * server's secret, and it does not lead to a licence or customer.
 */
export interface TrialTable {
  id: Generated<number>;
  product_id: number;
  /** See `hashTrial`. */
  address_hash: string;
  site_hash: string;
  started_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    trials: TrialTable;
  }
}
