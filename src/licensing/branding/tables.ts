import type { Language } from './rules.ts';

export interface BrandingTable {
  /** Always 1. */
  id: number;
  name: string | null;
  support_url: string | null;
  /** `#rrggbb` */
  color: string | null;
  /** A data URL. */
  logo: string | null;
  language: Language | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    branding: BrandingTable;
  }
}
