/** What a witness has last said of the log. Rows stay when a witness is removed from the settings. */
export interface ConsentLogWitnessTable {
  /** The verifier key in the format of C2SP signed-note ("vkey"). */
  verifier_key: string;
  /** Number of entries of the checkpoint that it has last cosigned; 0 before the first. */
  size: number;
  /** That checkpoint, a signed note. */
  checkpoint: string | null;
  /** The line of the cosignature. */
  cosignature: string | null;
  /** Epoch milliseconds. */
  cosigned_at: number | null;
  /** Why the last request failed, for people; null after a success. */
  error: string | null;
  error_at: number | null;
  /** Failed requests since the last success. */
  failures: number;
  /** 1: the witness knows a log that this one does not continue. */
  contradicts: 0 | 1;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    consent_log_witnesses: ConsentLogWitnessTable;
  }
}
