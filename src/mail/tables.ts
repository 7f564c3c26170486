import type { Generated } from 'kysely';

export const MAIL_STATUSES = ['pending', 'sending', 'sent', 'dead', 'held'] as const;
/** `held`: from an earlier version that limited emails per recipient. */
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A mail of the outbox. Subject and bodies are deleted once it is sent. */
export interface OutboxMailTable {
  id: Generated<number>;
  /** The part of the Message-ID before the `@`, the same for every attempt. */
  message_id: string;
  /** Idempotency key: only the first mail with a key is queued. */
  once_key: string | null;
  kind: string;
  /** Path of the related resource, for example `dsar/cases/12`. */
  about: string | null;
  recipient: string | null;
  from_name: string | null;
  reply_to: string | null;
  subject: string | null;
  body_text: string | null;
  body_html: string | null;
  /** Encrypted text for `SEALED_PLACE` in the bodies. */
  sealed: string | null;
  status: MailStatus;
  attempts: Generated<number>;
  /** How often the recipient's server deferred it. */
  deferrals: Generated<number>;
  /** When it is tried next; while it is being sent, when the lease ends. */
  due_at: number;
  /** When it is no longer sent; null if it can always be. */
  expires_at: number | null;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
  /** When it was sent, given up or held. */
  ended_at: number | null;
  anonymised_at: Generated<number | null>;
}

declare module '../platform/db/database.ts' {
  interface Database {
    outbox_mails: OutboxMailTable;
  }
}
