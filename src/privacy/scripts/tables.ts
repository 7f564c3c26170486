import type { Generated } from 'kysely';

export interface ScriptTable {
  id: Generated<number>;
  handle: string;
  label: string;
  /** A consent category. */
  category: string;
  script_url: string;
  blocking_method: string;
  is_active: 0 | 1;
  /** What brought it, as the settings name it; null if that was no extension. */
  extension: Generated<string | null>;
  /** 0: the extension that brought it is not loaded. */
  is_present: Generated<0 | 1>;
  created_at: number;
  updated_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    scripts: ScriptTable;
  }
}
