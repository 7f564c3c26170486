import type { Generated } from 'kysely';

export const MAIL_STATUSES = ['pending', 'sending', 'sent', 'dead', 'held'] as const;
/** `held`: put aside by an earlier version, whose limit for one recipient it exceeded. */
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A mail that is to be sent. Subject and bodies are there until it has been. */
export interface OutboxMailTable {
  id: Generated<number>;
  /** The part of the Message-ID before the `@`: a mail that is sent twice is known as one. */
  message_id: string;
  /** Of mails with one key only the first is queued. */
  once_key: string | null;
  kind: string;
  /** The path of the resource that it is about, as `dsar/cases/12`. */
  about: string | null;
  recipient: string | null;
  from_name: string | null;
  reply_to: string | null;
  subject: string | null;
  body_text: string | null;
  body_html: string | null;
  /** What the bodies say at `SEALED_PLACE`, encrypted. */
  sealed: string | null;
  status: MailStatus;
  attempts: Generated<number>;
  /** How often the recipient's server asked for patience. */
  deferrals: Generated<number>;
  /** When it may be tried; of a mail that is being sent, when its sender counts as lost. */
  due_at: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
  /** When it was sent, given up or held; null while it is on its way. */
  ended_at: number | null;
  anonymised_at: Generated<number | null>;
}

declare module '../platform/db/database.ts' {
  interface Database {
    outbox_mails: OutboxMailTable;
  }
}
