export interface JobTable {
  name: string;
  /** When it is to be done next, in epoch milliseconds. */
  due_at: number;
}

declare module '../db/database.ts' {
  interface Database {
    jobs: JobTable;
  }
}
