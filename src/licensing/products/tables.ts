import type { Generated } from 'kysely';

export interface ProductTable {
  id: Generated<number>;
  slug: string;
  name: string;
  current_version: string | null;
  website: string | null;
  created_at: number;
}

export interface PlanTable {
  id: Generated<number>;
  product_id: number;
  /** Unique per product. Licences, orders and payments name it, so it never changes. */
  tier: string;
  label: string;
  description: string | null;
  sites_allowed: number;
  /** JSON: a list of names. */
  features: string;
  development_sites_free: 0 | 1;
  grace_days: number;
  trial_days: number;
  trial_without_card: Generated<0 | 1>;
  /** JSON of `PlanPrices`. */
  prices: string;
  /** JSON: a list of `FormerPrice`. */
  former_prices: Generated<string>;
  position: number;
  archived_at: number | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    products: ProductTable;
    plans: PlanTable;
  }
}
