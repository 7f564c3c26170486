import type { Generated } from 'kysely';

/** Where a licence came from. It has hashes only, so no old key and no email address can be read from it. */
interface LicenceImportTable {
  id: Generated<number>;
  licence_id: number;
  product_id: number;
  /** The hash of the source and its identifier, or of the old key; unique. */
  identity_hash: string;
  /** Unique per product. */
  old_key_hash: string | null;
  /** JSON of `ImportedFields` as the source last had them; `{}` once the customer is deleted. */
  base: string;
  imported_at: number;
  /** Until when the old key can be exchanged, in epoch milliseconds. */
  exchange_until: number;
}

/** When a site first exchanged the old key of its licence. */
interface LicenceExchangeTable {
  id: Generated<number>;
  activation_id: number;
  exchanged_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    licence_imports: LicenceImportTable;
    licence_exchanges: LicenceExchangeTable;
  }
}
