import type { Generated } from 'kysely';
import type { CaseStatus, Channel, Ground, Regime, RequestType } from './rules.ts';

/** A request of a data subject. Moments are epoch milliseconds, days `YYYY-MM-DD` in the site's zone. */
export interface CaseTable {
  id: Generated<number>;
  reference: string;
  request_type: RequestType;
  status: CaseStatus;
  first_name: string | null;
  last_name: string | null;
  /** Normalised. Null once anonymised, and for a request entered without one. */
  email: string | null;
  additional_info: string | null;
  /** The visitor id of consent records, proven to belong to the requester. */
  visitor_id: string | null;
  /** A visitor id that the requester stated. Not used unless an administrator accepts it, besides a proven one or as it. */
  visitor_claim: string | null;
  /** The language of emails: `en` or `de`. */
  language: string;
  regime: Regime;
  channel: Generated<Channel>;
  postal_address: string | null;
  phone: string | null;
  /** The person who made the request on behalf of the data subject. */
  representative: string | null;
  identity_proof: string | null;
  /** When it was stored: for a request entered by hand, later than `received_on`. */
  received_at: number;
  received_on: string;
  deadline: string;
  extended_at: number | null;
  paused_on: string | null;
  paused_days: Generated<number>;
  verified_at: number | null;
  assignee: string | null;
  /** The ground of the current hold or refusal. */
  ground: Ground | null;
  duplicate_of: number | null;
  closed_at: number | null;
  alerted_at: Generated<number | null>;
  /** When administrators were last reminded of the deadline. */
  reminded_at: Generated<number | null>;
  /** When the personal data of a completed deletion request was erased. */
  erased_at: Generated<number | null>;
  /** Lets the person check the status of an erased request. */
  email_hash: Generated<string | null>;
  anonymised_at: Generated<number | null>;
}

/** The activity of a case. Rows are only added. */
export interface CaseEventTable {
  id: Generated<number>;
  case_id: number;
  at: number;
  actor: string;
  /** The id of the user, which outlives the account; null for other actors. */
  actor_id: number | null;
  action: string;
  /** JSON */
  details: string;
  /** Copied from the case; null while it is open. */
  case_closed_at: number | null;
  anonymised_at: Generated<number | null>;
}

export type TokenPurpose = 'verify' | 'download' | 'withdraw';

/** A link that was emailed. */
export interface CaseTokenTable {
  id: Generated<number>;
  case_id: number;
  purpose: TokenPurpose;
  token_hash: string;
  expires_at: number;
  used_at: number | null;
  revoked_at: Generated<number | null>;
}

/** `acknowledgement` follows the request, `reminder` a day later. */
export type AcknowledgementKind = 'acknowledgement' | 'reminder';

/** An email that asks to confirm a request: sent, or due to be sent with others to its address. */
export interface AcknowledgementTable {
  id: Generated<number>;
  case_id: number;
  kind: AcknowledgementKind;
  /** A keyed hash of where the request came from. */
  source: string;
  requested_at: number;
  /** The latest moment to send it. */
  due_at: number;
  mailed_at: number | null;
}

/** An erasure that this database has, by its id in the erasure list. */
interface ErasureTable {
  id: string;
  at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    dsar_cases: CaseTable;
    dsar_events: CaseEventTable;
    dsar_tokens: CaseTokenTable;
    erasures: ErasureTable;
    dsar_acknowledgements: AcknowledgementTable;
  }
}
