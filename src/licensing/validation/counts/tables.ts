import type { LicenceMode } from '../../../platform/crypto/licence-key.ts';
import type { CountedResult } from './rules.ts';

/** Requests to validate of all nodes. */
export interface ValidationCountTable {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** 0 for an unknown key. */
  product_id: number;
  /** Empty for an unknown key. */
  mode: LicenceMode | '';
  result: CountedResult;
  requests: number;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    validation_counts: ValidationCountTable;
  }
}
