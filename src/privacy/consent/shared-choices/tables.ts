import type { Generated } from 'kysely';

/** The latest choice of a person who was signed in at the site. */
interface ConsentSubjectTable {
  id: Generated<number>;
  /** An HMAC of the person's id, made by the server of the site. */
  subject: string;
  visitor_id: string;
  record_id: number;
  consent_action: string;
  /** JSON, as in `consent_records`. */
  categories_accepted: string;
  categories_rejected: string;
  vendors_accepted: string | null;
  vendors_rejected: string | null;
  config_version: number;
  language: string | null;
  /** Whether nothing optional was on before it. */
  asked_first: 0 | 1;
  created_at: number;
  expires_at: number;
}

/** Tokens that were used, until they expire. */
interface ConsentSubjectTokenTable {
  token_hash: string;
  /** A hash of the visitor id that used it first. */
  visitor_hash: string;
  expires_at: number;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    consent_subjects: ConsentSubjectTable;
    consent_subject_tokens: ConsentSubjectTokenTable;
  }
}
