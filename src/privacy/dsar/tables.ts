import type { Generated } from 'kysely';
import type { CaseStatus, Channel, Regime, RequestType } from './rules.ts';

/** A request of a data subject. What is personal goes when it is anonymised, see `retention.ts`. */
export interface CaseTable {
  id: Generated<number>;
  reference: string;
  request_type: RequestType;
  status: CaseStatus;
  first_name: string | null;
  last_name: string | null;
  /** Normalised. */
  email: string | null;
  additional_info: string | null;
  /** The id under which a browser decided on consent, shown to be the requestor's. */
  visitor_id: string | null;
  /** Such an id that was only stated. */
  visitor_claim: string | null;
  language: string;
  regime: Regime;
  channel: Generated<Channel>;
  /** Where the answer goes if there is no email address; null for a request by the form. */
  postal_address: string | null;
  phone: string | null;
  /** Who made the request for the person. */
  representative: string | null;
  /** How the identity was established, as an administrator noted it. */
  identity_proof: string | null;
  /** When it was stored: of a request entered by hand, later than the day of receipt. */
  received_at: number;
  /** Days are `YYYY-MM-DD` in the site's zone. */
  received_on: string;
  deadline: string;
  extended_at: number | null;
  /** Since when the deadline stands still. */
  paused_on: string | null;
  paused_days: Generated<number>;
  verified_at: number | null;
  assignee: string | null;
  /** Why it was put on hold or refused. */
  ground: string | null;
  duplicate_of: number | null;
  closed_at: number | null;
  /** When administrators were told of it. */
  alerted_at: Generated<number | null>;
  /** When a completed erasure was brought to its end: from then on the request itself names nobody. */
  erased_at: Generated<number | null>;
  /** By which the person can still ask for the status of a request that is erased. */
  email_hash: Generated<string | null>;
  anonymised_at: Generated<number | null>;
}

/** What happened to a case. Rows are only ever added. */
interface CaseEventTable {
  id: Generated<number>;
  case_id: number;
  at: number;
  actor: string;
  /** The user who did it, also after they have gone; null of nobody who signs in. */
  actor_id: number | null;
  action: string;
  /** JSON */
  details: string;
  /** As in its case; null while that is open. */
  case_closed_at: number | null;
  anonymised_at: Generated<number | null>;
}

/** A link that was mailed. */
interface CaseTokenTable {
  id: Generated<number>;
  case_id: number;
  purpose: 'verify' | 'download' | 'withdraw';
  token_hash: string;
  expires_at: number;
  used_at: number | null;
  /** When it was voided, before it was used. */
  revoked_at: Generated<number | null>;
}

/** `acknowledgement` follows the request, `reminder` a day later. */
export type AcknowledgementKind = 'acknowledgement' | 'reminder';

/** An email that asks to confirm a request: mailed, or waiting to be mailed with others to its address. */
interface AcknowledgementTable {
  id: Generated<number>;
  case_id: number;
  kind: AcknowledgementKind;
  /** A keyed hash of where the request came from: tells sources apart, and does not say which. */
  source: string;
  requested_at: number;
  /** When it is mailed at the latest. */
  due_at: number;
  mailed_at: number | null;
}

/** An erasure that this database knows of, by its id in the list of erasures. */
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
