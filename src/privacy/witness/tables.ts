import type { Kysely } from 'kysely';

/** The file of a witness: its key, and of each log the newest checkpoint that it has cosigned. */
export interface WitnessDatabase {
  /** One row. */
  witness_key: { id: 1; name: string; seed: Uint8Array };
  witness_logs: WitnessedLogTable;
}

export interface WitnessedLogTable {
  /** Name of the log, and of its key. */
  origin: string;
  /** Null after the log was removed. */
  verifier_key: string | null;
  /** 0 and the root of the empty tree before the first checkpoint. */
  size: number;
  root: Uint8Array;
  /** Signed note with the signature of the log and the cosignature; null before the first. */
  checkpoint: string | null;
  /** Epoch milliseconds; null before the first. */
  cosigned_at: number | null;
}

export type WitnessDb = Kysely<WitnessDatabase>;
