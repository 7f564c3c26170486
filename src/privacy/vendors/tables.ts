import type { Generated } from 'kysely';

export interface VendorTable {
  id: Generated<number>;
  slug: string;
  name: string;
  purpose: string;
  /** A consent category. */
  category: string;
  /** JSON: list of texts */
  data_categories: string;
  default_retention: string;
  /** JSON: list of host names */
  domains: string;
  /** JSON: list of cookie names, `*` a wildcard */
  cookies: string;
  /** Null: that of the library, if the vendor is built in. */
  privacy_url: Generated<string | null>;
  is_builtin: 0 | 1;
  /** What brought it, as the settings name it; null if that was no extension. */
  extension: Generated<string | null>;
  /** 0: the extension that brought it is not loaded. */
  is_present: Generated<0 | 1>;
  created_at: number;
  updated_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    vendors: VendorTable;
  }
}
