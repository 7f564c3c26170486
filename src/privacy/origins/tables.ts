import type { Generated } from 'kysely';

/** Origins whose pages were refused: at most `KEPT_MAX` rows, and as many that were dismissed. */
export interface RefusedOriginTable {
  id: Generated<number>;
  origin: string;
  requests: number;
  first_at: number;
  last_at: number;
  dismissed_at: Generated<number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    refused_origins: RefusedOriginTable;
  }
}
