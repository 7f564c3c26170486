export interface JobTable {
  name: string;
  next_at: number;
  /** Null without a lease. */
  holder: string | null;
  leased_until: number;
  last_started_at: number | null;
  last_finished_at: number | null;
}

declare module '../db/database.ts' {
  interface Database {
    jobs: JobTable;
  }
}
