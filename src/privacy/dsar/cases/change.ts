import type { Announce } from '../../../platform/db/index.ts';
import { InvalidFieldError } from '../../../platform/errors.ts';
import { publishAction } from '../../../platform/hooks/committed.ts';
import type { Queueing } from '../messages/notify.ts';
import type { CaseStatus, Ground } from '../rules.ts';
import type { Case } from '../store.ts';

export interface CaseUpdate {
  status?: CaseStatus | undefined;
  /** Included in the email about a refusal or a hold. */
  reason?: string | undefined;
  ground?: Ground | undefined;
  /** A login; null unassigns the case. */
  assignee?: string | null | undefined;
  extend?: { reason: string } | undefined;
}

/** The context of a change of a case, within its transaction. */
export interface Change extends Queueing {
  /** Whether erasures start without approval. */
  autoErase: boolean;
  actor: string;
  at: number;
}

/** Publishes a new status to extensions once it is committed. */
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
 * A given text, trimmed; undefined if there is none.
 * @throws InvalidFieldError for a text of only blanks
 */
export function readText(name: string, given: string | undefined): string | undefined {
  const text = given?.trim();
  if (text === '') {
    throw new InvalidFieldError(name, 'Enter a text that is not only blanks, or none.');
  }
  return text;
}
