/** Work that one node at a time does: when it is due, and who is at it. */
export interface JobTable {
  name: string;
  next_at: number;
  /** Null while nobody is at it. */
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
