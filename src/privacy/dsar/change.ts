import type { Announce, Trx } from '../../platform/db/index.ts';
import { invalidParam } from '../../platform/rest/errors.ts';
import type { CaseStatus, Ground } from './rules.ts';
import type { Dsar, Sender } from './site.ts';

export interface CaseUpdate {
  status?: CaseStatus | undefined;
  /** Told to the requestor where the case is refused or put on hold. */
  reason?: string | undefined;
  ground?: Ground | undefined;
  /** A login; null takes it away. */
  assignee?: string | null | undefined;
  extend?: { reason: string } | undefined;
}

/** What a change of a case works with, within its transaction. */
export interface Change {
  dsar: Dsar;
  trx: Trx;
  announce: Announce;
  sender: Sender;
  /** Whether erasures need no approval. */
  autoErase: boolean;
  actor: string;
  at: number;
}

/**
 * A text that a person gave, trimmed; undefined if there is none.
 * @throws RestError 400 `rest_invalid_param` for one of nothing but blanks
 */
export function readText(name: string, given: string | undefined): string | undefined {
  const text = given?.trim();
  if (text === '') throw invalidParam(name, 'Enter a text that is not only blanks, or none.');
  return text;
}
