import type { Announce, Trx } from '../../../platform/db/index.ts';
import { publishAction } from '../../../platform/hooks/committed.ts';
import { invalidParam } from '../../../platform/rest/errors.ts';
import type { Dsar, Sender } from '../context.ts';
import type { CaseStatus, Ground } from '../rules.ts';
import type { Case } from '../store.ts';

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

/** Tells extensions that the status of a case is another now, once it is committed. */
export function announceStatus(
  announce: Announce,
  { reference, requestType, status: from }: Pick<Case, 'reference' | 'requestType' | 'status'>,
  to: CaseStatus,
): void {
  if (from === to) return;
  const change = { reference, request_type: requestType, from, to };
  publishAction(announce, 'svc_dsar_status_changed', change);
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
