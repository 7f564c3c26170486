import type { Generated } from 'kysely';

export interface ScriptTable {
  id: Generated<number>;
  handle: string;
  label: string;
  category: string;
  script_url: string;
  blocking_method: string;
  is_active: 0 | 1;
  /** The extension that registered it, as PAVIS_EXTENSIONS names it; null for custom scripts. */
  extension: Generated<string | null>;
  /** 0: its extension is not loaded. */
  is_present: Generated<0 | 1>;
  created_at: number;
  updated_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    scripts: ScriptTable;
  }
}
